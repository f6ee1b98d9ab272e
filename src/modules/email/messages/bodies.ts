import { omitNullish } from '../../../kernel/present.ts'
import type { z } from 'zod'
import { escapeHtml } from '../../../kernel/text/html.ts'
import type { Row } from '../../../records/resource.ts'
import { sliceOf } from './slices.ts'
import type { EmailContent } from '../shapes.ts'

export type Format = z.infer<typeof EmailContent>['format']
type Body = Row<'email_bodies'>

export interface BodyRequest {
  format: Format
  /** With what it quotes and its signature. */
  quoted: boolean
  offset: number
  most: number
}

/** The text of a message as someone wants to read it. */
export function emailContentOf(
  row: Row<'emails'>,
  body: Body,
  { format, quoted, offset, most }: BodyRequest,
): z.infer<typeof EmailContent> {
  // A message without text says what could not be read instead.
  const text =
    format !== 'html' && `${body.own_markdown}${body.signature}${body.quoted_markdown}` === ''
      ? (JSON.parse(body.warnings_json) as string[]).join(' ')
      : mailTextOf(body, format, quoted)
  const { text: piece, offset: from, next } = sliceOf(text, offset, most)
  const leftOut =
    format !== 'html' && !quoted && (body.quoted_markdown !== '' || body.signature !== '')
  return omitNullish({
    text: piece,
    format,
    trust: isOwnWords(row, body, quoted || format === 'html') ? 'internal' : 'external',
    source: row.from_email === '' ? 'an email without a sender' : `an email from ${row.from_email}`,
    offset: from,
    total_chars: text.length,
    next_offset: next,
    quoted_left_out: leftOut ? true : undefined,
  })
}

/** Length of a message's text. */
export function bodyLength(body: Body, format: Format, quoted: boolean): number {
  return mailTextOf(body, format, quoted).length
}

function mailTextOf(body: Body, format: Format, quoted: boolean): string {
  const markdown = quoted
    ? [body.own_markdown, body.signature, body.quoted_markdown]
        .filter((name) => name !== '')
        .join('\n\n')
    : body.own_markdown
  if (format === 'markdown') return markdown
  if (format === 'text') return plainOf(markdown)
  return (
    body.html ??
    `<pre>${escapeHtml([body.own_markdown, body.signature, body.quoted_markdown].filter((name) => name !== '').join('\n\n'))}</pre>`
  )
}

/** Only what was sent from the own mailbox is the owner's word, and of that only what they did not quote or pass on: anybody may write any sender. */
function isOwnWords(row: Row<'emails'>, body: Body, quoted: boolean): boolean {
  return (
    row.delivery !== 'received' &&
    (!quoted || body.quoted_markdown === '') &&
    !/^\s*(fwd?|wg|tr|rv)\s*:/i.test(row.subject)
  )
}

/** Markdown without its signs: links show where they lead, lists and lines stay. */
function plainOf(markdown: string): string {
  return markdown
    .replaceAll(/!\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replaceAll(
      /(?<!\\)\[([^\]\n]+)\]\(((?:https?|mailto|tel):[^)\s]*)\)/g,
      (_, words: string, address: string) => (words === address ? words : `${words} (${address})`),
    )
    .replaceAll(/<((?:https?|mailto):[^>\s]+)>/g, '$1')
    .replaceAll(/^#{1,6} +/gm, '')
    .replaceAll(/(?<![\w*\\])(\*\*|__)(?=\S)(.+?)(?<=\S)\1(?![\w*])/g, '$2')
    .replaceAll(/(?<![\w_\\])_(?=\S)([^_\n]+)(?<=\S)_(?![\w_])/g, '$1')
    .replaceAll(/^\|?(?: *:?-{3,}:? *\|)+ *:?-*:? *$\n?/gm, '')
    .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '')
}
