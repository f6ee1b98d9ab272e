import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { readScreen, screenCall } from '../../store/index.ts'
import { itemPathOf } from '../../ui/kinds.ts'

/** An item that the query names: the item with this key, a person or a channel. */
export interface NamedItem {
  id: string
  type: string
  title: string
  key?: string | undefined
  url?: string | undefined
  /** True if its key equals the query. */
  isExact: boolean
}

const keyPattern = /^[a-z][a-z0-9]*-\d+$/i
const minLength = 2
const maxPerKind = 4

/** Items that the query names by key or by name; the full-text search does not find items by key. */
export function useNamedItems(query: string): readonly NamedItem[] {
  const [debouncedQuery] = useDebouncedValue(query.trim(), 150)
  const isLongEnough = debouncedQuery.length >= minLength
  const { data } = useQuery({
    queryKey: ['named', debouncedQuery],
    queryFn: ({ signal }) => findNamedItems(debouncedQuery, signal),
    enabled: isLongEnough,
    placeholderData: keepPreviousData,
  })
  return isLongEnough && query.trim().length >= minLength ? (data ?? []) : []
}

async function findNamedItems(text: string, signal: AbortSignal): Promise<NamedItem[]> {
  if (keyPattern.test(text)) return findByKey(text, signal)
  const isChannel = text.startsWith('#')
  const query = text.replace(/^[#@]/, '').slice(0, 100)
  if (query === '') return []
  const [people, channels] = await readScreen(
    'search-names',
    [
      screenCall('list_people', { query, status: 'active', limit: maxPerKind }),
      screenCall('list_channels', { query, kind: ['public', 'private'], limit: maxPerKind }),
    ],
    signal,
  )
  const matches = [
    ...(channels.value?.items ?? []).map((channel) => ({
      id: channel.id,
      type: 'channel',
      title: `#${channel.name ?? ''}`,
    })),
    ...(isChannel ? [] : (people.value?.items ?? [])).map((person) => ({
      id: person.id,
      type: 'person',
      title: person.display_name,
    })),
  ]
  return matches.map((item) => ({ ...item, url: itemPathOf(item.id), isExact: false }))
}

async function findByKey(key: string, signal: AbortSignal): Promise<NamedItem[]> {
  const [{ value }] = await readScreen(
    'search-names',
    [screenCall('get_item', { item_id: key })],
    signal,
  )
  if (!value) return []
  const { id, type, title, url } = value
  return [{ id, type, title, url, key: value.key ?? key.toUpperCase(), isExact: true }]
}
