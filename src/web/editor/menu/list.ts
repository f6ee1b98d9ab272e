import type { EditorView, TooltipView } from '@codemirror/view'
import { choicesIn, choose, menuIn, menuTexts, highlightChoice, type MenuChoice } from './state.ts'

const listId = 'editor-menu'

/** Id of the option at an index; without one, of the list. */
export const menuElementId = (index?: number) =>
  index === undefined ? listId : `${listId}-${index}`

/** The list at the cursor. The text keeps the focus and references the active option. */
export function menuList(view: EditorView): TooltipView {
  const dom = document.createElement('div')
  dom.className = 'editor-menu'
  let drawnChoices: readonly MenuChoice[] | undefined
  const draw = () => {
    const { state } = view
    const menu = menuIn(state)
    const texts = state.facet(menuTexts)
    if (!menu || !texts) return
    const choices = choicesIn(state)
    if (choices.length === 0) {
      drawnChoices = undefined
      dom.replaceChildren(createMessage(menu.choices ? texts.failed : texts.loading))
      return
    }
    if (choices !== drawnChoices)
      dom.replaceChildren(createListbox(view, choices, texts.label[menu.query.kind]))
    drawnChoices = choices
    markChoice(dom, menu.activeIndex)
  }
  draw()
  return { dom, update: draw, mount: () => markChoice(dom, menuIn(view.state)?.activeIndex ?? 0) }
}

function createMessage(text: string): HTMLElement {
  const node = document.createElement('p')
  node.textContent = text
  return node
}

function createListbox(
  view: EditorView,
  choices: readonly MenuChoice[],
  label: string,
): HTMLElement {
  const list = document.createElement('div')
  list.id = listId
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', label)
  list.append(...choices.map((choice, index) => createOption(view, choice, index)))
  return list
}

function createOption(
  view: EditorView,
  { icon, label, hint }: MenuChoice,
  index: number,
): HTMLElement {
  const node = document.createElement('div')
  node.id = menuElementId(index)
  node.setAttribute('role', 'option')
  for (const [text, className] of [
    [icon, 'editor-menu-icon'],
    [label, 'editor-menu-label'],
    [hint, 'editor-menu-hint'],
  ]) {
    if (text === undefined || className === undefined) continue
    const part = document.createElement('span')
    part.className = className
    part.dir = 'auto'
    part.textContent = text
    node.append(part)
  }
  node.addEventListener('mousemove', () => highlightChoice(view, index))
  node.addEventListener('mousedown', (event) => {
    event.preventDefault() // the focus stays in the text
    choose(view, index)
  })
  return node
}

function markChoice(dom: HTMLElement, index: number): void {
  for (const node of dom.querySelectorAll<HTMLElement>('[role=option]')) {
    const isActive = node.id === menuElementId(index)
    node.setAttribute('aria-selected', String(isActive))
    if (isActive) scrollToOption(dom, node)
  }
}

/** Scrolls an option into view within its list, without scrolling the text. */
function scrollToOption(list: HTMLElement, { offsetTop, offsetHeight }: HTMLElement): void {
  const minScrollTop = offsetTop + offsetHeight - list.clientHeight
  list.scrollTop = Math.min(offsetTop, Math.max(minScrollTop, list.scrollTop))
}
