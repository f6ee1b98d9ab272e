import { useSyncExternalStore } from 'react'
import type { EventRow } from '../data/events.ts'

export const seriesScopes = ['this', 'following', 'all'] as const
/** Events of a series that an edit affects. */
export type Scope = (typeof seriesScopes)[number]

interface ScopeQuestion {
  row: EventRow
  verb: 'change' | 'delete'
  choices: readonly Scope[]
  answer: (scope: Scope | undefined) => void
}

let current: ScopeQuestion | undefined
const listeners = new Set<() => void>()

function setScopeQuestion(question: ScopeQuestion | undefined): void {
  current = question
  for (const listener of listeners) listener()
}

/** The open question. */
export function useScopeQuestion(): ScopeQuestion | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}

/** Asks which events of a series to change; undefined if cancelled. Returns `this` immediately for a single event. */
export function askScope(
  row: EventRow,
  {
    verb = 'change',
    choices = seriesScopes,
  }: { verb?: ScopeQuestion['verb']; choices?: readonly Scope[] } = {},
): Promise<Scope | undefined> {
  if (row.series_id === undefined) return Promise.resolve('this')
  current?.answer(undefined)
  const deferred = Promise.withResolvers<Scope | undefined>()
  setScopeQuestion({
    row,
    verb,
    choices,
    answer: (scope) => {
      setScopeQuestion(undefined)
      deferred.resolve(scope)
    },
  })
  return deferred.promise
}
