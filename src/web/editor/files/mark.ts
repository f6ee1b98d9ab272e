import { WidgetType, type EditorView } from '@codemirror/view'
import { wiki } from '../../texts/en/wiki.ts'
import type { EditorUpload, UploadState } from './upload.ts'

/** A placeholder for a file: its name, its progress, and a button to cancel. */
export class UploadMark extends WidgetType {
  readonly #upload: EditorUpload

  constructor(upload: EditorUpload) {
    super()
    this.#upload = upload
  }

  override eq(other: UploadMark): boolean {
    return other.#upload === this.#upload
  }

  override toDOM(view: EditorView): HTMLElement {
    const mark = document.createElement('span')
    mark.className = 'md-upload'
    const label = document.createElement('span')
    label.role = 'status'
    const cancelButton = document.createElement('button')
    cancelButton.type = 'button'
    cancelButton.textContent = '×'
    cancelButton.ariaLabel = wiki.files.giveUp(this.#upload.file.name)
    cancelButton.title = cancelButton.ariaLabel
    cancelButton.addEventListener('click', () => {
      this.#upload.cancel()
      view.focus()
    })
    mark.append(label, cancelButton)
    const update = ({ fraction, isWaiting }: UploadState) => {
      const { name } = this.#upload.file
      label.textContent = isWaiting
        ? wiki.files.waiting(name)
        : wiki.files.sending(name, Math.floor(fraction * 100))
    }
    update(this.#upload.state)
    this.#upload.onProgress(update)
    return mark
  }

  override ignoreEvent(): boolean {
    return true
  }
}
