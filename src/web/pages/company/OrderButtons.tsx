import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'

interface OrderButtonsProps {
  /** Position, from 1, and the total. */
  number: number
  count: number
  labels: { earlier: string; later: string; remove: string }
  /** Moves it by a number of positions. */
  move: (by: number) => void
  remove: () => void
}

/** Moves or removes an entry of an ordered list; the last one stays. */
export function OrderButtons({ number, count, labels, move, remove }: OrderButtonsProps) {
  const buttons = [
    { label: labels.earlier, Shape: IconArrowUp, isOff: number === 1, run: () => move(-1) },
    { label: labels.later, Shape: IconArrowDown, isOff: number === count, run: () => move(1) },
    { label: labels.remove, Shape: IconX, isOff: count === 1, run: remove },
  ]
  return buttons.map(({ label, Shape, isOff, run }) => (
    <button key={label} type="button" aria-label={label} disabled={isOff} onClick={run}>
      <Shape size={14} aria-hidden />
    </button>
  ))
}
