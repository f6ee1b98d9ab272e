// Reads again what other requests showed of items that changed: pages of items, lists that are not in the store.

import type { Query, QueryClient } from '@tanstack/react-query'
import { onEvent, onMissed, type ServerEvent } from './stream/stream.ts'

/** What comes within this is read again once: a busy workspace must not keep a page reading. */
const gatherMs = 400

/**
 * Keeps queries true: those that name an item that changed, by id or key, and lists of its type. Queries that no one looks at
 * are read again when someone does. Returns what ends it.
 */
export function keepFresh(queries: QueryClient): () => void {
  let pending: ServerEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = () => {
    timer = undefined
    const events = pending
    pending = []
    void queries.invalidateQueries({
      predicate: (query) => events.some((event) => concerns(query, event)),
    })
  }
  const leave = [
    onEvent((event) => {
      if (event.event === 'access.lost') void forgetItem(queries, event)
      pending.push(event)
      timer ??= setTimeout(refresh, gatherMs)
    }),
    onMissed(() => void queries.invalidateQueries({ predicate: isOfOperations })),
  ]
  return () => {
    clearTimeout(timer)
    for (const end of leave) end()
  }
}

/**
 * What the reader may not see any more goes at once, not when it was read again: that may take long, or fail. It is asked for again
 * where it is shown, as there may be less to see instead of nothing.
 */
function forgetItem(queries: QueryClient, event: ServerEvent): Promise<void> {
  return queries.resetQueries({ predicate: (query) => namesItem(query, event) })
}

function isOfOperations({ queryKey: [kind] }: Query): boolean {
  return kind === 'call' || kind === 'screen'
}

function namesItem(query: Query, { item }: ServerEvent): boolean {
  const [kind, , input] = query.queryKey
  if (!item || !isOfOperations(query)) return false
  const sent = JSON.stringify(kind === 'call' ? input : query.queryKey)
  return sent.includes(`"${item.id}"`) || (item.key !== undefined && sent.includes(`"${item.key}"`))
}

function concerns(query: Query, event: ServerEvent): boolean {
  const { item } = event
  const [kind, name] = query.queryKey
  if (!item || !isOfOperations(query)) return false
  if (namesItem(query, event)) return true
  const operations = kind === 'call' ? [String(name)] : operationsIn(query)
  return operations.some((operation) => listsType(operation, item.type))
}

function operationsIn({ queryKey: [, , calls] }: Query): string[] {
  return (calls as { operation: string }[]).map((call) => call.operation)
}

/** What an agenda is made of. */
const agendaTypes = ['task', 'event', 'meeting', 'reminder', 'thread', 'time_off']
const plurals: Record<string, string> = { company: 'companies', time_entry: 'time_entries' }

/** `list_tasks` and `count_tasks` list tasks, `get_sprint_report` tells of sprints. */
function listsType(operation: string, type: string): boolean {
  const plural = plurals[type] ?? `${type}s`
  if (operation === 'get_my_agenda') return agendaTypes.includes(type)
  return (
    new RegExp(`(^|_)(${type}|${plural})(_|$)`).test(operation) && !operation.startsWith('get_')
  )
}
