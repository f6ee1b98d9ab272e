// Reloads cached results of other requests about changed items: item pages, lists that are not in the store.

import type { Query, QueryClient } from '@tanstack/react-query'
import type { OperationName } from '../api/client.ts'
import { onEvent, onGap, type ServerEvent } from './stream/stream.ts'

/** Milliseconds for which events are collected before one refetch: a busy workspace must not keep a page loading. */
const gatherMs = 400

/**
 * Keeps queries up to date: those that name a changed item, by id or key, and lists of its type. Unused queries are
 * reloaded on next use. Returns a function that stops it.
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
    onGap(() => void queries.invalidateQueries({ predicate: isLiveQuery })),
  ]
  return () => {
    clearTimeout(timer)
    for (const end of leave) end()
  }
}

/**
 * Removes data of an item that the reader has lost access to at once, instead of after a refetch, which may take long
 * or fail. Visible queries are
 * refetched, as the item may still be partly visible.
 */
function forgetItem(queries: QueryClient, event: ServerEvent): Promise<void> {
  return queries.resetQueries({ predicate: (query) => namesItem(query, event) })
}

/** Events that affect a query that is not an operation: item types, or a condition. Set it as `meta.shows`. */
type Shows = readonly string[] | ((event: ServerEvent) => boolean)

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { shows?: Shows }
  }
}

function isOfOperations({ queryKey: [kind] }: Query): boolean {
  return kind === 'call' || kind === 'screen'
}

const isLiveQuery = (query: Query) => isOfOperations(query) || query.meta?.shows !== undefined

function namesItem(query: Query, { item }: ServerEvent): boolean {
  const [kind, , input] = query.queryKey
  if (!item || !isOfOperations(query)) return false
  const sent = JSON.stringify(kind === 'call' ? input : query.queryKey)
  return sent.includes(`"${item.id}"`) || (item.key !== undefined && sent.includes(`"${item.key}"`))
}

function concerns(query: Query, event: ServerEvent): boolean {
  if (!event.item) return false
  if (event.event.startsWith('access.')) return isLiveQuery(query) // much may be in an item
  if (concernsEvent(query.meta?.shows ?? [], event)) return true
  return namesItem(query, event) || operationsIn(query).some((name) => tellsOf(name, event))
}

const tellsOf = (operation: string, event: ServerEvent) =>
  listsType(operation, event.item?.type ?? '') ||
  concernsEvent(shownBy[operation as OperationName] ?? [], event)

const concernsEvent = (shows: Shows, event: ServerEvent) =>
  typeof shows === 'function'
    ? shows(event)
    : event.item !== undefined && shows.includes(event.item.type)

function operationsIn(query: Query): string[] {
  const [kind, name, calls] = query.queryKey
  if (kind === 'call') return [String(name)]
  if (kind !== 'screen') return []
  return (calls as { operation: string }[]).map((call) => call.operation)
}

const ofMail = ['email', 'thread', 'email_draft', 'scheduled_email']
const ofPulses = ['pulse', 'pulse_response']
const ofForms = ['form_response']

/** Item types that operations show besides those in their names. */
const shownBy: Partial<Record<OperationName, Shows>> = {
  find_duplicate_contacts: ['contact'],
  get_email_thread: ofMail,
  get_form: ofForms,
  get_form_stats: ofForms,
  get_item: ofPulses,
  get_meeting: ['meeting_note', 'decision', 'action_item', 'transcript', 'task'],
  get_page_tree: ['page'],
  get_pulse_report: ofPulses,
  get_time_report: ['time_entry'],
  list_action_items: ['task'],
  list_email_drafts: ofMail,
  list_pulses: ofPulses,
  list_scheduled_emails: ofMail,
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
