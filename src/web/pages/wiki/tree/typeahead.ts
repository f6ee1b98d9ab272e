import type { TreeLine } from './lines.ts'
import { plainTitle } from './titles.ts'

/** Letters within this time form one word. */
const maxGapMs = 1000

/** Text typed in the tree, and its time. */
export interface TypeaheadState {
  text: string
  typedAt: number
}

/** Appends a key to the typed text; undefined for a key that types nothing, such as a leading space. */
export function appendKey(
  state: TypeaheadState,
  key: string,
  now: number,
): TypeaheadState | undefined {
  const text = now - state.typedAt < maxGapMs ? state.text : ''
  const isTyped = key.length === 1 && (/[\p{L}\p{N}]/u.test(key) || text !== '')
  return isTyped ? { text: text + key, typedAt: now } : undefined
}

/** The line selected by typing: the next one with that prefix; repeating a letter moves on to the following one. */
export function matchingLine(
  lines: readonly TreeLine[],
  currentIndex: number,
  text: string,
): TreeLine | undefined {
  const plainText = plainTitle(text)
  const isRepeated = plainText.length > 1 && new Set(plainText).size === 1
  const [prefix, startIndex] =
    isRepeated || plainText.length === 1
      ? [plainText.charAt(0), currentIndex + 1]
      : [plainText, currentIndex]
  return [...lines.slice(startIndex), ...lines.slice(0, startIndex)].find(({ node }) =>
    plainTitle(node.title).startsWith(prefix),
  )
}
