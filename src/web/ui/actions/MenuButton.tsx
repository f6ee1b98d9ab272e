import { cloneElement, useState, type ComponentType, type ReactElement } from 'react'
import type { JSX } from 'react'

export interface ButtonMenuProps {
  /** The button that the menu belongs to. */
  button: ReactElement<JSX.IntrinsicElements['button']>
}

interface MenuButtonProps {
  /** The menu with its button, which is loaded when it is first opened. */
  menu: ComponentType<ButtonMenuProps>
  children: ButtonMenuProps['button']
}

/** A button that opens a menu. Until it is first pressed the menu does not have to be there. */
export function MenuButton({ menu: Menu, children: button }: MenuButtonProps) {
  const [isWanted, setWanted] = useState(false)
  if (isWanted) return <Menu button={button} />
  return cloneElement(button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
  })
}
