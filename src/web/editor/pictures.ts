import { WidgetType, type EditorView } from '@codemirror/view'
import { queries } from '../api/queries.ts'
import { t } from '../texts/index.ts'
import { pictureAt, pictureQuery } from '../ui/FileImage.tsx'

/** The drive file shown by a Markdown image, with its description; undefined for other images. */
export function shownFile(markdown: string): { id: string; alt: string } | undefined {
  const [, alt = '', address = ''] =
    /^!\[([^\]]*)\]\(<?([^\s<>()]+)>?(?:\s[^)]*)?\)$/.exec(markdown) ?? []
  const id = pictureAt(address)
  return id === undefined ? undefined : { id, alt }
}

/** A picture of the drive, unless the cursor is at its Markdown. Nothing is loaded from elsewhere. */
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
    const place = document.createElement('span')
    place.className = 'md-picture'
    place.textContent = t.items.image(this.#alt)
    void this.#draw(place, view)
    return place
  }

  async #draw(place: HTMLElement, view: EditorView): Promise<void> {
    const blob = await queries
      .fetchQuery({ ...pictureQuery(this.#id), retry: false })
      .catch(() => undefined)
    if (!blob) return // its words stay
    const image = document.createElement('img')
    image.className = 'picture'
    image.alt = this.#alt
    const url = URL.createObjectURL(blob)
    const drawn = () => {
      URL.revokeObjectURL(url)
      view.requestMeasure()
    }
    image.addEventListener('load', drawn, { once: true })
    image.addEventListener('error', drawn, { once: true })
    image.src = url
    place.replaceChildren(image)
  }

  override ignoreEvent(): boolean {
    return false // a click leads to its Markdown
  }
}
