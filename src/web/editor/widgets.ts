import { WidgetType, type EditorView } from '@codemirror/view'
import { t } from '../texts/index.ts'
import { toggleTaskAt } from './format.ts'

/** The mark of a list item. */
export class BulletMark extends WidgetType {
  override eq(): boolean {
    return true
  }

  override toDOM(): HTMLElement {
    const mark = document.createElement('span')
    mark.className = 'md-bullet'
    mark.textContent = '•'
    return mark
  }
}

/** The checkbox of a task, toggled by a click; `Alt-Enter` does the same for the line of the cursor. */
export class TaskBox extends WidgetType {
  readonly #isDone: boolean

  constructor(isDone: boolean) {
    super()
    this.#isDone = isDone
  }

  override eq(other: TaskBox): boolean {
    return other.#isDone === this.#isDone
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = document.createElement('input')
    box.type = 'checkbox'
    box.checked = this.#isDone
    box.className = 'md-task'
    box.tabIndex = -1
    box.setAttribute('aria-label', this.#isDone ? t.items.done : t.items.toDo)
    box.addEventListener('mousedown', (event) => {
      event.preventDefault()
      toggleTaskAt(view, view.posAtDOM(box))
    })
    return box
  }

  override ignoreEvent(): boolean {
    return true
  }
}
