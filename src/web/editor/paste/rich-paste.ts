// Formatted text that is pasted becomes Markdown.

import { EditorView } from '@codemirror/view'
import { maxLiveChars } from '../../../kernel/text/text-changes.ts'
import { withLineEnds } from '../line-ends.ts'
import { insertionOf, takesPlainText } from './insertion.ts'
import { forgetPlace, keepPlace, placeKeeping, keptRange } from './places.ts'

/** Clipboard types of code editors. */
const ofCode = /^(vscode-editor-data|application\/x-(jetbrains|vscode))/i

/** Whether what is pasted next was asked for as plain text; most browsers leave the rest out by themselves then. */
let isPlainNext = false

/** Pasted HTML is put in as Markdown; `Ctrl Shift V` puts its plain text in. */
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

/** Puts it where the cursor was, as soon as what reads it is loaded. What else happens to the text meanwhile stays. */
async function putIn(view: EditorView, html: string, plain: string): Promise<void> {
  const key = {}
  const { from, to } = view.state.selection.main
  view.dispatch({ effects: keepPlace(key, from, to) })
  let markdown: string | undefined
  try {
    // without a connection and not loaded yet: its words at least
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
