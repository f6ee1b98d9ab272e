// The suggestion list that `[[` and `@` open at the cursor, as editor state.

import { isolateHistory } from '@codemirror/commands'
import {
  Facet,
  StateEffect,
  StateField,
  type EditorState,
  type Transaction,
} from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { Suggestion } from '../../ui/work/suggestions.ts'
import { isSameQuery, menuQueryAt, type MenuQuery } from './query.ts'

/** A suggestion; `onChosen` is called once it has been inserted. */
export interface MenuChoice extends Suggestion {
  onChosen?: (() => void) | undefined
}

export interface MenuTexts {
  label: Record<MenuQuery['kind'], string>
  loading: string
  failed: string
  count: (n: number) => string
}

export interface Menu {
  query: MenuQuery
  /** Last results, with their query; undefined until the first answer. */
  choices: MenuResults | undefined
  activeIndex: number
}

interface MenuResults {
  query: MenuQuery
  /** Undefined if loading failed. */
  choices: readonly MenuChoice[] | undefined
}

interface MenuState {
  menu: Menu | undefined
  /** Position of the trigger at which the list was closed manually: it stays closed while typing continues there. */
  closedAt: number | undefined
}

export const setResults = StateEffect.define<MenuResults>()
const setActiveIndex = StateEffect.define<number>()
const closeEffect = StateEffect.define<null>()

export const menuField = StateField.define<MenuState>({
  create: () => ({ menu: undefined, closedAt: undefined }),
  update: (value, transaction) =>
    transaction.effects.reduce(withEffect, withEdit(value, transaction)),
})

export const menuTexts = Facet.define<MenuTexts, MenuTexts | undefined>({
  combine: ([texts]) => texts,
})

const isTyped = (transaction: Transaction) =>
  transaction.docChanged && (transaction.isUserEvent('input') || transaction.isUserEvent('delete'))

function withEdit(value: MenuState, edit: Transaction): MenuState {
  if (!edit.docChanged && !edit.selection) return value
  const query = menuQueryAt(edit.state)
  if (!query || edit.isUserEvent('input.complete')) return { menu: undefined, closedAt: undefined }
  const closedAt = value.closedAt === undefined ? undefined : edit.changes.mapPos(value.closedAt)
  if (query.from === closedAt || !(isTyped(edit) || value.menu))
    return { menu: undefined, closedAt }
  const previous = value.menu?.choices?.query.kind === query.kind ? value.menu.choices : undefined
  return { menu: { query, choices: previous, activeIndex: 0 }, closedAt: undefined }
}

function withEffect(value: MenuState, effect: StateEffect<unknown>): MenuState {
  const { menu } = value
  if (!menu) return value
  if (effect.is(closeEffect)) return { menu: undefined, closedAt: menu.query.from }
  if (effect.is(setActiveIndex)) return { ...value, menu: { ...menu, activeIndex: effect.value } }
  if (effect.is(setResults) && isSameQuery(effect.value.query, menu.query))
    return { ...value, menu: { ...menu, choices: effect.value } }
  return value
}

/** The open list; undefined if there is none. */
export const menuIn = (state: EditorState): Menu | undefined => state.field(menuField, false)?.menu

/** Choices in the list; none can be selected until they match the current query. */
export const choicesIn = (state: EditorState): readonly MenuChoice[] =>
  menuIn(state)?.choices?.choices ?? []

/** Highlights a choice. */
export function highlightChoice(view: EditorView, index: number): void {
  if (menuIn(view.state)?.activeIndex !== index)
    view.dispatch({ effects: setActiveIndex.of(index) })
}

/** Closes the list until text is typed elsewhere; returns whether it was open. */
export function closeMenu(view: EditorView): boolean {
  if (!menuIn(view.state)) return false
  view.dispatch({ effects: closeEffect.of(null) })
  return true
}

/** Replaces the typed text with a choice, as one undo step; false if there is no such choice. */
export function choose(view: EditorView, index: number): boolean {
  const menu = menuIn(view.state)
  if (!menu?.choices || !isSameQuery(menu.choices.query, menu.query)) return false
  const choice = menu.choices.choices?.[index]
  if (!choice) return false
  const { from, to, kind } = menu.query
  const isClosed = kind === 'page' && view.state.sliceDoc(to, to + 2) === ']]'
  view.dispatch({
    changes: { from, to: isClosed ? to + 2 : to, insert: choice.insert },
    selection: { anchor: from + choice.insert.length },
    annotations: isolateHistory.of('full'),
    userEvent: 'input.complete',
    scrollIntoView: true,
  })
  choice.onChosen?.()
  return true
}
