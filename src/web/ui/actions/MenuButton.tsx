import { cloneElement, useState, type ComponentType, type ReactElement } from 'react'
import type { JSX } from 'react'

export interface ButtonMenuProps {
  /** The button of the menu. */
  button: ReactElement<JSX.IntrinsicElements['button']>
}

interface MenuButtonProps {
  /** The menu with its button, loaded when first opened. */
  menu: ComponentType<ButtonMenuProps>
  children: ButtonMenuProps['button']
}

/** A button that opens a menu, which is loaded on the first press. */
export function MenuButton({ menu: Menu, children: button }: MenuButtonProps) {
  const [isOpened, setOpened] = useState(false)
  if (isOpened) return <Menu button={button} />
  return cloneElement(button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setOpened(true),
  })
}
