import { ChangeSet, Text, type ChangeSpec } from '@codemirror/state'

// Editors count a line ending as one character. Steps count the stored text, in which `\r\n` are two characters.

/** A change of a text with `\r\n`, in step positions. */
export function toStored(changes: ChangeSet, before: Text): ChangeSet {
  const stored = (at: number) => at + before.lineAt(at).number - 1
  const specs: ChangeSpec[] = []
  changes.iterChanges((...[from, to, , , inserted]) => {
    const lines = inserted.toString().replaceAll('\n', '\r\n').split('\n')
    specs.push({ from: stored(from), to: stored(to), insert: Text.of(lines) })
  }, true)
  return ChangeSet.of(specs, before.length + before.lines - 1)
}

/** A step in editor positions; undefined if not all lines would end with `\r\n` any more. */
export function fromStored(step: ChangeSet, before: Text): ChangeSet | undefined {
  const specs: ChangeSpec[] = []
  let isWhole = true
  step.iterChanges((...[from, to, , , inserted]) => {
    const text = inserted.toString()
    const [start, end] = [editorPosition(before, from), editorPosition(before, to)]
    isWhole &&= start !== undefined && end !== undefined && !/(^|[^\r])\n|\r(?!\n)/.test(text)
    if (start !== undefined && end !== undefined)
      specs.push({ from: start, to: end, insert: Text.of(text.split('\r\n')) })
  }, true)
  return isWhole ? ChangeSet.of(specs, before.length) : undefined
}

/** Editor position of a position in the stored text; undefined between `\r` and `\n`. */
export function editorPosition(text: Text, stored: number): number | undefined {
  let [low, high] = [1, text.lines]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (text.line(middle).from + middle - 1 <= stored) low = middle
    else high = middle - 1
  }
  const line = text.line(low)
  const at = stored - (low - 1)
  return at <= line.to ? at : undefined
}
