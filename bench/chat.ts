import { randomUUID } from 'node:crypto'
import type { Actor } from '../src/core/actor.ts'
import { call } from '../src/core/call.ts'
import { systemClock } from '../src/core/clock.ts'
import type { Id } from '../src/core/ids.ts'
import { lineLog } from '../src/core/log.ts'
import { readSettings } from '../src/core/settings.ts'
import { openApp } from '../src/core/start.ts'
import { issueKey } from '../src/keys/issue.ts'
import { addOrganization, addPerson } from '../src/keys/people.ts'
import { modules } from '../src/modules/index.ts'
import type { Shot } from './load.ts'

const channels = 500
const own = 250 // of them the key's owner is in the first ones
const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ha', 'je', 'ki', 'lo', 'mu', 'na', 'pe', 'ri', 'so', 'tu', 'va', 'we', 'xi', 'yo', 'zu']
/** Of a language, the first words are the frequent ones. */
const words = Array.from({ length: 20_000 }, (_, i) => `${syllables[i % 20]!}${syllables[Math.floor(i / 20) % 20]!}${syllables[Math.floor(i / 400) % 20]!}${i >= 8000 ? syllables[Math.floor(i / 8000)]! : ''}`)

/** A data directory with 500 channels of four people and so many messages, made through the operations; nothing of it is read. Returns a key. */
export async function seedChat(dataDir: string, messages: number): Promise<string> {
  const app = openApp({ settings: { ...readSettings({}, {}), data: dataDir, limits: false }, clock: systemClock, modules, log: lineLog(line => process.stderr.write(line)) })
  const org = await addOrganization(app.store, systemClock, { name: 'Benchmark' })
  const person = async (name: string) => actorOf(org, await addPerson(app.store, systemClock, { org, email: `${name}@bench.test`, name, role: 'member' }), name)
  const [ann, ...others] = [await person('ann'), await person('bob'), await person('carol'), await person('dave')] as [Actor, Actor, Actor, Actor]
  const as = async (actor: Actor, tool: string, args: Record<string, unknown>) =>
    (await call(app, actor, { tool, args, transport: 'rest', requestId: randomUUID(), route: 'seed', ip: '127.0.0.1' })).value as { id: string }
  const ids: string[] = []
  for (let i = 0; i < channels; i++) ids.push((await as(others[0]!, 'create_channel', { name: `channel-${i}`, member_ids: [...others, ...(i < own ? [ann] : [])].map(one => one.id) })).id)
  const random = dice()
  const one = (i: number) => as(others[i % 3]!, 'send_message', { channel_id: ids[rank(random(), own)], body_markdown: sentence(random) + (i % 100 === 0 ? ' @ann' : '') })
  for (let i = 0; i < messages; i += 64) await Promise.all(Array.from({ length: Math.min(64, messages - i) }, (_, j) => one(i + j)))
  const { key } = await issueKey(app.store, systemClock, { owner: ann.id, name: 'benchmark', via: 'cli' })
  await app.store.close()
  return key
}

/** What is measured, by name. The words are ones that some messages in a thousand and one in four have. */
export function chatShots(key: string): Record<string, Shot> {
  const get = (path: string): Shot => ({ method: 'GET', path, headers: { authorization: `Bearer ${key}` } })
  return {
    'list_unread_messages, all of it unread': get('/api/messages/unread'),
    'list_unread_messages, mentions': get('/api/messages/unread?only=mentions'),
    'search_messages, two words': get(`/api/messages/search?query=${words[900]}+${words[2500]}`),
    'search_messages, a word of every fourth': get(`/api/messages/search?query=${words[1]}`),
    'list_channels, 500 of them': get('/api/channels'),
    'list_messages': get('/api/channels/%23channel-0/messages'),
  }
}

function actorOf(org_id: Id<'orgs'>, id: Id<'users'>, name: string): Actor {
  return { id, org_id, email: `${name}@bench.test`, display_name: name, role: 'member', timezone: 'UTC', via: 'api', key: undefined }
}

function sentence(random: () => number): string {
  return Array.from({ length: 6 + Math.floor(random() * 20) }, () => words[rank(random(), words.length)]).join(' ')
}

/** The rank of a word or channel, by Zipf's law. */
function rank(random: number, count: number): number {
  return Math.min(count - 1, Math.floor(count ** random) - 1)
}

function dice(): () => number {
  let state = 1
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}
