import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Input } from '../../api/client.ts'

export type SearchKind = NonNullable<Input<'search_workspace'>['types']>[number]
export const kinds: readonly SearchKind[] = [
  'task',
  'page',
  'message',
  'email',
  'file',
  'meeting',
  'event',
  'decision',
  'project',
  'goal',
  'contact',
  'company',
  'deal',
  'interaction',
  'incident',
  'runbook',
  'form_response',
  'entity',
]
export const timeRanges = ['any', 'week', 'month', 'year'] as const
export type TimeRange = (typeof timeRanges)[number]

const rangeDays: Readonly<Record<TimeRange, number | undefined>> = {
  any: undefined,
  week: 7,
  month: 30,
  year: 365,
}

export interface SearchQuery {
  q: string
  kinds: SearchKind[]
  person: string | null
  project: string | null
  time: TimeRange
}

/** Reads and changes the query in the address, so that it can be shared and returned to. */
export function useSearchQuery(): [SearchQuery, (change: Partial<SearchQuery>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const param = (name: string) => (search[name] === undefined ? '' : String(search[name]))
  const current: SearchQuery = {
    q: param('q'),
    kinds: kinds.filter((kind) => param('kinds').split(',').includes(kind)),
    person: param('person') || null,
    project: param('project') || null,
    time: timeRanges.find((time) => time === param('time')) ?? 'any',
  }
  const changeQuery = (change: Partial<SearchQuery>) => {
    const next = { ...current, ...change }
    void navigate({ to: '/search', search: searchParamsOf(next), replace: next.q === current.q })
  }
  return [current, changeQuery]
}

/** A search as URL parameters. */
export function searchParamsOf({ q, kinds, person, project, time }: SearchQuery) {
  const params: [string, string | null][] = [
    ['q', q],
    ['kinds', kinds.join(',')],
    ['person', person],
    ['project', project],
    ['time', time === 'any' ? '' : time],
  ]
  return Object.fromEntries(params.filter((entry): entry is [string, string] => Boolean(entry[1])))
}

/**
 * The arguments of search_workspace. Times are rounded to whole days, so that equal searches share a cache entry for
 * a while.
 */
export function searchInputOf({
  q,
  kinds: selectedKinds,
  person,
  project,
  time,
}: SearchQuery): Input<'search_workspace'> {
  const dayCount = rangeDays[time]
  return {
    query: q,
    ...(selectedKinds.length > 0 ? { types: selectedKinds } : {}),
    ...(person === null ? {} : { person }),
    ...(project === null ? {} : { project_id: project }),
    ...(dayCount === undefined
      ? {}
      : { after: new Date(Date.now() - dayCount * 86_400_000).toISOString().slice(0, 10) }),
  }
}
