// Reloads cached results of other requests about changed items: item pages, lists that are not in the store.

import type { Query, QueryClient } from '@tanstack/react-query'
import type { OperationName } from '../api/client.ts'
import { onEvent, onGap, type ServerEvent } from './stream/stream.ts'

/** Milliseconds for which events are collected before one refetch: a busy workspace must not keep a page loading. */
const batchMs = 400

/**
 * Keeps queries up to date: those that name a changed item, by id or key, and lists of its type. Unused queries are
 * reloaded on next use. Returns a function that stops it.
 */
export function refreshOnEvents(queries: QueryClient): () => void {
  let pending: ServerEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = () => {
    timer = undefined
    const events = pending
    pending = []
    void queries.invalidateQueries({
      predicate: (query) => events.some((event) => isAffected(query, event)),
    })
  }
  const unsubscribers = [
    onEvent((event) => {
      if (event.event === 'access.lost') void forgetItem(queries, event)
      pending.push(event)
      timer ??= setTimeout(refresh, batchMs)
    }),
    onGap(() => void queries.invalidateQueries({ predicate: isLiveQuery })),
  ]
  return () => {
    clearTimeout(timer)
    for (const unsubscribe of unsubscribers) unsubscribe()
  }
}

/**
 * Removes data of an item that the person has lost access to at once, instead of after a refetch, which may take
 * long or fail. Visible queries are refetched, as the item may still be partly visible.
 */
function forgetItem(queries: QueryClient, event: ServerEvent): Promise<void> {
  return queries.resetQueries({ predicate: (query) => refersToItem(query, event) })
}

/** Events that affect a query that is not an operation: item types, or a condition. Set it as `meta.affectedBy`. */
type EventFilter = readonly string[] | ((event: ServerEvent) => boolean)

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { affectedBy?: EventFilter }
  }
}

function isOperationQuery({ queryKey: [kind] }: Query): boolean {
  return kind === 'call' || kind === 'screen'
}

const isLiveQuery = (query: Query) =>
  isOperationQuery(query) || query.meta?.affectedBy !== undefined

function refersToItem(query: Query, { item }: ServerEvent): boolean {
  const [kind, , input] = query.queryKey
  if (!item || !isOperationQuery(query)) return false
  const inputJson = JSON.stringify(kind === 'call' ? input : query.queryKey)
  return (
    inputJson.includes(`"${item.id}"`) ||
    (item.key !== undefined && inputJson.includes(`"${item.key}"`))
  )
}

function isAffected(query: Query, event: ServerEvent): boolean {
  if (!event.item) return false
  if (event.event.startsWith('access.')) return isLiveQuery(query) // any query may show what is in the item
  if (matchesFilter(query.meta?.affectedBy ?? [], event)) return true
  return (
    refersToItem(query, event) ||
    operationsIn(query).some((name) => isOperationAffected(name, event))
  )
}

const isOperationAffected = (operation: string, event: ServerEvent) =>
  listsType(operation, event.item?.type ?? '') ||
  matchesFilter(operationFilters[operation as OperationName] ?? [], event)

const matchesFilter = (filter: EventFilter, event: ServerEvent) =>
  typeof filter === 'function'
    ? filter(event)
    : event.item !== undefined && filter.includes(event.item.type)

function operationsIn(query: Query): string[] {
  const [kind, name, calls] = query.queryKey
  if (kind === 'call') return [String(name)]
  if (kind !== 'screen') return []
  return (calls as { operation: string }[]).map((call) => call.operation)
}

const mailTypes = ['email', 'thread', 'email_draft', 'scheduled_email']
const pulseTypes = ['pulse', 'pulse_response']
const formTypes = ['form_response']

/** Item types that operations show besides those in their names. */
const operationFilters: Partial<Record<OperationName, EventFilter>> = {
  find_duplicate_contacts: ['contact'],
  get_email_thread: mailTypes,
  get_form: formTypes,
  get_form_stats: formTypes,
  get_item: pulseTypes,
  get_meeting: ['meeting_note', 'decision', 'action_item', 'transcript', 'task'],
  get_page_tree: ['page'],
  get_pulse_report: pulseTypes,
  get_time_report: ['time_entry'],
  list_action_items: ['task'],
  list_email_drafts: mailTypes,
  list_pulses: pulseTypes,
  list_scheduled_emails: mailTypes,
  list_trash: ({ event }) => /(deleted|restored)$/.test(event),
}

const agendaTypes = ['task', 'event', 'meeting', 'reminder', 'thread', 'time_off']
const plurals: Record<string, string> = { company: 'companies', time_entry: 'time_entries' }

/** `list_tasks` and `count_tasks` list tasks, `get_sprint_report` reports on sprints. */
function listsType(operation: string, type: string): boolean {
  const plural = plurals[type] ?? `${type}s`
  if (operation === 'get_my_agenda') return agendaTypes.includes(type)
  return (
    new RegExp(`(^|_)(${type}|${plural})(_|$)`).test(operation) && !operation.startsWith('get_')
  )
}
