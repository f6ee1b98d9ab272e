import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { t } from '../../../texts/index.ts'
import { ItemIcon, type Referred } from '../../../ui/ItemLink.tsx'
import type { Choice } from '../../../ui/work/Picker.tsx'
import { useSought } from '../../company/sought.ts'
import { useNamed } from '../../search/named.ts'
import { isLinkable } from './linkable.ts'

const maxShown = 12
/** Minimum characters for a search on the server. */
const leastTyped = 2

/** Linkable items for a typed text: exact matches first, then search results. */
export function useItemChoices(typed: string, except: readonly string[]): Choice<Referred>[] {
  const query = useSought(typed)
  const isSought = query.length >= leastTyped
  const nameMatches = useNamed(typed)
  const search = useQuery({
    queryKey: ['call', 'search_workspace', { query, limit: maxShown }],
    queryFn: ({ signal }) => call('search_workspace', { query, limit: maxShown }, signal),
    enabled: isSought,
    placeholderData: keepPreviousData,
  })
  const hits = isSought ? (search.data?.items ?? []).map(({ item }) => item) : []
  const items = new Map<string, Referred>([...nameMatches, ...hits].map((item) => [item.id, item]))
  return [...items.values()]
    .filter(({ id }) => isLinkable(id) && !except.includes(id))
    .slice(0, maxShown)
    .map(itemChoice)
}

/** An item as an entry of a choice list. */
export const itemChoice = (item: Referred): Choice<Referred> => ({
  value: item,
  label: item.key === undefined ? item.title : `${item.key} ${item.title}`,
  hint: t.items.kind(item.type ?? ''),
  icon: <ItemIcon type={item.type} />,
})
