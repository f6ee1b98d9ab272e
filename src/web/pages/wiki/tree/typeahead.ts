import type { TreeLine } from './lines.ts'
import { plainTitle } from './titles.ts'

/** Letters within this time form one word. */
const togetherMs = 1000

/** Text typed in the tree, and its time. */
export interface Typed {
  text: string
  at: number
}

/** Appends a key to the typed text; undefined for a key that types nothing, such as a leading space. */
export function typeOn(before: Typed, key: string, now: number): Typed | undefined {
  const text = now - before.at < togetherMs ? before.text : ''
  const isTyped = key.length === 1 && (/[\p{L}\p{N}]/u.test(key) || text !== '')
  return isTyped ? { text: text + key, at: now } : undefined
}

/** The line selected by typing: the next one with that prefix; repeating a letter moves on to the following one. */
export function typedLine(
  lines: readonly TreeLine[],
  at: number,
  text: string,
): TreeLine | undefined {
  const wanted = plainTitle(text)
  const isRepeated = wanted.length > 1 && new Set(wanted).size === 1
  const [beginning, from] =
    isRepeated || wanted.length === 1 ? [wanted.charAt(0), at + 1] : [wanted, at]
  return [...lines.slice(from), ...lines.slice(0, from)].find(({ node }) =>
    plainTitle(node.title).startsWith(beginning),
  )
}
