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
  menuTexts,
  highlightChoice,
  setResults,
  type MenuChoice,
  type MenuTexts,
} from './state.ts'

/** Finds replacements for the typed text. */
export type MenuSource = (query: MenuQuery) => Promise<readonly MenuChoice[]>

const moveChoice =
  (step: number): Command =>
  (view) => {
    const { length } = choicesIn(view.state)
    if (length === 0) return false
    highlightChoice(view, ((menuIn(view.state)?.activeIndex ?? 0) + step + length) % length)
    return true
  }

const chooseActive: Command = (view) => {
  const index = menuIn(view.state)?.activeIndex
  return index !== undefined && choose(view, index)
}

const keys = [
  { key: 'ArrowDown', run: moveChoice(1) },
  { key: 'ArrowUp', run: moveChoice(-1) },
  { key: 'Enter', run: chooseActive },
  { key: 'Tab', run: chooseActive },
  { key: 'Escape', run: closeMenu },
]

/** Loads the list's suggestions, and announces their number to screen readers. */
class SuggestionLoader {
  readonly #view: EditorView
  readonly #find: MenuSource
  readonly #texts: MenuTexts
  #latestQuery: MenuQuery | undefined

  constructor(view: EditorView, find: MenuSource, texts: MenuTexts) {
    this.#view = view
    this.#find = find
    this.#texts = texts
  }

  update({ state }: ViewUpdate): void {
    const query = menuIn(state)?.query
    const isNew = query && !(this.#latestQuery && isSameQuery(this.#latestQuery, query))
    this.#latestQuery = query
    if (isNew) void this.#load(query)
  }

  async #load(query: MenuQuery): Promise<void> {
    const choices = await this.#find(query).catch((error: unknown) => {
      console.warn(`Suggestions could not be loaded: ${String(error)}`) // the list says so
      return undefined
    })
    if (!this.#view.dom.isConnected || !this.#latestQuery || !isSameQuery(query, this.#latestQuery))
      return
    const announcement = choices ? this.#texts.count(choices.length) : this.#texts.failed
    this.#view.dispatch({
      effects: [setResults.of({ query, choices }), EditorView.announce.of(announcement)],
    })
  }
}

/** Tooltip with the list; null if there is nothing to show, as when no names match. */
function tooltipOf(state: EditorState): Tooltip | null {
  const menu = menuIn(state)
  if (!menu) return null
  const isOpen =
    choicesIn(state).length > 0 || (menu.query.kind === 'page' && !isEmptyResult(menu.choices))
  return isOpen ? { pos: menu.query.from, create: menuList, above: false } : null
}

const isEmptyResult = (results: { choices: readonly MenuChoice[] | undefined } | undefined) =>
  results?.choices?.length === 0

/** Opens a list of suggestions after `[[` and `@`. */
export function completionMenu(find: MenuSource, texts: MenuTexts): Extension {
  return [
    menuField,
    menuTexts.of(texts),
    ViewPlugin.define((view) => new SuggestionLoader(view, find, texts)),
    showTooltip.compute([menuField], tooltipOf),
    Prec.highest(keymap.of(keys)),
    EditorView.contentAttributes.of(({ state }): Record<string, string> => {
      const isOpen = choicesIn(state).length > 0
      return isOpen
        ? {
            'aria-autocomplete': 'list',
            'aria-controls': menuElementId(),
            'aria-activedescendant': menuElementId(menuIn(state)?.activeIndex),
          }
        : { 'aria-autocomplete': 'list' }
    }),
    EditorView.domEventHandlers({ blur: (_event, view) => void closeMenu(view) }),
  ]
}
