import type { Shot } from './load.ts'
import { many, BenchWorkspace } from '../place.ts'

const channels = 500
const annChannels = 250 // of them the key's owner is in the first ones
const syllables = [
  'ba',
  'ce',
  'di',
  'fo',
  'gu',
  'ha',
  'je',
  'ki',
  'lo',
  'mu',
  'na',
  'pe',
  'ri',
  'so',
  'tu',
  'va',
  'we',
  'xi',
  'yo',
  'zu',
]
/** Words of a language, most frequent first. */
const words = Array.from(
  { length: 20_000 },
  (_, i) =>
    `${syllables[i % 20]!}${syllables[Math.floor(i / 20) % 20]!}${syllables[Math.floor(i / 400) % 20]!}${i >= 8000 ? syllables[Math.floor(i / 8000)]! : ''}`,
)

/**
 * A data directory with 500 channels of four people and `messages` messages, created through operations; none is
 * read. Returns a key.
 */
export async function seedChat(dataDir: string, messages: number): Promise<string> {
  const others = ['bob', 'carol', 'dave']
  const place = await BenchWorkspace.open(dataDir, ['ann', ...others])
  const idOf = (name: string) => place.person(name).id
  const ids: string[] = []
  for (let i = 0; i < channels; i++)
    ids.push(
      (
        await place.as('bob', 'create_channel', {
          name: `channel-${i}`,
          member_ids: [...others, ...(i < annChannels ? ['ann'] : [])].map(idOf),
        })
      ).id,
    )
  const random = dice()
  await many(messages, (i) =>
    place.as(others[i % 3]!, 'send_message', {
      channel_id: ids[rank(random(), annChannels)],
      body_markdown: sentence(random) + (i % 100 === 0 ? ' @ann' : ''),
    }),
  )
  const key = await place.key('ann')
  await place.close()
  return key
}

/** Requests to measure, by name. The search words occur in a few of a thousand messages, and in one of four. */
export function chatShots(key: string): Record<string, Shot> {
  const get = (path: string): Shot => ({
    method: 'GET',
    path,
    headers: { authorization: `Bearer ${key}` },
  })
  return {
    'list_unread_messages, all of it unread': get('/api/messages/unread'),
    'list_unread_messages, mentions': get('/api/messages/unread?only=mentions'),
    'search_messages, two words': get(`/api/messages/search?query=${words[900]}+${words[2500]}`),
    'search_messages, a word of every fourth': get(`/api/messages/search?query=${words[1]}`),
    'list_channels, 500 of them': get('/api/channels'),
    list_messages: get('/api/channels/%23channel-0/messages'),
  }
}

function sentence(random: () => number): string {
  return Array.from(
    { length: 6 + Math.floor(random() * 20) },
    () => words[rank(random(), words.length)],
  ).join(' ')
}

/** The rank of a word or channel, by Zipf's law. */
function rank(random: number, count: number): number {
  return Math.min(count - 1, Math.floor(count ** random) - 1)
}

function dice(): () => number {
  let state = 1
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}
