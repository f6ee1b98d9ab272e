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
  request: CompletionRequest | undefined,
  channelId: string | undefined,
): readonly Suggestion[] {
  const people = usePeople(request?.kind === 'person', channelId)
  const suggestions = useSearchedSuggestions(request)
  if (!request) return []
  if (request.kind === 'person') return peopleFor(people, request.query)
  if (request.kind === 'channel') return channelsFor(request.query)
  return suggestions
}

function usePeople(isEnabled: boolean, channelId: string | undefined) {
  const { data } = useOperation(
    'get_channel',
    { channel_id: channelId ?? '' },
    { enabled: isEnabled && channelId !== undefined, staleTime: 60_000 },
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

/** Suggestions for items and emoji, found by a search. */
function useSearchedSuggestions(request: CompletionRequest | undefined): readonly Suggestion[] {
  const isSearched = request?.kind === 'item' || request?.kind === 'emoji'
  const [debouncedRequest] = useDebouncedValue(isSearched ? request : undefined, 120)
  const { data } = useQuery({
    queryKey: ['chat suggestions', debouncedRequest?.kind, debouncedRequest?.query],
    queryFn: ({ signal }) =>
      debouncedRequest?.kind === 'emoji'
        ? emojiFor(debouncedRequest.query)
        : itemsFor(debouncedRequest?.query ?? '', signal),
    enabled: debouncedRequest !== undefined && isSearched,
    staleTime: 60_000,
  })
  return isSearched ? (data ?? []) : []
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
