// Uploads files pasted or dropped into a text to the drive, and inserts a link or picture at that position.

import { Prec, RangeSet } from '@codemirror/state'
import { Decoration, EditorView, keymap, ViewPlugin } from '@codemirror/view'
import { errorMessage } from '../../api/problem.ts'
import { notify } from '../../store/index.ts'
import { wiki } from '../../texts/en/wiki.ts'
import { isDisplayable } from '../../ui/FileImage.tsx'
import {
  untrackRange,
  trackRange,
  trackedRangesIn,
  trackedRangeOf,
  rangeTracking,
} from '../paste/places.ts'
import { UploadMark } from './mark.ts'
import { EditorUpload } from './upload.ts'

/** Accepts pasted or dropped files; Escape cancels uploads in progress. */
export const filePaste = [
  rangeTracking,
  EditorView.decorations.compute([rangeTracking], (state) =>
    RangeSet.of(
      [...trackedRangesIn(state)].flatMap(([key, { from }]) =>
        key instanceof EditorUpload
          ? [Decoration.widget({ widget: new UploadMark(key), side: 1 }).range(from)]
          : [],
      ),
      true,
    ),
  ),
  Prec.highest(keymap.of([{ key: 'Escape', run: cancelUploads }])),
  ViewPlugin.define((view) => ({ destroy: () => cancelOnClose(view) })),
  EditorView.domEventHandlers({
    paste(event, view) {
      const { clipboardData } = event
      if (!clipboardData || hasText(clipboardData)) return false
      return insertDroppedFiles(event, view, clipboardData.files, view.state.selection.main.head)
    },
    dragover(event) {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
      return false
    },
    drop(event, view) {
      const position = view.posAtCoords({ x: event.clientX, y: event.clientY }, false)
      return insertDroppedFiles(event, view, event.dataTransfer?.files, position)
    },
  }),
]

/** Office programs add a picture of copied text; browsers add the address of a picture. */
const hasText = (data: DataTransfer): boolean =>
  data.getData('text/plain') !== '' ||
  (data.types.includes('text/html') && !/<img\b/i.test(data.getData('text/html')))

function insertDroppedFiles(
  event: Event,
  view: EditorView,
  files: FileList | undefined,
  position: number,
): boolean {
  if (!files || files.length === 0 || view.state.readOnly) return false
  event.preventDefault()
  const uploads = [...files].map((file) => new EditorUpload(file))
  view.dispatch({ effects: uploads.map((upload) => trackRange(upload, position)) })
  void uploadAll(view, uploads)
  return true
}

async function uploadAll(view: EditorView, uploads: readonly EditorUpload[]): Promise<void> {
  for (const upload of uploads)
    try {
      const { id, title } = await upload.send()
      putLink(view, upload, { id, title })
    } catch (error) {
      view.dispatch({ effects: untrackRange(upload) })
      if (!upload.isCancelled) notify({ ...noticeOf(upload), problem: errorMessage(error) })
    }
}

const noticeOf = ({ file }: EditorUpload) => ({ text: file.name, seconds: 0, actions: [] })

function putLink(
  view: EditorView,
  upload: EditorUpload,
  file: { id: string; title: string },
): void {
  const { state } = view
  const range = trackedRangeOf(state, upload)
  if (!range) return void notify({ ...noticeOf(upload), problem: wiki.files.noPlace })
  const linkText = file.title.replaceAll(/[[\]\\]/g, String.raw`\$&`)
  const link = `${isDisplayable(upload.file.type) ? '!' : ''}[${linkText}](/files/${file.id})`
  const { main } = state.selection
  // a space separates adjacent links
  const isBehindLink = /\]\([^()\s]*\)$/.test(
    state.sliceDoc(state.doc.lineAt(range.from).from, range.from),
  )
  const insert = isBehindLink ? ` ${link}` : link
  const changes = state.changes({ from: range.from, insert })
  const end = range.from + insert.length
  const samePlaces = [...trackedRangesIn(state)].filter(
    ([key, { from }]) => key !== upload && from === range.from,
  )
  view.dispatch({
    changes,
    selection:
      main.empty && main.head === range.from ? { anchor: end } : state.selection.map(changes, 1),
    effects: [untrackRange(upload), ...samePlaces.map(([key]) => trackRange(key, end))],
    userEvent: 'input.paste',
  })
}

const activeUploads = (view: EditorView): EditorUpload[] =>
  [...trackedRangesIn(view.state).keys()].filter((key) => key instanceof EditorUpload)

/** Cancels uploads in progress; false if there are none. */
function cancelUploads(view: EditorView): boolean {
  const uploads = activeUploads(view)
  for (const upload of uploads) upload.cancel()
  return uploads.length > 0
}

/** Cancels uploads in progress when the editor closes, with a notice for each. */
function cancelOnClose(view: EditorView): void {
  for (const upload of activeUploads(view))
    notify({ ...noticeOf(upload), problem: wiki.files.left })
  cancelUploads(view)
}
