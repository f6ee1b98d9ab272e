// Pasted rich text becomes Markdown.

import { EditorView } from '@codemirror/view'
import { maxLiveChars } from '../../../kernel/text/text-changes.ts'
import { withLineEnds } from '../line-ends.ts'
import { insertionOf, takesPlainText } from './insertion.ts'
import { forgetPlace, keepPlace, placeKeeping, keptRange } from './places.ts'

/** Clipboard types of code editors. */
const ofCode = /^(vscode-editor-data|application\/x-(jetbrains|vscode))/i

/** True if the next paste was requested as plain text; most browsers already drop the formatting then. */
let isPlainNext = false

/** Pasted HTML is inserted as Markdown; `Ctrl Shift V` inserts its plain text. */
export const richPaste = [
  placeKeeping,
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
      if (clipboardData.types.some((type) => ofCode.test(type))) return false
      if (state.selection.ranges.length > 1 || takesPlainText(state, state.selection.main.from))
        return false
      event.preventDefault()
      void putIn(view, html, clipboardData.getData('text/plain'))
      return true
    },
  }),
]

/** Inserts it at the cursor position once the converter is loaded. Other edits made meanwhile stay. */
async function putIn(view: EditorView, html: string, plain: string): Promise<void> {
  const key = {}
  const { from, to } = view.state.selection.main
  view.dispatch({ effects: keepPlace(key, from, to) })
  let markdown: string | undefined
  try {
    // offline and not loaded yet: its words at least
    const reader = await import('./rich-text.ts').catch(() => undefined)
    markdown = reader?.pastedAsMarkdown(html, location.origin)
  } finally {
    insertPasted(view, key, { markdown, plain })
  }
}

function insertPasted(
  view: EditorView,
  key: object,
  { markdown, plain }: { markdown: string | undefined; plain: string },
): void {
  const { state } = view
  const { main } = state.selection
  const place = keptRange(state, key) ?? main
  const isMarkdown = markdown !== undefined && markdown.length <= maxLiveChars
  const insertion = isMarkdown
    ? insertionOf(state, place.from, place.to, markdown)
    : { from: place.from, to: place.to, insert: plain }
  const insert = state.toText(withLineEnds(insertion.insert, state.lineBreak))
  const changes = state.changes({ ...insertion, insert })
  const isThere = main.from === place.from && main.to === place.to
  view.dispatch({
    changes,
    selection: isThere
      ? { anchor: insertion.from + insert.length }
      : state.selection.map(changes, 1),
    effects: forgetPlace(key),
    userEvent: 'input.paste',
    scrollIntoView: isThere,
  })
}
