import { table } from '../../../store/index.ts'
import type { Message } from '../data/rows.ts'

/** A part of a text, with its offset: plain, a mention, or a known channel. */
export type TextPart = { offset: number; text: string } & (
  | { kind: 'text' }
  | { kind: 'mention'; isMe: boolean }
  | { kind: 'channel'; id: string }
)

type MessageMentions = Pick<Message, 'mentions' | 'mentions_channel'>

/** Finds mentions of people and channels in a message. */
export function textPartsOf(text: string, message: MessageMentions, personId: string): TextPart[] {
  const names = new Map<string, string>()
  for (const { id, title } of message.mentions) {
    for (const name of [title, title.split(' ')[0] ?? title, id]) names.set(name.toLowerCase(), id)
  }
  if (message.mentions_channel) for (const name of ['channel', 'here']) names.set(name, personId)
  const mention = [...names.keys()]
    .sort((a, b) => b.length - a.length)
    .map((name) => RegExp.escape(name))
    .join('|')
  const pattern = new RegExp(
    mention === ''
      ? String.raw`(?<![\p{L}\p{N}_/&])#[\p{L}\p{N}][\p{L}\p{N}_-]*`
      : String.raw`@(?:${mention})(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_/&])#[\p{L}\p{N}][\p{L}\p{N}_-]*`,
    'giu',
  )
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    const part = mentionPartOf(match, names, personId)
    if (!part) continue
    if (match.index > end)
      parts.push({ kind: 'text', offset: end, text: text.slice(end, match.index) })
    parts.push(part)
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ kind: 'text', offset: end, text: text.slice(end) })
  return parts
}

function mentionPartOf(
  { 0: text, index: offset }: RegExpExecArray,
  names: ReadonlyMap<string, string>,
  personId: string,
): TextPart | undefined {
  const name = text.slice(1).toLowerCase()
  if (!text.startsWith('#'))
    return { kind: 'mention', offset, text, isMe: names.get(name) === personId }
  const id = channelIdOf(name)
  return id === undefined ? undefined : { kind: 'channel', offset, text, id }
}

function channelIdOf(name: string): string | undefined {
  for (const channel of table('channel').all()) if (channel.key === `#${name}`) return channel.id
  return undefined
}

/** True if a text looks the same with and without Markdown, so that parsing is unnecessary. */
export function isUnformattedText(text: string): boolean {
  return !/[*_`~>[\]<|\\&]|https?:\/\/|www\.|\S@\S+\.\S|^\s*(#{1,6}\s|[-+]\s|\d+[.)]\s)|\n\s{4}|^(=+|-+)\s*$/m.test(
    text,
  )
}

/** True if a text consists of up to three emoji, which are shown larger. */
export function isEmojiOnly(text: string): boolean {
  return /^(\p{RGI_Emoji}\s*){1,3}$/v.test(text.trim())
}
