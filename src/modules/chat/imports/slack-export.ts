import { truncate } from '../../../kernel/text/truncate.ts'
import { chunks } from '../../../kernel/chunks.ts'
import { LeftOutCounter, type LeftOut } from '../../../kernel/left-out.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { unzipSync } from 'fflate'
import { z } from 'zod'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import { partTexts } from './slack-parts.ts'

// Reads Slack's export zip: users.json, channels.json, groups.json, and a folder of days per channel. Runs in a
// separate process with time and memory limits, without access to the database.

const maxMessages = 200_000
const maxEntries = 200_000
const maxUnpackedBytes = 300 * 2 ** 20
const batchSize = 200
const maxTextLength = 39_000

export interface SlackPerson {
  name: string
  email?: string
}

export interface SlackChannel {
  ref: string
  name: string
  isPrivate: boolean
  isArchived: boolean
  topic: string
  purpose: string
  /** Members, by address or name. */
  members: SlackPerson[]
  messages: number
  /** Number of messages not imported: joins, leaves and the like. */
  leftOutCount: number
  /** These messages by kind, plus reactions to imported messages. */
  leftOut: LeftOut[]
}

export interface SlackMessage {
  author: string
  email?: string
  /** Milliseconds since 1970. */
  at: number
  text: string
  /** Set for a reply: when the message that it answers was sent, in milliseconds. */
  root?: number
  alsoToChannel: boolean
}

export interface SlackOverview {
  channels: SlackChannel[]
  /** All people in the export. */
  people: SlackPerson[]
  warnings: string[]
  /** Parts of the export outside all channels that are left out. */
  leftOut: LeftOut[]
}

const slackText = () =>
  z
    .string()
    .nullish()
    .transform((value) => value ?? '')
const User = z.object({
  id: z.string(),
  name: slackText(),
  real_name: slackText(),
  profile: z
    .object({ email: slackText(), real_name: slackText(), display_name: slackText() })
    .partial()
    .nullish(),
})
const Room = z.object({
  id: z.string(),
  name: z.string(),
  is_archived: z.boolean().nullish(),
  members: z.array(z.string()).nullish(),
  topic: z.object({ value: slackText() }).nullish(),
  purpose: z.object({ value: slackText() }).nullish(),
})
const MessageEntry = z.object({
  type: slackText(),
  subtype: slackText(),
  user: slackText(),
  username: slackText(),
  text: slackText(),
  ts: z.string().regex(/^\d{1,12}\.\d{1,9}$/),
  thread_ts: z.string().nullish(),
  user_profile: z.object({ real_name: slackText() }).nullish(),
  bot_profile: z.object({ name: slackText() }).nullish(),
  files: z.array(z.object({ name: slackText(), url_private: slackText() })).nullish(),
  reactions: z.array(z.unknown()).nullish(),
  attachments: z.unknown().optional(),
  blocks: z.unknown().optional(),
})

type Archive = Record<string, Uint8Array>

/** Summarizes an export. @throws Refusal if it is not a Slack export, or too large */
export function slackOverview({ bytes }: { bytes: Uint8Array }): SlackOverview {
  const archive = openArchive(bytes)
  const people = slackPeopleById(archive)
  const warnings: string[] = []
  const rooms = channelNamesById(archive)
  const channels = roomsOf(archive).map(({ room, isPrivate }) => {
    return {
      ...slackMessageCounts(archive, room.name),
      ref: room.id,
      name: room.name,
      isPrivate,
      isArchived: room.is_archived ?? false,
      topic: plainSlackText(room.topic?.value ?? '', people, rooms),
      purpose: plainSlackText(room.purpose?.value ?? '', people, rooms),
      members: (room.members ?? []).flatMap((id) => people.get(id) ?? []),
    }
  })
  if (archive['dms.json'] || archive['mpims.json'])
    warnings.push('Direct messages are not imported.')
  if (channels.reduce((sum, channel) => sum + channel.messages, 0) > maxMessages)
    warnings.push(
      `The export has more than ${maxMessages} messages: import its channels in several calls, using channels.`,
    )
  return {
    channels,
    people: [...people.values()],
    warnings,
    leftOut: omittedConversations(archive),
  }
}

/** Counts the messages of a channel that are imported, and those that are not. */
function slackMessageCounts(
  archive: Archive,
  room: string,
): Pick<SlackChannel, 'messages' | 'leftOutCount' | 'leftOut'> {
  let [messages, leftOutCount] = [0, 0]
  const leftOut = new LeftOutCounter()
  for (const message of messagesIn(archive, room)) {
    const where = message
      ? `#${room}, ${new Date(slackTimeMs(message.ts)).toISOString()}`
      : `#${room}`
    if (message && isImported(message)) {
      messages++
      for (const _ of message.reactions ?? []) leftOut.add('reactions to messages', where)
      continue
    }
    leftOutCount++
    leftOut.add(message ? skippedKindOf(message) : 'entries that are no messages', where)
  }
  return { messages, leftOutCount, leftOut: leftOut.kinds }
}

