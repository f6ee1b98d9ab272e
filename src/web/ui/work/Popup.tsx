import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { giveFocusBack } from './focus.ts'
import styles from './popup.module.css'

interface PopupProps {
  /** Anchor: the popup is below it, or above if there is no room. */
  anchor: Element
  close: () => void
  label: string
  children: ReactNode
}

const gap = 4
const margin = 8

/**
 * A popup at its anchor; on a phone a sheet. It keeps the focus inside, and returns it. The background stays
 * interactive: making thousands of elements inert, as for a modal dialog, takes longer than everything else.
 */
export function Popup({ anchor, close, label, children }: PopupProps) {
  const layer = useRef<HTMLDivElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)
  const [before] = useState(() => document.activeElement) // before a field in it takes the focus
  useLayoutEffect(() => {
    layer.current?.showPopover()
    if (dialog.current) focusFirst(dialog.current)
    const hold = (event: FocusEvent) => {
      if (dialog.current) holdFocus(dialog.current, event)
    }
    document.addEventListener('focusin', hold)
    return () => {
      document.removeEventListener('focusin', hold)
      giveFocusBack(before)
    }
  }, [before])
  useLayoutEffect(() => {
    if (dialog.current) positionPopup(dialog.current, anchor)
  })
  const pressed = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return
    if (event.key === 'Escape') close()
    else if (event.key !== 'Tab' || !dialog.current || !isAtEdge(dialog.current, event)) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={layer}
      popover="manual"
      className={styles.layer}
      onPointerDown={(event) => {
        if (event.target === layer.current) close()
      }}
    >
      <dialog
        open
        ref={dialog}
        className={styles.popup}
        aria-label={label}
        aria-modal
        onKeyDown={pressed}
      >
        {children}
      </dialog>
    </div>
  )
}

const controls = 'input,textarea,select,button:not([tabindex="-1"]),a[href],[tabindex="0"]'

const controlsIn = (node: HTMLElement) =>
  [...node.querySelectorAll<HTMLElement>(controls)].filter(
    (control) => !control.matches(':disabled'),
  )

function focusFirst(node: HTMLElement): void {
  const first = node.querySelector<HTMLElement>('[data-autofocus]') ?? controlsIn(node)[0] ?? node
  first.focus({ preventScroll: true })
}

/**
 * Takes the focus back from the background, for example from a list that follows its cursor. Another dialog may have
 * it.
 */
function holdFocus(node: HTMLElement, { target, relatedTarget: from }: FocusEvent): void {
  if (!(target instanceof Element) || target.closest('dialog')) return
  if (from instanceof HTMLElement && node.contains(from)) from.focus({ preventScroll: true })
  else focusFirst(node)
}

/** True if Tab would leave; then it wraps around. */
function isAtEdge(node: HTMLElement, { shiftKey }: KeyboardEvent): boolean {
  const all = controlsIn(node)
  const [edge, other] = shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]]
  if (edge !== undefined && document.activeElement !== edge && node !== document.activeElement)
    return false
  other?.focus()
  return true
}

function positionPopup(node: HTMLDialogElement, anchor: Element): void {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = node
  const below = at.bottom + gap
  const fits = below + height <= window.innerHeight - margin
  const top = fits ? below : Math.max(margin, at.top - gap - height)
  const left = Math.max(margin, Math.min(at.left, window.innerWidth - width - margin))
  node.style.setProperty('--popup-top', `${top}px`)
  node.style.setProperty('--popup-left', `${left}px`)
}
