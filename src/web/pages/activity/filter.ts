import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { phraseFilter } from '../../ui/work/phrase-filter.ts'
import type { ApiCall } from './calls/calls.ts'

/** The filter of the log, stored in the address. Empty: the user's own assistant calls, of any time. */
export interface Filter {
  of?: 'organization'
  source?: string
  status?: string
  kind?: string
  key?: string
  person?: string
  client?: string
  tool?: string
  module?: string
  text?: string
  period?: string
  from?: string
  to?: string
}

const filterNames = [
  'of',
  'source',
  'status',
  'kind',
  'key',
  'person',
  'client',
  'tool',
  'module',
  'text',
  'period',
  'from',
  'to',
] as const

/** Filters hidden until more are requested. */
export const moreFilterNames = ['key', 'person', 'client', 'tool', 'module', 'kind'] as const

/** The filter in the address, and a function to change it. */
export function useFilter(): [Filter, (change: Filter) => void, () => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const filter = useMemo(
    () =>
      Object.fromEntries(
        filterNames.flatMap((name) =>
          search[name] === undefined || search[name] === '' ? [] : [[name, String(search[name])]],
        ),
      ) as Filter,
    [search],
  )
  const applyFilter = useCallback(
    (next: Filter) => void navigate({ to: '.', search: next, replace: true, resetScroll: false }),
    [navigate],
  )
  const change = useCallback(
    (patch: Filter) =>
      applyFilter(
        Object.fromEntries(
          Object.entries({ ...filter, ...patch }).filter(
            ([, value]) => value !== undefined && value !== '',
          ),
        ) as Filter,
      ),
    [filter, applyFilter],
  )
  const clear = useCallback(
    () => applyFilter(filter.of === undefined ? {} : { of: filter.of }),
    [filter, applyFilter],
  )
  return [filter, change, clear]
}

const periodMs: Readonly<Record<string, number>> = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
}

export type Query = Record<string, string | undefined>

/** The time of a filter as a server argument. */
function timeQuery(
  { period, from, to }: Pick<Filter, 'period' | 'from' | 'to'>,
  now: number,
): Query {
  const durationMs = periodMs[period ?? '']
  if (durationMs !== undefined) return { after: new Date(now - durationMs).toISOString() }
  return period === 'range' ? { after: from, before: to } : {}
}

/** The filter as server arguments. */
export function filterQuery(
  { key, person, period, from, to, ...rest }: Filter,
  now: number,
): Query {
  return { ...rest, key_id: key, person_id: person, ...timeQuery({ period, from, to }, now) }
}

/** Stream of new calls. */
export function streamOf({ of }: Filter): string {
  return of === 'organization' ? '/web/activity/stream?of=organization' : '/web/activity/stream'
}

/** True if a new call matches the filter. */
export function matchesFilter(
  call: ApiCall,
  { source = 'keys', status, kind, key, person, client, tool, module, text, period, to }: Filter,
): boolean {
  const bySource =
    source === 'all' || (source === 'keys' ? call.key.id !== '' : call.transport === source)
  const comparisons = [
    [status, call.status],
    [kind, call.kind],
    [key, call.key.id],
    [person, call.actor.id],
    [client, call.client?.name],
    [tool, call.tool],
    [module, call.module],
  ] as const
  const inTime = period !== 'range' || !to || call.at.slice(0, 10) <= to
  return (
    bySource &&
    inTime &&
    comparisons.every(([expected, actual]) => expected === undefined || expected === actual) &&
    (text === undefined || hasText(call, text))
  )
}

function hasText({ tool, error_code, client, arguments: args }: ApiCall, text: string): boolean {
  const hasPhrase = phraseFilter(text)
  return [tool, error_code, client?.name, args && JSON.stringify(args)].some(
    (field) => field !== undefined && hasPhrase(field),
  )
}
