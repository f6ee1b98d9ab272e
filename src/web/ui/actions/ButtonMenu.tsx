import { Menu, type MenuProps } from '@mantine/core'
import { cloneElement, useEffect, useRef, useState, type ReactNode } from 'react'
import type { ButtonMenuProps } from './MenuButton.tsx'

interface Props extends ButtonMenuProps, Pick<MenuProps, 'width' | 'closeOnItemClick'> {
  children: ReactNode
}

/** A button's menu, initially open; the focus returns to the button. */
export function ButtonMenu({ button, children, ...menu }: Props) {
  const [isOpen, setOpen] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    target.current?.focus({ preventScroll: true })
    setOpen(true)
  }, [])
  return (
    <Menu
      position="bottom-end"
      withinPortal={false} // it stays in the dialog or region of its button
      floatingStrategy="fixed"
      withInitialFocusPlaceholder={false} // a menu has items, and nothing else that takes the focus
      opened={isOpen}
      onChange={setOpen}
      {...menu}
    >
      <Menu.Target>{cloneElement(button, { ref: target })}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
