import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import styles from './popup.module.css'

interface PopupProps {
  /** What it belongs to: it stands below this, or above where there is no room. */
  anchor: Element
  close: () => void
  label: string
  children: ReactNode
}

const gap = 4
const margin = 8

/** A small surface at what it belongs to; on a telephone a sheet. It holds the focus, and gives it back. */
export function Popup({ anchor, close, label, children }: PopupProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [before] = useState(() => document.activeElement) // before a field in it takes the focus
  useEffect(() => {
    const node = dialog.current
    if (node && !node.open) node.showModal()
    return () => {
      node?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [before])
  useLayoutEffect(() => {
    if (dialog.current) place(dialog.current, anchor)
  })
  return (
    <dialog
      ref={dialog}
      className={styles.popup}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) close()
      }}
    >
      {children}
    </dialog>
  )
}

function place(node: HTMLDialogElement, anchor: Element): void {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = node
  const below = at.bottom + gap
  const fits = below + height <= window.innerHeight - margin
  const top = fits ? below : Math.max(margin, at.top - gap - height)
  const left = Math.max(margin, Math.min(at.left, window.innerWidth - width - margin))
  node.style.setProperty('--popup-top', `${top}px`)
  node.style.setProperty('--popup-left', `${left}px`)
}
