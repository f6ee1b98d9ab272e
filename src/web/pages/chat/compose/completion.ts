/** Completion requested by the text before the cursor. */
export interface CompletionRequest {
  kind: 'person' | 'channel' | 'item' | 'emoji'
  /** Start of the replaced range. */
  start: number
  query: string
}

const patterns: readonly [CompletionRequest['kind'], RegExp][] = [
  ['person', /(?:^|[\s(])(@([\p{L}\p{N}._-]*(?: [\p{L}\p{N}]*)?))$/u],
  ['channel', /(?:^|[\s(])(#([\p{L}\p{N}_-]*))$/u],
  ['emoji', /(?:^|[\s(])(:([a-z0-9_+-]{2,}))$/],
  ['item', /(?:^|[\s(])(([A-Z][A-Z0-9]{0,9}-\d*))$/],
]

/** Detects the completion for the text typed at the cursor; undefined if there are no suggestions for it. */
export function findCompletion(text: string, cursor: number): CompletionRequest | undefined {
  const before = text.slice(0, cursor)
  for (const [kind, pattern] of patterns) {
    const match = pattern.exec(before)
    if (match) return { kind, start: cursor - (match[1] ?? '').length, query: match[2] ?? '' }
  }
  return undefined
}

/** The text with the typed word replaced by a suggestion, and the new cursor position. */
export function applyCompletion(
  text: string,
  { start }: CompletionRequest,
  cursor: number,
  insert: string,
): { text: string; cursor: number } {
  const rest = text.slice(cursor)
  const gap = rest.startsWith(' ') ? '' : ' '
  return {
    text: `${text.slice(0, start)}${insert}${gap}${rest}`,
    cursor: start + insert.length + 1,
  }
}
