// Converts pasted rich text to Markdown.

import { EditorView } from '@codemirror/view'
import { maxLiveChars } from '../../../kernel/text/text-changes.ts'
import { withLineEnds } from '../line-ends.ts'
import { insertionOf, requiresPlainText } from './insertion.ts'
import { untrackRange, trackRange, rangeTracking, trackedRangeOf } from './places.ts'

/** Clipboard types of code editors. */
const codeEditorTypes = /^(vscode-editor-data|application\/x-(jetbrains|vscode))/i

/** True if the next paste was requested as plain text; most browsers already drop the formatting then. */
let isPlainNext = false

/** Pasted HTML is inserted as Markdown; `Ctrl Shift V` inserts its plain text. */
export const richPaste = [
  rangeTracking,
  EditorView.domEventHandlers({
    keydown(event) {
      isPlainNext = event.shiftKey && (event.ctrlKey || event.metaKey) && event.code === 'KeyV'
      return false
    },
    paste(event, view) {
      const isPlain = isPlainNext
      isPlainNext = false
      const { clipboardData } = event
      const { state } = view
      const html = clipboardData?.getData('text/html') ?? ''
      if (!clipboardData || html === '' || isPlain || state.readOnly) return false
      if (clipboardData.types.some((type) => codeEditorTypes.test(type))) return false
      if (state.selection.ranges.length > 1 || requiresPlainText(state, state.selection.main.from))
        return false
      event.preventDefault()
      void insertRichText(view, html, clipboardData.getData('text/plain'))
      return true
    },
  }),
]

/** Inserts the content at the cursor once the converter is loaded. Keeps edits made meanwhile. */
async function insertRichText(view: EditorView, html: string, plainText: string): Promise<void> {
  const key = {}
  const { from, to } = view.state.selection.main
  view.dispatch({ effects: trackRange(key, from, to) })
  let markdown: string | undefined
  try {
    // offline and not loaded yet: falls back to the plain text
    const converter = await import('./rich-text.ts').catch(() => undefined)
    markdown = converter?.pastedAsMarkdown(html, location.origin)
  } finally {
    insertPasted(view, key, { markdown, plain: plainText })
  }
}

function insertPasted(
  view: EditorView,
  key: object,
  { markdown, plain }: { markdown: string | undefined; plain: string },
): void {
  const { state } = view
  const { main } = state.selection
  const range = trackedRangeOf(state, key) ?? main
  const isMarkdown = markdown !== undefined && markdown.length <= maxLiveChars
  const insertion = isMarkdown
    ? insertionOf(state, range.from, range.to, markdown)
    : { from: range.from, to: range.to, insert: plain }
  const insert = state.toText(withLineEnds(insertion.insert, state.lineBreak))
  const changes = state.changes({ ...insertion, insert })
  const isStillSelected = main.from === range.from && main.to === range.to
  view.dispatch({
    changes,
    selection: isStillSelected
      ? { anchor: insertion.from + insert.length }
      : state.selection.map(changes, 1),
    effects: untrackRange(key),
    userEvent: 'input.paste',
    scrollIntoView: isStillSelected,
  })
}