function omittedConversations(archive: Archive): LeftOut[] {
  const direct = new LeftOutCounter()
  for (const name of ['dms.json', 'mpims.json'])
    for (const _ of parseValidItems(z.unknown(), jsonOf(archive[name])))
      direct.add('conversations of direct messages', name)
  return direct.kinds
}

/** Messages of one channel in order, in batches. */
export async function* slackMessages({
  bytes,
  channel,
}: {
  bytes: Uint8Array
  channel: string
}): AsyncGenerator<SlackMessage[]> {
  const archive = openArchive(bytes)
  const people = slackPeopleById(archive)
  const rooms = channelNamesById(archive)
  const messages: SlackMessage[] = []
  for (const message of messagesIn(archive, channel)) {
    if (message && isImported(message)) messages.push(slackMessageOf(message, people, rooms))
    if (messages.length > maxMessages)
      throw new Refusal(
        'too_large',
        `#${channel.slice(0, 80)} has more than ${maxMessages} messages.`,
      )
  }
  messages.sort((a, b) => a.at - b.at)
  for (const batch of chunks(messages, batchSize)) yield batch
}

function openArchive(bytes: Uint8Array): Archive {
  let [entries, size] = [0, 0]
  let archive: Archive
  try {
    archive = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!/\.json$/i.test(name) || /(^|\/)(__MACOSX|\.)/.test(name)) return false
        entries++
        size += originalSize
        if (entries > maxEntries || size > maxUnpackedBytes)
          throw new Refusal(
            'too_large',
            `Unpacked, the export has more than ${maxUnpackedBytes / 2 ** 20} MB or ${maxEntries} files.`,
            { field: 'file_id', hint: 'Export a shorter period from Slack.' },
          )
        return true
      },
    })
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw invalid(
      'file_id',
      `the zip cannot be unpacked: ${(error as Error).message.slice(0, 200)}.`,
      'Send the original zip file from Slack.',
    )
  }
  const channelFiles = Object.keys(archive).filter((name) =>
    /(^|\/)channels\.json$|(^|\/)groups\.json$/.test(name),
  )
  const users = Object.keys(archive).find((name) => /(^|\/)users\.json$/.test(name))
  if (channelFiles.length === 0 || !users)
    throw invalid(
      'file_id',
      'this is not a Slack export: users.json and channels.json are missing.',
    )
  const folder = users.slice(0, -'users.json'.length)
  return Object.fromEntries(
    Object.entries(archive).flatMap(([name, content]) =>
      name.startsWith(folder) ? [[name.slice(folder.length), content]] : [],
    ),
  )
}

/** Parsed content of a file; an empty list if the file is missing, undefined if it is not JSON. */
function jsonOf(content: Uint8Array | undefined): unknown {
  if (!content) return []
  try {
    return JSON.parse(new TextDecoder().decode(content))
  } catch {
    return undefined
  }
}

function parseValidItems<T>(schema: z.ZodType<T>, value: unknown): T[] {
  return Array.isArray(value) ? value.flatMap((item) => schema.safeParse(item).data ?? []) : []
}

function slackPeopleById(archive: Archive): Map<string, SlackPerson> {
  return new Map(
    parseValidItems(User, jsonOf(archive['users.json'])).map((user) => {
      const email = user.profile?.email?.trim().toLowerCase()
      const name =
        user.profile?.real_name || user.real_name || user.profile?.display_name || user.name
      return [user.id, omitNullish({ name: oneLine(name) || user.id, email: email || undefined })]
    }),
  )
}

function roomsOf(archive: Archive): { room: z.infer<typeof Room>; isPrivate: boolean }[] {
  return [
    ...parseValidItems(Room, jsonOf(archive['channels.json'])).map((room) => ({
      room,
      isPrivate: false,
    })),
    ...parseValidItems(Room, jsonOf(archive['groups.json'])).map((room) => ({
      room,
      isPrivate: true,
    })),
  ]
}

function channelNamesById(archive: Archive): Map<string, string> {
  return new Map(roomsOf(archive).map(({ room }) => [room.id, room.name]))
}

/** Reads the messages of a channel day by day; undefined for a message, or a whole day, that cannot be read. */
function* messagesIn(
  archive: Archive,
  room: string,
): Generator<z.infer<typeof MessageEntry> | undefined> {
  const days = Object.keys(archive)
    .filter((name) => name.startsWith(`${room}/`) && !name.slice(room.length + 1).includes('/'))
    .sort()
  for (const day of days) {
    const messages = jsonOf(archive[day])
    if (!Array.isArray(messages)) yield undefined
    else for (const message of messages) yield MessageEntry.safeParse(message).data
  }
}

