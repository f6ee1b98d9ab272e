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
  /** Whether to include quoted text and the signature. */
  quoted: boolean
  offset: number
  maxChars: number
}

/** The requested part of a message's text. */
export function emailContentOf(
  row: Row<'emails'>,
  body: Body,
  { format, quoted, offset, maxChars }: BodyRequest,
): z.infer<typeof EmailContent> {
  // A message without text returns warnings about unreadable parts instead.
  const text =
    format !== 'html' && `${body.own_markdown}${body.signature}${body.quoted_markdown}` === ''
      ? (JSON.parse(body.warnings_json) as string[]).join(' ')
      : mailTextOf(body, format, quoted)
  const { text: slice, offset: from, next } = sliceOf(text, offset, maxChars)
  const isQuotedOmitted =
    format !== 'html' && !quoted && (body.quoted_markdown !== '' || body.signature !== '')
  return omitNullish({
    text: slice,
    format,
    trust: isOwnText(row, body, quoted || format === 'html') ? 'internal' : 'external',
    source: row.from_email === '' ? 'an email without a sender' : `an email from ${row.from_email}`,
    offset: from,
    total_chars: text.length,
    next_offset: next,
    quoted_left_out: isQuotedOmitted ? true : undefined,
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

/** Only mail sent from the own mailbox is the owner's text, without quotations and forwards: a From address proves nothing. */
function isOwnText(row: Row<'emails'>, body: Body, quoted: boolean): boolean {
  return (
    row.delivery !== 'received' &&
    (!quoted || body.quoted_markdown === '') &&
    !/^\s*(fwd?|wg|tr|rv)\s*:/i.test(row.subject)
  )
}

/** Markdown without its markup: links with their addresses; lists and line breaks stay. */
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
