const keyNames: Readonly<Record<string, string>> = { ' ': 'Space', Spacebar: 'Space' }

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * A pressed key as the keymap writes it: `mod+k`, `alt+shift+ArrowUp`, `?`. Shift counts with letters and named keys only, since `?` and
 * `#` need it on some keyboards and not on others. With Alt, the letter is the one that the key bears, not what a Mac makes of it.
 */
export function pressedKey(event: Pressed): string {
  const isLetterWithAlt = event.altKey && /^Key[A-Z]$/.test(event.code)
  const key = isLetterWithAlt
    ? event.code.slice(3).toLowerCase()
    : (keyNames[event.key] ?? event.key)
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase()
  const parts = [
    (isMac ? event.metaKey : event.ctrlKey) && 'mod',
    event.altKey && 'alt',
    event.shiftKey && (isLetter || key.length > 1) && 'shift',
    isLetter ? key.toLowerCase() : key,
  ]
  return parts.filter((part) => part !== false).join('+')
}

const signs: Readonly<Record<string, string>> = {
  mod: isMac ? '⌘' : 'Ctrl',
  alt: isMac ? '⌥' : 'Alt',
  shift: isMac ? '⇧' : 'Shift',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
}

interface PrintedStep {
  /** Unique within the binding. */
  id: string
  /** Keys pressed together, as printed. */
  caps: string[]
}

/** The keys of a binding one after the other: `mod+k` is one step of Ctrl and K, `g d` are two. */
export function printedKeys(keys: string): PrintedStep[] {
  const steps = keys.split(' ')
  return steps.map((step, n) => ({
    id: steps.slice(0, n + 1).join(' '),
    caps: step
      .split(/(?<=[^+])\+/)
      .map((key) => signs[key] ?? (key.length === 1 ? key.toUpperCase() : key)),
  }))
}

/** Whether letters go into a text, or to a menu or dialog, where this has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('textarea,select,input:not([type=checkbox])') ||
      target.closest('dialog,[role=dialog],[role=menu],[role=listbox]') !== null)
  )
}

/** Whether Enter and Space press what has the focus: a button, link or box takes them, the row of a list does not. */
export function isPressing(event: KeyboardEvent): boolean {
  return (
    (event.key === 'Enter' || event.key === ' ') &&
    event.target instanceof HTMLElement &&
    event.target.closest('button,a,summary,input[type=checkbox]') !== null
  )
}