/** True for messages that people and programs wrote; false for notices about joining, leaving or topic changes. */
function isImported(message: z.infer<typeof MessageEntry>): boolean {
  const isWritten =
    message.subtype === '' ||
    /^(bot_message|me_message|thread_broadcast|file_share|file_comment)$/.test(message.subtype)
  const hasContent =
    message.text.trim() !== '' || (message.files?.length ?? 0) > 0 || extraTexts(message).length > 0
  return isWritten && hasContent
}

const extraTexts = ({ text, attachments, blocks }: z.infer<typeof MessageEntry>) =>
  partTexts(text, attachments, blocks)

function skippedKindOf({ subtype }: z.infer<typeof MessageEntry>): string {
  return subtype === ''
    ? 'messages without a text'
    : `messages of the kind ${subtype.slice(0, 100)}`
}

function slackMessageOf(
  message: z.infer<typeof MessageEntry>,
  people: ReadonlyMap<string, SlackPerson>,
  rooms: ReadonlyMap<string, string>,
): SlackMessage {
  const person = people.get(message.user)
  const author =
    person?.name ||
    message.user_profile?.real_name ||
    message.bot_profile?.name ||
    message.username ||
    message.user ||
    'Unknown'
  const files = (message.files ?? []).map((file) =>
    /^https:\/\//.test(file.url_private)
      ? `[${oneLine(file.name) || 'File'}](<${file.url_private.replaceAll(/[<>\s]/g, encodeURIComponent)}>)`
      : oneLine(file.name),
  )
  const texts = [message.text, ...extraTexts(message)].map((part) =>
    markdownOf(part, people, rooms),
  )
  const body = [...texts, ...files].filter((part) => part.trim() !== '').join('\n')
  const root =
    message.thread_ts && message.thread_ts !== message.ts
      ? slackTimeMs(message.thread_ts)
      : undefined
  return omitNullish({
    author: oneLine(author).slice(0, 200),
    email: person?.email ? person.email : undefined,
    at: slackTimeMs(message.ts),
    text: truncate(body, maxTextLength + 1).toWellFormed(),
    root,
    alsoToChannel: message.subtype === 'thread_broadcast',
  })
}

function slackTimeMs(ts: string): number {
  return Math.floor(Number(ts) * 1000)
}

function oneLine(name: string): string {
  return name
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed()
}

/** Converts Slack markup to Markdown. Code stays unchanged. */
export function markdownOf(
  source: string,
  people: ReadonlyMap<string, SlackPerson>,
  rooms: ReadonlyMap<string, string> = new Map(),
): string {
  return source
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part, i) =>
      i % 2 === 1
        ? unescaped(
            part
              .replace(/^```(?!\n)/, '```\n')
              .replace(/(?<!\n)```$/, part.startsWith('```') ? '\n```' : '```'),
          )
        : formatted(part, people, rooms),
    )
    .join('')
}

function formatted(
  part: string,
  people: ReadonlyMap<string, SlackPerson>,
  rooms: ReadonlyMap<string, string>,
): string {
  return unescaped(references(part, people, rooms))
    .replaceAll(/(^|[\s(])\*(\S(?:[^*\n]{0,2000}\S)?)\*(?=[\s).,;:!?]|$)/g, '$1**$2**')
    .replaceAll(/(^|[\s(])~(\S(?:[^~\n]{0,2000}\S)?)~(?=[\s).,;:!?]|$)/g, '$1~~$2~~')
    .replaceAll(/^[ \t]*•[ \t]+/gm, '- ')
}

function references(
  part: string,
  people: ReadonlyMap<string, SlackPerson>,
  rooms: ReadonlyMap<string, string>,
): string {
  return part.replaceAll(/<([^<>\n]{1,4000})>/g, (whole, inside: string) => {
    const [target = '', label] = inside.split('|', 2)
    if (target.startsWith('@'))
      return `@${label || people.get(target.slice(1))?.name || target.slice(1)}`
    if (target.startsWith('#')) return `#${label || rooms.get(target.slice(1)) || target.slice(1)}`
    if (target.startsWith('!'))
      return `@${(label ?? target.slice(1)).replace(/^@/, '').replace(/^subteam\^/, '')}`
    return /^(https?|mailto):/.test(target) ? linkText(target, label) : whole
  })
}

function plainSlackText(
  source: string,
  people: ReadonlyMap<string, SlackPerson>,
  rooms: ReadonlyMap<string, string>,
): string {
  return oneLine(unescaped(references(source, people, rooms))).slice(0, 1000)
}

function unescaped(part: string): string {
  return part.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function linkText(target: string, label: string | undefined): string {
  if (label && label !== target) return `[${label.replaceAll(/[[\]]/g, '')}](<${target}>)`
  return target.startsWith('mailto:') ? target.slice(7) : target
}
