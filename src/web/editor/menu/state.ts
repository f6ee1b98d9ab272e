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

/** A suggestion; `chosen` is called once it was inserted. */
export interface MenuChoice extends Suggestion {
  chosen?: (() => void) | undefined
}

export interface MenuWords {
  label: Record<MenuQuery['kind'], string>
  loading: string
  failed: string
  count: (n: number) => string
}

export interface Menu {
  query: MenuQuery
  /** Last results, with their query; undefined until the first answer. */
  choices: FoundChoices | undefined
  at: number
}

interface FoundChoices {
  query: MenuQuery
  /** Undefined if loading failed. */
  choices: readonly MenuChoice[] | undefined
}

interface MenuState {
  menu: Menu | undefined
  /** Position of the trigger at which the list was closed manually: it stays closed while typing continues there. */
  closedAt: number | undefined
}

export const setFound = StateEffect.define<FoundChoices>()
const setAt = StateEffect.define<number>()
const closeEffect = StateEffect.define<null>()

export const menuField = StateField.define<MenuState>({
  create: () => ({ menu: undefined, closedAt: undefined }),
  update: (now, transaction) => transaction.effects.reduce(withEffect, withEdit(now, transaction)),
})

export const menuWords = Facet.define<MenuWords, MenuWords | undefined>({
  combine: ([words]) => words,
})

const isTyped = (transaction: Transaction) =>
  transaction.docChanged && (transaction.isUserEvent('input') || transaction.isUserEvent('delete'))

function withEdit(now: MenuState, edit: Transaction): MenuState {
  if (!edit.docChanged && !edit.selection) return now
  const query = menuQueryAt(edit.state)
  if (!query || edit.isUserEvent('input.complete')) return { menu: undefined, closedAt: undefined }
  const closedAt = now.closedAt === undefined ? undefined : edit.changes.mapPos(now.closedAt)
  if (query.from === closedAt || !(isTyped(edit) || now.menu)) return { menu: undefined, closedAt }
  const previous = now.menu?.choices?.query.kind === query.kind ? now.menu.choices : undefined
  return { menu: { query, choices: previous, at: 0 }, closedAt: undefined }
}

function withEffect(now: MenuState, effect: StateEffect<unknown>): MenuState {
  const { menu } = now
  if (!menu) return now
  if (effect.is(closeEffect)) return { menu: undefined, closedAt: menu.query.from }
  if (effect.is(setAt)) return { ...now, menu: { ...menu, at: effect.value } }
  if (effect.is(setFound) && isSameQuery(effect.value.query, menu.query))
    return { ...now, menu: { ...menu, choices: effect.value } }
  return now
}

/** The open list; undefined if there is none. */
export const menuIn = (state: EditorState): Menu | undefined => state.field(menuField, false)?.menu

/** Choices in the list; none can be selected until they match the current query. */
export const choicesIn = (state: EditorState): readonly MenuChoice[] =>
  menuIn(state)?.choices?.choices ?? []

/** Highlights a choice. */
export function pointTo(view: EditorView, at: number): void {
  if (menuIn(view.state)?.at !== at) view.dispatch({ effects: setAt.of(at) })
}

/** Closes the list until text is typed elsewhere; returns whether it was open. */
export function closeMenu(view: EditorView): boolean {
  if (!menuIn(view.state)) return false
  view.dispatch({ effects: closeEffect.of(null) })
  return true
}

/** Replaces the typed text with a choice, as one undo step; false if there is no such choice. */
export function choose(view: EditorView, at: number): boolean {
  const menu = menuIn(view.state)
  if (!menu?.choices || !isSameQuery(menu.choices.query, menu.query)) return false
  const choice = menu.choices.choices?.[at]
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
  choice.chosen?.()
  return true
}
