// The suggestion list that `[[` and `@` open at the cursor: pages to link to, people to mention. The text keeps the
// focus and receives all typed text, whether or not the list has loaded.

import { Prec, type EditorState, type Extension } from '@codemirror/state'
import {
  EditorView,
  keymap,
  showTooltip,
  ViewPlugin,
  type Command,
  type Tooltip,
  type ViewUpdate,
} from '@codemirror/view'
import { menuList, menuElementId } from './list.ts'
import { isSameQuery, type MenuQuery } from './query.ts'
import {
  choicesIn,
  choose,
  closeMenu,
  menuField,
  menuIn,
  menuWords,
  pointTo,
  setFound,
  type MenuChoice,
  type MenuWords,
} from './state.ts'

/** Finds replacements for the typed text. */
export type MenuSource = (query: MenuQuery) => Promise<readonly MenuChoice[]>

const moveChoice =
  (by: number): Command =>
  (view) => {
    const { length } = choicesIn(view.state)
    if (length === 0) return false
    pointTo(view, ((menuIn(view.state)?.at ?? 0) + by + length) % length)
    return true
  }

const chooseHere: Command = (view) => {
  const at = menuIn(view.state)?.at
  return at !== undefined && choose(view, at)
}

const keys = [
  { key: 'ArrowDown', run: moveChoice(1) },
  { key: 'ArrowUp', run: moveChoice(-1) },
  { key: 'Enter', run: chooseHere },
  { key: 'Tab', run: chooseHere },
  { key: 'Escape', run: closeMenu },
]

/** Loads the list's suggestions, and announces their number to screen readers. */
class Finder {
  readonly #view: EditorView
  readonly #find: MenuSource
  readonly #words: MenuWords
  #latestQuery: MenuQuery | undefined

  constructor(view: EditorView, find: MenuSource, words: MenuWords) {
    this.#view = view
    this.#find = find
    this.#words = words
  }

  update({ state }: ViewUpdate): void {
    const query = menuIn(state)?.query
    const isNew = query && !(this.#latestQuery && isSameQuery(this.#latestQuery, query))
    this.#latestQuery = query
    if (isNew) void this.#ask(query)
  }

  async #ask(query: MenuQuery): Promise<void> {
    const choices = await this.#find(query).catch((error: unknown) => {
      console.warn(`What can be put here was not read: ${String(error)}`) // the list says so
      return undefined
    })
    if (!this.#view.dom.isConnected || !this.#latestQuery || !isSameQuery(query, this.#latestQuery))
      return
    const announcement = choices ? this.#words.count(choices.length) : this.#words.failed
    this.#view.dispatch({
      effects: [setFound.of({ query, choices }), EditorView.announce.of(announcement)],
    })
  }
}

/** Tooltip with the list; null if there is nothing to show, as when no names match. */
function tooltipOf(state: EditorState): Tooltip | null {
  const menu = menuIn(state)
  if (!menu) return null
  const isOpen =
    choicesIn(state).length > 0 || (menu.query.kind === 'page' && !hasNone(menu.choices))
  return isOpen ? { pos: menu.query.from, create: menuList, above: false } : null
}

const hasNone = (menu: { choices: readonly MenuChoice[] | undefined } | undefined) =>
  menu?.choices?.length === 0

/** Opens a list of suggestions after `[[` and `@`. */
export function completionMenu(find: MenuSource, words: MenuWords): Extension {
  return [
    menuField,
    menuWords.of(words),
    ViewPlugin.define((view) => new Finder(view, find, words)),
    showTooltip.compute([menuField], tooltipOf),
    Prec.highest(keymap.of(keys)),
    EditorView.contentAttributes.of(({ state }): Record<string, string> => {
      const isOpen = choicesIn(state).length > 0
      return isOpen
        ? {
            'aria-autocomplete': 'list',
            'aria-controls': menuElementId(),
            'aria-activedescendant': menuElementId(menuIn(state)?.at),
          }
        : { 'aria-autocomplete': 'list' }
    }),
    EditorView.domEventHandlers({ blur: (_event, view) => void closeMenu(view) }),
  ]
}
