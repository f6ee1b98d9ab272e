const keyNames: Readonly<Record<string, string>> = { ' ': 'Space', Spacebar: 'Space' }

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * A pressed key in keymap notation: `mod+k`, `alt+shift+ArrowUp`, `?`. Shift is included only for letters and named
 * keys, since `?` and `#` need it on some keyboards only. With Alt, uses the key's label, not the character a Mac
 * produces.
 */
export function pressedKey(event: KeyPress): string {
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

const keySymbols: Readonly<Record<string, string>> = {
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

/** The steps of a key binding: `mod+k` is one step of Ctrl and K, `g d` are two. */
export function printedKeys(keys: string): PrintedStep[] {
  const steps = keys.split(' ')
  return steps.map((step, index) => ({
    id: steps.slice(0, index + 1).join(' '),
    caps: step
      .split(/(?<=[^+])\+/)
      .map((key) => keySymbols[key] ?? (key.length === 1 ? key.toUpperCase() : key)),
  }))
}

/** True if letters go to a text, a menu or a dialog with the focus. */
export function isTypingTarget(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('textarea,select,input:not([type=checkbox])') ||
      target.closest('dialog,[role=dialog],[role=menu],[role=listbox]') !== null)
  )
}

/** True if Enter and Space activate the focused element: a button, link or checkbox, but not a list row. */
export function isActivation(event: KeyboardEvent): boolean {
  return (
    (event.key === 'Enter' || event.key === ' ') &&
    event.target instanceof HTMLElement &&
    event.target.closest('button,a,summary,input[type=checkbox]') !== null
  )
}
