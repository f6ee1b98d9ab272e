import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'

/** Query typed at the cursor: a page title after `[[`, or a person's name after `@`. */
export interface MenuQuery {
  kind: 'page' | 'person'
  /** Range to replace, including the trigger. */
  from: number
  to: number
  text: string
}

/** Characters of a line examined before the cursor. */
const maxQueryChars = 120

const patterns: readonly [MenuQuery['kind'], RegExp][] = [
  ['person', /(?:^|[\s(])(@([\p{L}\p{N}._-]*(?: [\p{L}\p{N}]*)?))$/u],
  ['page', /(?<![\\[])(\[\[([^[\]|#]*))$/],
]

const literalNodes = /Code|FrontMatter|HTML|^Comment/

/** Query for the text before the cursor; undefined in code, and if there is a selection. */
export function menuQueryAt(state: EditorState): MenuQuery | undefined {
  const { ranges, main } = state.selection
  if (ranges.length > 1 || !main.empty) return undefined
  const cursor = main.head
  const start = Math.max(state.doc.lineAt(cursor).from, cursor - maxQueryChars)
  const before = state.sliceDoc(start, cursor)
  for (const [kind, pattern] of patterns) {
    const match = pattern.exec(before)
    if (!match || isInCode(state, cursor)) continue
    return { kind, from: cursor - (match[1] ?? '').length, to: cursor, text: match[2] ?? '' }
  }
  return undefined
}

function isInCode(state: EditorState, position: number): boolean {
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(position, -1)
  while (node && !literalNodes.test(node.name)) node = node.parent
  return node !== null
}

/** True if both look up the same, regardless of position. */
export const isSameQuery = (query: MenuQuery, other: MenuQuery) =>
  query.kind === other.kind && query.text === other.text
