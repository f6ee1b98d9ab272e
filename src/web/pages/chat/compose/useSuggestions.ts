import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { table } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import type { Channel } from '../data/rows.ts'
import { findEmoji } from '../message/emoji.ts'
import { rankSuggestions, type Suggestion } from '../../../ui/work/suggestions.ts'
import type { CompletionRequest } from './completion.ts'

const maxSuggestions = 8

export function useSuggestions(
  wanted: CompletionRequest | undefined,
  channelId: string | undefined,
): readonly Suggestion[] {
  const people = usePeople(wanted?.kind === 'person', channelId)
  const suggestions = useFound(wanted)
  if (!wanted) return []
  if (wanted.kind === 'person') return peopleFor(people, wanted.query)
  if (wanted.kind === 'channel') return channelsFor(wanted.query)
  return suggestions
}

function usePeople(isWanted: boolean, channelId: string | undefined) {
  const { data } = useOperation(
    'get_channel',
    { channel_id: channelId ?? '' },
    { enabled: isWanted && channelId !== undefined, staleTime: 60_000 },
  )
  return data?.members ?? []
}

function peopleFor(people: readonly { id: string; title: string }[], query: string): Suggestion[] {
  const all = [
    ...people.map(({ id, title }) => ({ key: id, insert: `@${title}`, label: title })),
    { key: 'channel', insert: '@channel', label: 'channel', hint: t.chat.compose.everybody },
  ]
  return rankSuggestions(all, query, ({ label }) => label).slice(0, maxSuggestions)
}

function channelsFor(query: string): Suggestion[] {
  const channels = [...table('channel').all()].filter(
    (channel): channel is Channel & { key: string } => channel.key !== undefined,
  )
  return rankSuggestions(channels, query, ({ name }) => name)
    .slice(0, maxSuggestions)
    .map(({ id, key, topic }) => ({ key: id, insert: key, label: key, hint: topic }))
}

/** Items and emoji, which are searched. */
function useFound(wanted: CompletionRequest | undefined): readonly Suggestion[] {
  const isLookedUp = wanted?.kind === 'item' || wanted?.kind === 'emoji'
  const [asked] = useDebouncedValue(isLookedUp ? wanted : undefined, 120)
  const { data } = useQuery({
    queryKey: ['chat suggestions', asked?.kind, asked?.query],
    queryFn: ({ signal }) =>
      asked?.kind === 'emoji' ? emojiFor(asked.query) : itemsFor(asked?.query ?? '', signal),
    enabled: asked !== undefined && isLookedUp,
    staleTime: 60_000,
  })
  return isLookedUp ? (data ?? []) : []
}

async function itemsFor(query: string, signal: AbortSignal): Promise<Suggestion[]> {
  const { items } = await call('search_workspace', { query, limit: maxSuggestions }, signal)
  return items.flatMap(({ item }) =>
    item.key?.toUpperCase().startsWith(query.toUpperCase())
      ? [{ key: item.id, insert: item.key, label: item.key, hint: item.title }]
      : [],
  )
}

async function emojiFor(query: string): Promise<Suggestion[]> {
  const matches = await findEmoji(query, maxSuggestions)
  return matches.map(({ emoji, name }) => ({
    key: name,
    insert: emoji,
    label: `:${name}:`,
    icon: emoji,
  }))
}
