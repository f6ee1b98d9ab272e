import type { Input, Output } from '../../api/client.ts'
import { useOperation } from '../../api/queries.ts'
import { useMe } from '../../session/session.ts'
import { searchInputOf, searchParamsOf, type SearchQuery } from './query.ts'

type SavedView = Output<'list_saved_views'>['items'][number]

export interface SavedSearch {
  id: string
  name: string
  isOwn: boolean
  /** Person who saved it, unless it is the reader. */
  savedBy: string | undefined
  /** Its URL parameters on the search screen. */
  params: Readonly<Record<string, string>>
}

/** Saved searches, the reader's and shared ones. */
export function useSavedSearches(): readonly SavedSearch[] {
  const me = useMe()
  const { data } = useOperation(
    'list_saved_views',
    { item_type: 'search', limit: 50 },
    { staleTime: 60_000 },
  )
  return (data?.items ?? []).map((view) => {
    const isOwn = view.created_by?.id === me.id
    return {
      id: view.id,
      name: view.name,
      isOwn,
      savedBy: isOwn ? undefined : view.created_by?.title,
      params: paramsOf(view),
    }
  })
}

/** The saved search that equals the current query. */
export function findSavedSearch(
  searches: readonly SavedSearch[],
  searchQuery: SearchQuery,
): SavedSearch | undefined {
  const currentKey = searchKeyOf(searchParamsOf(searchQuery))
  return searches.find(({ params }) => searchKeyOf(params) === currentKey)
}

const searchKeyOf = (params: Readonly<Record<string, string>>) =>
  JSON.stringify(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)))

/** A search in the server's format. Its period is relative to the current day, so only this app interprets it. */
export function savedViewInput(searchQuery: SearchQuery): Omit<Input<'create_saved_view'>, 'name'> {
  const { query, types, person, project_id } = searchInputOf(searchQuery)
  const filter = { query, types, person, project_id }
  return {
    item_type: 'search',
    filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
    ...(searchQuery.time === 'any' ? {} : { display: { time: searchQuery.time } }),
  }
}

function paramsOf({ filter, display }: SavedView): Record<string, string> {
  const { query, types, person, project_id } = filter
  const params = {
    q: query,
    kinds: Array.isArray(types) ? types.join(',') : undefined,
    person,
    project: project_id,
    time: display?.time,
  }
  return Object.fromEntries(
    Object.entries(params).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}
