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
    const words = document.createElement('span')
    words.role = 'status'
    const end = document.createElement('button')
    end.type = 'button'
    end.textContent = '×'
    end.ariaLabel = wiki.files.giveUp(this.#upload.file.name)
    end.title = end.ariaLabel
    end.addEventListener('click', () => {
      this.#upload.cancel()
      view.focus()
    })
    mark.append(words, end)
    const show = ({ fraction, isWaiting }: UploadState) => {
      const { name } = this.#upload.file
      words.textContent = isWaiting
        ? wiki.files.waiting(name)
        : wiki.files.sending(name, Math.floor(fraction * 100))
    }
    show(this.#upload.state)
    this.#upload.onProgress(show)
    return mark
  }

  override ignoreEvent(): boolean {
    return true
  }
}
