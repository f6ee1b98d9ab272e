import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { readScreen, reading } from '../../store/index.ts'
import { itemPathOf } from '../../ui/kinds.ts'

/** Item named by the query: that with this key, people and channels. */
export interface NamedItem {
  id: string
  type: string
  title: string
  key?: string | undefined
  url?: string | undefined
  /** Its key equals the text. */
  isExact: boolean
}

const keyPattern = /^[a-z][a-z0-9]*-\d+$/i
const minLength = 2
const maxOfKind = 4

/** Items that a text names exactly, which the full-text search does not find by key. */
export function useNamed(query: string): readonly NamedItem[] {
  const [asked] = useDebouncedValue(query.trim(), 150)
  const isAsked = asked.length >= minLength
  const { data } = useQuery({
    queryKey: ['named', asked],
    queryFn: ({ signal }) => findNamed(asked, signal),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  return isAsked && query.trim().length >= minLength ? (data ?? []) : []
}

async function findNamed(text: string, signal: AbortSignal): Promise<NamedItem[]> {
  if (keyPattern.test(text)) return findByKey(text, signal)
  const isChannel = text.startsWith('#')
  const query = text.replace(/^[#@]/, '').slice(0, 100)
  if (query === '') return []
  const [people, channels] = await readScreen(
    'search-names',
    [
      reading('list_people', { query, status: 'active', limit: maxOfKind }),
      reading('list_channels', { query, kind: ['public', 'private'], limit: maxOfKind }),
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
    [reading('get_item', { item_id: key })],
    signal,
  )
  if (!value) return []
  const { id, type, title, url } = value
  return [{ id, type, title, url, key: value.key ?? key.toUpperCase(), isExact: true }]
}
