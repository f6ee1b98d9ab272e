import { WidgetType, type EditorView } from '@codemirror/view'
import { queries } from '../api/queries.ts'
import { t } from '../texts/index.ts'
import { driveFileIdOf, pictureQuery } from '../ui/FileImage.tsx'

/** The drive file shown by a Markdown image, with its description; undefined for other images. */
export function parseDriveImage(markdown: string): { id: string; alt: string } | undefined {
  const [, alt = '', address = ''] =
    /^!\[([^\]]*)\]\(<?([^\s<>()]+)>?(?:\s[^)]*)?\)$/.exec(markdown) ?? []
  const id = driveFileIdOf(address)
  return id === undefined ? undefined : { id, alt }
}

/** Shows a drive picture instead of its Markdown. Loads nothing from other servers. */
export class Picture extends WidgetType {
  readonly #id: string
  readonly #alt: string

  constructor({ id, alt }: { id: string; alt: string }) {
    super()
    this.#id = id
    this.#alt = alt
  }

  override eq(other: Picture): boolean {
    return other.#id === this.#id && other.#alt === this.#alt
  }

  override toDOM(view: EditorView): HTMLElement {
    const container = document.createElement('span')
    container.className = 'md-picture'
    container.textContent = t.items.image(this.#alt)
    void this.#draw(container, view)
    return container
  }

  async #draw(container: HTMLElement, view: EditorView): Promise<void> {
    const blob = await queries
      .fetchQuery({ ...pictureQuery(this.#id), retry: false })
      .catch(() => undefined)
    if (!blob) return // the alternative text stays
    const image = document.createElement('img')
    image.className = 'picture'
    image.alt = this.#alt
    const url = URL.createObjectURL(blob)
    const release = () => {
      URL.revokeObjectURL(url)
      view.requestMeasure()
    }
    image.addEventListener('load', release, { once: true })
    image.addEventListener('error', release, { once: true })
    image.src = url
    container.replaceChildren(image)
  }

  override ignoreEvent(): boolean {
    return false // so that a click puts the cursor into its Markdown
  }
}
