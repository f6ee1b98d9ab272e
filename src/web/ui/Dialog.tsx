import { IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { t } from '../texts/index.ts'
import { restoreFocus } from './work/focus.ts'
import styles from './dialog.module.css'

interface DialogProps {
  isOpen: boolean
  close: () => void
  title: string
  /** Without it, the title is only announced. */
  hasHeader?: boolean
  isWide?: boolean
  className?: string | undefined
  children: ReactNode
}

/** A modal dialog. Keeps the focus inside, closes on Escape or a click outside, and returns the focus. */
export function Dialog(props: DialogProps) {
  return props.isOpen ? <OpenDialog {...props} /> : null
}

function OpenDialog({ close, title, hasHeader = true, isWide, className, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isMenuOpen = useRef(false)
  const [previousFocus] = useState(() => document.activeElement) // before a field in it takes the focus
  useEffect(() => {
    const node = dialog.current
    if (node && !node.open) node.showModal() // this focuses its first control
    node?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    // a menu closes before the dialog receives the key
    const trackMenu = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      isMenuOpen.current = node?.querySelector('[aria-haspopup=menu][aria-expanded=true]') != null
    }
    window.addEventListener('keydown', trackMenu, true)
    return () => {
      window.removeEventListener('keydown', trackMenu, true)
      node?.close()
      restoreFocus(previousFocus)
    }
  }, [previousFocus])
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      className={`${styles.dialog} ${className ?? ''}`}
      data-wide={isWide || undefined}
      onCancel={(event) => {
        event.preventDefault()
        if (!isMenuOpen.current) close()
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) close()
      }}
    >
      <div className={styles.content}>
        {hasHeader && (
          <header className={styles.header}>
            <h2>{title}</h2>
            <button type="button" className={styles.close} onClick={close} aria-label={t.app.close}>
              <IconX size={16} aria-hidden />
            </button>
          </header>
        )}
        {children}
      </div>
    </dialog>
  )
}
