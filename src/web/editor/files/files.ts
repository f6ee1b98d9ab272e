// Uploads files pasted or dropped into a text to the drive, and inserts a link or picture at that position.

import { Prec, RangeSet } from '@codemirror/state'
import { Decoration, EditorView, keymap, ViewPlugin } from '@codemirror/view'
import { errorMessage } from '../../api/problem.ts'
import { notify } from '../../store/index.ts'
import { wiki } from '../../texts/en/wiki.ts'
import { isDrawn } from '../../ui/FileImage.tsx'
import { forgetPlace, keepPlace, keptPlaces, keptRange, placeKeeping } from '../paste/places.ts'
import { UploadMark } from './mark.ts'
import { EditorUpload } from './upload.ts'

/** Accepts pasted or dropped files; Escape cancels uploads in progress. */
export const filePaste = [
  placeKeeping,
  EditorView.decorations.compute([placeKeeping], (state) =>
    RangeSet.of(
      [...keptPlaces(state)].flatMap(([key, { from }]) =>
        key instanceof EditorUpload
          ? [Decoration.widget({ widget: new UploadMark(key), side: 1 }).range(from)]
          : [],
      ),
      true,
    ),
  ),
  Prec.highest(keymap.of([{ key: 'Escape', run: giveUpAll }])),
  ViewPlugin.define((view) => ({ destroy: () => leave(view) })),
  EditorView.domEventHandlers({
    paste(event, view) {
      const { clipboardData } = event
      if (!clipboardData || saysText(clipboardData)) return false
      return insertDroppedFiles(event, view, clipboardData.files, view.state.selection.main.head)
    },
    dragover(event) {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
      return false
    },
    drop(event, view) {
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false)
      return insertDroppedFiles(event, view, event.dataTransfer?.files, at)
    },
  }),
]

/** Office programs add a picture of copied text; browsers add the address of a picture. */
const saysText = (data: DataTransfer): boolean =>
  data.getData('text/plain') !== '' ||
  (data.types.includes('text/html') && !/<img\b/i.test(data.getData('text/html')))

function insertDroppedFiles(
  event: Event,
  view: EditorView,
  files: FileList | undefined,
  at: number,
): boolean {
  if (!files || files.length === 0 || view.state.readOnly) return false
  event.preventDefault()
  const uploads = [...files].map((file) => new EditorUpload(file))
  view.dispatch({ effects: uploads.map((upload) => keepPlace(upload, at)) })
  void sendAll(view, uploads)
  return true
}

async function sendAll(view: EditorView, uploads: readonly EditorUpload[]): Promise<void> {
  for (const upload of uploads)
    try {
      const { id, title } = await upload.send()
      putLink(view, upload, { id, title })
    } catch (error) {
      view.dispatch({ effects: forgetPlace(upload) })
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
  const place = keptRange(state, upload)
  if (!place) return void notify({ ...noticeOf(upload), problem: wiki.files.noPlace })
  const words = file.title.replaceAll(/[[\]\\]/g, String.raw`\$&`)
  const link = `${isDrawn(upload.file.type) ? '!' : ''}[${words}](/files/${file.id})`
  const { main } = state.selection
  // several in sequence, separated by a blank
  const isBehindLink = /\]\([^()\s]*\)$/.test(
    state.sliceDoc(state.doc.lineAt(place.from).from, place.from),
  )
  const insert = isBehindLink ? ` ${link}` : link
  const changes = state.changes({ from: place.from, insert })
  const after = place.from + insert.length
  const others = [...keptPlaces(state)].filter(
    ([key, { from }]) => key !== upload && from === place.from,
  )
  view.dispatch({
    changes,
    selection:
      main.empty && main.head === place.from ? { anchor: after } : state.selection.map(changes, 1),
    effects: [forgetPlace(upload), ...others.map(([key]) => keepPlace(key, after))],
    userEvent: 'input.paste',
  })
}

const onTheirWay = (view: EditorView): EditorUpload[] =>
  [...keptPlaces(view.state).keys()].filter((key) => key instanceof EditorUpload)

/** Cancels uploads in progress; false if there are none. */
function giveUpAll(view: EditorView): boolean {
  const uploads = onTheirWay(view)
  for (const upload of uploads) upload.cancel()
  return uploads.length > 0
}

/** Cancels them when the text is closed, and says so. */
function leave(view: EditorView): void {
  for (const upload of onTheirWay(view)) notify({ ...noticeOf(upload), problem: wiki.files.left })
  giveUpAll(view)
}
