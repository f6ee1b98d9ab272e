import { useState, type ComponentPropsWithoutRef, type ReactNode } from 'react'

interface PickerButtonProps extends Omit<ComponentPropsWithoutRef<'button'>, 'onClick'> {
  /** The list to open. */
  list: (anchor: Element, close: () => void) => ReactNode
}

/** A button that opens a choice list. */
export function PickerButton({ list, ...button }: PickerButtonProps) {
  const [anchor, setAnchor] = useState<Element>()
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={(event) => setAnchor(event.currentTarget)}
        {...button}
      />
      {anchor && list(anchor, () => setAnchor(undefined))}
    </>
  )
}
