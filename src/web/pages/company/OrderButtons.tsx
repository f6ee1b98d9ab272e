import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'

interface OrderButtonsProps {
  /** Position, from 1, and the total. */
  number: number
  count: number
  labels: { earlier: string; later: string; remove: string }
  /** Moves it by a number of positions. */
  move: (offset: number) => void
  remove: () => void
}

/** Buttons that move or remove an entry of an ordered list; the only entry cannot be removed. */
export function OrderButtons({ number, count, labels, move, remove }: OrderButtonsProps) {
  const buttons = [
    { label: labels.earlier, Shape: IconArrowUp, isDisabled: number === 1, run: () => move(-1) },
    { label: labels.later, Shape: IconArrowDown, isDisabled: number === count, run: () => move(1) },
    { label: labels.remove, Shape: IconX, isDisabled: count === 1, run: remove },
  ]
  return buttons.map(({ label, Shape, isDisabled, run }) => (
    <button key={label} type="button" aria-label={label} disabled={isDisabled} onClick={run}>
      <Shape size={14} aria-hidden />
    </button>
  ))
}
