import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { restoreFocus } from './focus.ts'
import styles from './popup.module.css'

interface PopupProps {
  /** Anchor: the popup is below it, or above if there is no room. */
  anchor: Element
  close: () => void
  label: string
  children: ReactNode
}

const gapPx = 4
const marginPx = 8

/**
 * A popup at its anchor; on a phone a sheet. It keeps the focus inside, and returns it. The background stays
 * interactive: making thousands of elements inert, as for a modal dialog, takes longer than everything else.
 */
export function Popup({ anchor, close, label, children }: PopupProps) {
  const layer = useRef<HTMLDivElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)
  const [previousFocus] = useState(() => document.activeElement) // before a field in it takes the focus
  useLayoutEffect(() => {
    layer.current?.showPopover()
    if (dialog.current) focusFirst(dialog.current)
    const onFocusIn = (event: FocusEvent) => {
      if (dialog.current) holdFocus(dialog.current, event)
    }
    document.addEventListener('focusin', onFocusIn)
    return () => {
      document.removeEventListener('focusin', onFocusIn)
      restoreFocus(previousFocus)
    }
  }, [previousFocus])
  useLayoutEffect(() => {
    if (dialog.current) positionPopup(dialog.current, anchor)
  })
  const onKeyDown = (event: KeyboardEvent) => {
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
        onKeyDown={onKeyDown}
      >
        {children}
      </dialog>
    </div>
  )
}

const controlSelector = 'input,textarea,select,button:not([tabindex="-1"]),a[href],[tabindex="0"]'

const controlsIn = (node: HTMLElement) =>
  [...node.querySelectorAll<HTMLElement>(controlSelector)].filter(
    (control) => !control.matches(':disabled'),
  )

function focusFirst(node: HTMLElement): void {
  const target = node.querySelector<HTMLElement>('[data-autofocus]') ?? controlsIn(node)[0] ?? node
  target.focus({ preventScroll: true })
}

/**
 * Takes the focus back from the background, for example from a list that follows its cursor. Another dialog may have
 * it.
 */
function holdFocus(node: HTMLElement, { target, relatedTarget: previous }: FocusEvent): void {
  if (!(target instanceof Element) || target.closest('dialog')) return
  if (previous instanceof HTMLElement && node.contains(previous))
    previous.focus({ preventScroll: true })
  else focusFirst(node)
}

/** True if Tab would leave; then it wraps around. */
function isAtEdge(node: HTMLElement, { shiftKey }: KeyboardEvent): boolean {
  const focusable = controlsIn(node)
  const [edge, opposite] = shiftKey
    ? [focusable[0], focusable.at(-1)]
    : [focusable.at(-1), focusable[0]]
  if (edge !== undefined && document.activeElement !== edge && node !== document.activeElement)
    return false
  opposite?.focus()
  return true
}

function positionPopup(node: HTMLDialogElement, anchor: Element): void {
  const anchorRect = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = node
  const below = anchorRect.bottom + gapPx
  const fits = below + height <= window.innerHeight - marginPx
  const top = fits ? below : Math.max(marginPx, anchorRect.top - gapPx - height)
  const left = Math.max(marginPx, Math.min(anchorRect.left, window.innerWidth - width - marginPx))
  node.style.setProperty('--popup-top', `${top}px`)
  node.style.setProperty('--popup-left', `${left}px`)
}
