import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { t } from '../../../texts/index.ts'
import { ItemIcon, type ItemReference } from '../../../ui/ItemLink.tsx'
import type { Choice } from '../../../ui/work/Picker.tsx'
import { useDebouncedQuery } from '../../company/sought.ts'
import { useNamedItems } from '../../search/named.ts'
import { isLinkable } from './linkable.ts'

const maxChoices = 12
/** Minimum characters for a search on the server. */
const minQueryLength = 2

/** Linkable items for a typed text: exact matches first, then search results. */
export function useItemChoices(
  searchText: string,
  excludedIds: readonly string[],
): Choice<ItemReference>[] {
  const query = useDebouncedQuery(searchText)
  const isSearched = query.length >= minQueryLength
  const nameMatches = useNamedItems(searchText)
  const search = useQuery({
    queryKey: ['call', 'search_workspace', { query, limit: maxChoices }],
    queryFn: ({ signal }) => call('search_workspace', { query, limit: maxChoices }, signal),
    enabled: isSearched,
    placeholderData: keepPreviousData,
  })
  const hits = isSearched ? (search.data?.items ?? []).map(({ item }) => item) : []
  const items = new Map<string, ItemReference>(
    [...nameMatches, ...hits].map((item) => [item.id, item]),
  )
  return [...items.values()]
    .filter(({ id }) => isLinkable(id) && !excludedIds.includes(id))
    .slice(0, maxChoices)
    .map(itemChoice)
}

/** An item as an entry of a choice list. */
export const itemChoice = (item: ItemReference): Choice<ItemReference> => ({
  value: item,
  label: item.key === undefined ? item.title : `${item.key} ${item.title}`,
  hint: t.items.kind(item.type ?? ''),
  icon: <ItemIcon type={item.type} />,
})
