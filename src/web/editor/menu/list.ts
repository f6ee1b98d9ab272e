import type { EditorView, TooltipView } from '@codemirror/view'
import { choicesIn, choose, menuIn, menuWords, pointTo, type MenuChoice } from './state.ts'

const listId = 'editor-menu'

/** Id of the list, or of one of its options. */
export const optionId = (at?: number) => (at === undefined ? listId : `${listId}-${at}`)

/** The list at the cursor. The text keeps the focus and references the active option. */
export function menuList(view: EditorView): TooltipView {
  const dom = document.createElement('div')
  dom.className = 'editor-menu'
  let drawn: readonly MenuChoice[] | undefined
  const draw = () => {
    const { state } = view
    const menu = menuIn(state)
    const words = state.facet(menuWords)
    if (!menu || !words) return
    const choices = choicesIn(state)
    if (choices.length === 0) {
      drawn = undefined
      dom.replaceChildren(line(menu.choices ? words.failed : words.loading))
      return
    }
    if (choices !== drawn)
      dom.replaceChildren(createListbox(view, choices, words.label[menu.query.kind]))
    drawn = choices
    markChoice(dom, menu.at)
  }
  draw()
  return { dom, update: draw, mount: () => markChoice(dom, menuIn(view.state)?.at ?? 0) }
}

function line(text: string): HTMLElement {
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
  list.append(...choices.map((choice, at) => option(view, choice, at)))
  return list
}

function option(view: EditorView, { icon, label, hint }: MenuChoice, at: number): HTMLElement {
  const node = document.createElement('div')
  node.id = optionId(at)
  node.setAttribute('role', 'option')
  for (const [text, of] of [
    [icon, 'editor-menu-icon'],
    [label, 'editor-menu-label'],
    [hint, 'editor-menu-hint'],
  ]) {
    if (text === undefined || of === undefined) continue
    const part = document.createElement('span')
    part.className = of
    part.dir = 'auto'
    part.textContent = text
    node.append(part)
  }
  node.addEventListener('mousemove', () => pointTo(view, at))
  node.addEventListener('mousedown', (event) => {
    event.preventDefault() // the focus stays in the text
    choose(view, at)
  })
  return node
}

function markChoice(dom: HTMLElement, at: number): void {
  for (const node of dom.querySelectorAll<HTMLElement>('[role=option]')) {
    const isHere = node.id === optionId(at)
    node.setAttribute('aria-selected', String(isHere))
    if (isHere) scrollToOption(dom, node)
  }
}

/** Scrolls an option into view within its list, without scrolling the text. */
function scrollToOption(list: HTMLElement, { offsetTop, offsetHeight }: HTMLElement): void {
  const lowest = offsetTop + offsetHeight - list.clientHeight
  list.scrollTop = Math.min(offsetTop, Math.max(lowest, list.scrollTop))
}
