/** Why keys cannot be given to a command. */
export type ReservedReason = 'browser' | 'system' | 'text' | 'movement' | 'reader'

/**
 * Keys reserved by browsers, systems and screen readers regardless of the page: those of Chromium, Firefox and
 * Safari on Windows, macOS and Linux combined, because a person's keys apply in all of their browsers.
 */
const reservedKeys: readonly (readonly [ReservedReason, RegExp])[] = [
  ['browser', /^mod\+[dfghjlnopqrtuw]$/],
  ['browser', /^mod\+shift\+[bcijmnopqrtw]$/],
  ['browser', /^mod\+([0-9+=_-]|F4|F5|PageUp|PageDown|Home|End)$/],
  ['browser', /^mod\+shift\+(Delete|Backspace|F5)$/],
  ['browser', /^alt\+([0-9def]|Home|Enter)$/],
  ['browser', /^alt\+Arrow(Left|Right)$/],
  ['browser', /^(shift\+)?F(1|3|5|6|7|10|11|12)$/],
  ['system', /^alt\+(F\d+|Space|shift\+Space)$/],
  ['system', /(mod|alt)\+(shift\+)?Tab$/],
  [
    'system',
    /^mod\+(alt\+(Delete|ArrowUp|ArrowDown|ArrowLeft|ArrowRight|t|l)|Escape|Space|[`,m])$/,
  ],
  ['system', /^(ContextMenu|PrintScreen|Pause|ScrollLock|CapsLock|NumLock|Insert)$/],
  ['text', /^mod\+(shift\+)?[acvxyz]$/],
  ['text', /^mod\+([bei]|Arrow(Left|Right|Up|Down))$/],
  ['movement', /^(shift\+)?(Enter|Escape|Tab|Space|Backspace|Arrow(Up|Down|Left|Right))$/],
  ['movement', /^(shift\+)?(Page(Up|Down)|Home|End)$/],
  ['reader', /^mod\+alt\+(Enter|Space)$/],
]

/** Why these keys (one step, such as `alt+d`) are reserved; undefined if they are not. */
export const reservedReason = (keys: string): ReservedReason | undefined =>
  reservedKeys.find(([, pattern]) => pattern.test(keys))?.[0]
