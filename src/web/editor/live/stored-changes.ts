import { ChangeSet, Text, type ChangeSpec } from '@codemirror/state'

// Editors count a line ending as one character. Steps count the stored text, in which `\r\n` are two characters.

/** A change of a text with `\r\n`, in step positions. */
export function toStored(changes: ChangeSet, doc: Text): ChangeSet {
  const toStoredPosition = (position: number) => position + doc.lineAt(position).number - 1
  const specs: ChangeSpec[] = []
  changes.iterChanges((...[from, to, , , inserted]) => {
    const lines = inserted.toString().replaceAll('\n', '\r\n').split('\n')
    specs.push({ from: toStoredPosition(from), to: toStoredPosition(to), insert: Text.of(lines) })
  }, true)
  return ChangeSet.of(specs, doc.length + doc.lines - 1)
}

/** A step in editor positions; undefined if not all lines would end with `\r\n` any more. */
export function fromStored(step: ChangeSet, doc: Text): ChangeSet | undefined {
  const specs: ChangeSpec[] = []
  let isValid = true
  step.iterChanges((...[from, to, , , inserted]) => {
    const text = inserted.toString()
    const [start, end] = [editorPosition(doc, from), editorPosition(doc, to)]
    isValid &&= start !== undefined && end !== undefined && !/(^|[^\r])\n|\r(?!\n)/.test(text)
    if (start !== undefined && end !== undefined)
      specs.push({ from: start, to: end, insert: Text.of(text.split('\r\n')) })
  }, true)
  return isValid ? ChangeSet.of(specs, doc.length) : undefined
}

/** Editor position of a position in the stored text; undefined between `\r` and `\n`. */
export function editorPosition(text: Text, storedPosition: number): number | undefined {
  let [low, high] = [1, text.lines]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (text.line(middle).from + middle - 1 <= storedPosition) low = middle
    else high = middle - 1
  }
  const line = text.line(low)
  const position = storedPosition - (low - 1)
  return position <= line.to ? position : undefined
}
