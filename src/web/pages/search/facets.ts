import { useList } from '../../api/queries.ts'
import { searchInputOf, kinds, type SearchKind, type SearchQuery } from './query.ts'

/** A kind of items with its number among the best hits; undefined: not known yet. */
export interface Facet {
  kind: SearchKind
  count: number | undefined
}

/** The kinds found by the search regardless of the filter, plus the chosen ones; before a search, all. */
export function useFacets(searchQuery: SearchQuery): readonly Facet[] {
  const { data } = useList('search_workspace', searchInputOf({ ...searchQuery, kinds: [] }), {
    enabled: searchQuery.q !== '',
  })
  const firstPage = data?.pages[0]
  if (searchQuery.q === '' || !firstPage) return kinds.map((kind) => ({ kind, count: undefined }))
  const counts = new Map(firstPage.searched.hits_by_type.map(({ type, count }) => [type, count]))
  return kinds
    .map((kind) => ({ kind, count: counts.get(kind) ?? 0 }))
    .filter(({ kind, count }) => count > 0 || searchQuery.kinds.includes(kind))
}
