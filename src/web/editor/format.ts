// Formatting commands of keys and buttons. Each is one change that can be undone.

import { EditorSelection, type ChangeSpec, type EditorState, type Line } from '@codemirror/state'
import type { Command, EditorView, KeyBinding } from '@codemirror/view'

/** Surrounds the selected text with a marker, or removes it. */
export function toggleAround(marker: string): Command {
  return (view) => {
    const { state } = view
    view.dispatch(
      state.changeByRange((range) => {
        const { from, to } = range
        const length = marker.length
        const isInside =
          to - from >= 2 * length &&
          state.sliceDoc(from, from + length) === marker &&
          state.sliceDoc(to - length, to) === marker
        if (isInside)
          return {
            changes: [
              { from, to: from + length },
              { from: to - length, to },
            ],
            range: EditorSelection.range(from, to - 2 * length),
          }
        if (isAround(state, from, to, marker))
          return {
            changes: [
              { from: from - length, to: from },
              { from: to, to: to + length },
            ],
            range: EditorSelection.range(from - length, to - length),
          }
        return {
          changes: [
            { from, insert: marker },
            { from: to, insert: marker },
          ],
          range: EditorSelection.range(from + length, to + length),
        }
      }),
      { userEvent: 'input.format', scrollIntoView: true },
    )
    return true
  }
}

/** True if a range is surrounded by a marker that is not part of a longer one: `*` is not half of `**`. */
function isAround(state: EditorState, from: number, to: number, marker: string): boolean {
  const size = marker.length
  const before = state.sliceDoc(Math.max(0, from - size - 1), from)
  const after = state.sliceDoc(to, to + size + 1)
  if (!before.endsWith(marker) || !after.startsWith(marker)) return false
  return (
    !(before.length > size && before[0] === marker[0]) &&
    !(after.length > size && after.at(-1) === marker[0])
  )
}

/** Adds a prefix to the selected lines, replacing one of the same kind, or removes it if all have it. */
function togglePrefix(prefix: string | ((index: number) => string), pattern: RegExp): Command {
  const prefixOf = typeof prefix === 'string' ? () => prefix : prefix
  return (view) => {
    const { state } = view
    const lines = selectedLines(state)
    const hasAll = lines.every((line, index) => line.text.startsWith(prefixOf(index)))
    const changes = lines.map((line, index): ChangeSpec => {
      const [oldPrefix = ''] = pattern.exec(line.text) ?? []
      return {
        from: line.from,
        to: line.from + oldPrefix.length,
        insert: hasAll ? '' : prefixOf(index),
      }
    })
    view.dispatch({ changes, userEvent: 'input.format', scrollIntoView: true })
    return true
  }
}

function selectedLines(state: EditorState): Line[] {
  const lines = new Map<number, Line>()
  for (const { from, to } of state.selection.ranges)
    for (let position = from; position <= to; ) {
      const line = state.doc.lineAt(position)
      lines.set(line.number, line)
      position = line.to + 1
    }
  return [...lines.values()]
}

/** Headings, list items, tasks and quotes are mutually exclusive: a line is one of them. */
const linePrefix = /^(#{1,6} |[-*+] \[[ xX]\] |[-*+] |\d+[.)] |> )/

export const toggleHeading = (level: number) => togglePrefix(`${'#'.repeat(level)} `, linePrefix)
export const toggleList = togglePrefix('- ', linePrefix)
export const toggleNumbers = togglePrefix((index) => `${index + 1}. `, linePrefix)
export const toggleTasks = togglePrefix('- [ ] ', linePrefix)
export const toggleQuote = togglePrefix('> ', linePrefix)

/** Turns the selected text into a link, with the cursor at the address. */
export const insertLink: Command = (view) => {
  const { state } = view
  view.dispatch(
    state.changeByRange(({ from, to }) => ({
      changes: [
        { from, insert: '[' },
        { from: to, insert: ']()' },
      ],
      range: EditorSelection.cursor(from === to ? from + 1 : to + 3),
    })),
    { userEvent: 'input.format', scrollIntoView: true },
  )
  return true
}

const itemPrefix = /^(\s*)((?:> ?)*)((?:[-*+]|(\d{1,9})([.)]))(\s+))?(\[[ xX]\]\s+)?/

/** Enter in a list or quote starts the next item; in an empty item it ends the list. */
const continueList: Command = (view) => {
  const { state } = view
  const { main } = state.selection
  if (!main.empty || state.selection.ranges.length > 1) return false
  const line = state.doc.lineAt(main.head)
  const match = itemPrefix.exec(line.text)
  const [prefix = '', indent = '', quote = '', mark, number, delimiter = '', gap = ' ', task] =
    match ?? []
  if ((mark === undefined && quote === '') || main.head < line.from + prefix.length) return false
  if (line.text.length === prefix.length) {
    view.dispatch({
      changes: { from: line.from, to: line.to, insert: mark === undefined ? '' : quote },
      selection: { anchor: line.from + (mark === undefined ? 0 : quote.length) },
      userEvent: 'input',
    })
    return true
  }
  const nextMark = number === undefined ? (mark ?? '') : `${Number(number) + 1}${delimiter}${gap}`
  const nextPrefix = `${indent}${quote}${nextMark}${task === undefined ? '' : '[ ] '}`
  view.dispatch({
    changes: { from: main.head, insert: `${state.lineBreak}${nextPrefix}` },
    selection: { anchor: main.head + 1 + nextPrefix.length },
    userEvent: 'input',
    scrollIntoView: true,
  })
  return true
}

/** Toggles the task checkbox at a position. */
export function toggleTaskAt(view: EditorView, position: number): void {
  const line = view.state.doc.lineAt(position)
  const match = /\[([ xX])\]/.exec(line.text)
  if (!match) return
  const from = line.from + match.index + 1
  view.dispatch({
    changes: { from, to: from + 1, insert: match[1] === ' ' ? 'x' : ' ' },
    userEvent: 'input.task',
  })
}

const toggleTask: Command = (view) => {
  const { head } = view.state.selection.main
  if (!/^\s*(?:[-*+]|\d+[.)])\s+\[[ xX]\]/.test(view.state.doc.lineAt(head).text)) return false
  toggleTaskAt(view, head)
  return true
}

export const formatKeys: readonly KeyBinding[] = [
  { key: 'Enter', run: continueList },
  { key: 'Mod-b', run: toggleAround('**') },
  { key: 'Mod-i', run: toggleAround('*') },
  { key: 'Mod-e', run: toggleAround('`') },
  { key: 'Mod-Shift-x', run: toggleAround('~~') },
  { key: 'Alt-Enter', run: toggleTask },
  ...[1, 2, 3].map((level) => ({ key: `Mod-Alt-${level}`, run: toggleHeading(level) })),
]
