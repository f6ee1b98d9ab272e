import MarkdownIt from 'markdown-it'
import { escapeHtml } from '../../../kernel/text/html.ts'
import { localIso } from '../../../kernel/time/times.ts'
import { withoutMarkup } from '../../../search/text.ts'

// Content of a message, and its text and HTML versions, both rendered from the same Markdown.

export interface NamedAddress {
  name?: string
  email: string
}

/** A quoted message; the text of a forwarded one is not marked as a quotation. */
export interface Quoted {
  /** The line above it: its author and time. */
  intro: string
  markdown: string
}

export interface LetterFile {
  name: string
  mime_type: string
  size_bytes: number
  /** Set for a file of the drive. */
  file_id?: string
  sha256?: string
  /** Set for an attachment of a forwarded message; its bytes are on the server. */
  attachment_id?: string
}

/** Content from which a message is composed. Stored until the message has been sent. */
export interface OutgoingMessage {
  message_id: string
  /** In milliseconds. */
  date: number
  from: NamedAddress
  to: NamedAddress[]
  cc: NamedAddress[]
  bcc: NamedAddress[]
  subject: string
  in_reply_to: string | null
  references: string[]
  body_markdown: string
  signature_markdown: string | null
  quote: { as: 'reply' | 'forward'; messages: Quoted[] } | null
  files: LetterFile[]
  headers?: Record<string, string>
  /** The answered or forwarded message; needed if a failed message becomes a draft again. */
  answers: {
    email_id: string
    as: 'reply' | 'reply_all' | 'forward'
    quote: 'none' | 'last' | 'thread'
  } | null
}

/** HTML in Markdown is rendered as text, and remote images as links, so that opening a message loads nothing. */
const markdown = new MarkdownIt('default', { html: false, linkify: false, breaks: true }).disable(
  'image',
)
/** Maximum nesting of quoted text; deeper levels are omitted. */
const maxQuoted = 30

export interface RenderedBody {
  text: string
  html: string
}

/** Renders a message as text and as HTML. */
export function renderMessage({
  body_markdown,
  signature_markdown,
  quote,
}: Pick<OutgoingMessage, 'body_markdown' | 'signature_markdown' | 'quote'>): RenderedBody {
  const body = withoutControls(body_markdown).trimEnd()
  const signature = signature_markdown === null ? '' : withoutControls(signature_markdown).trim()
  const quoted = quote?.messages.slice(0, maxQuoted) ?? []
  const isForward = quote?.as === 'forward'
  const texts = [
    body,
    signature === '' ? '' : `-- \n${signature}`,
    isForward ? quoted.map(forwardedText).join('\n\n') : quotedText(quoted),
  ]
  const htmls = [
    htmlOf(body),
    signature === '' ? '' : `<div class="signature">-- <br>${htmlOf(signature)}</div>`,
    isForward ? quoted.map(forwardedHtml).join('') : quotedHtml(quoted),
  ]
  return {
    text: `${texts.filter((text) => text !== '').join('\n\n')}\n`,
    html: `<!doctype html><html><head><meta charset="utf-8"></head><body>\n${htmls.filter((html) => html !== '').join('\n')}</body></html>\n`,
  }
}

function quotedText([first, ...older]: readonly Quoted[]): string {
  if (!first) return ''
  const inner = [withoutControls(first.markdown).trim(), quotedText(older)]
    .filter((name) => name !== '')
    .join('\n\n')
  return `${first.intro}\n${inner.replaceAll(/^/gm, '> ').replaceAll(/^> $/gm, '>')}`
}

function quotedHtml([first, ...older]: readonly Quoted[]): string {
  if (!first) return ''
  return `<div class="gmail_quote"><p>${escapeHtml(first.intro)}</p><blockquote type="cite" style="margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex">\n${htmlOf(first.markdown)}${quotedHtml(older)}</blockquote></div>\n`
}

function forwardedText({ intro, markdown: text }: Quoted): string {
  return `${forwardLine}\n${intro}\n\n${withoutControls(text).trim()}`
}

function forwardedHtml({ intro, markdown: text }: Quoted): string {
  return `<div class="gmail_quote"><p>${forwardLine}<br>${intro.split('\n').map(escapeHtml).join('<br>')}</p>\n${htmlOf(text)}</div>\n`
}

const forwardLine = '---------- Forwarded message ----------'

/** Renders Markdown; a text with very deep nesting, which would take too long, stays plain text. */
function htmlOf(text: string): string {
  const clean = withoutControls(text)
  if (/^(?:[ \t]*>){60}/m.test(clean)) return `<pre>${escapeHtml(clean)}</pre>`
  try {
    return markdown.render(clean)
  } catch {
    return `<pre>${escapeHtml(clean)}</pre>`
  }
}

/** Removes control characters that end lines invisibly or are not allowed in mail. */
function withoutControls(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
}

/** Converts a text to a single header line. */
export function headerLine(text: string, maxLength = 900): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed()
}

/** The line above a quotation. */
export function introOf(
  { from, sent_at }: { from: NamedAddress; sent_at: number },
  zone: string,
): string {
  return `On ${localIso(sent_at, zone).slice(0, 16).replace('T', ' at ')}, ${boxText(from)} wrote:`
}

/** The lines above a forwarded message. */
export function forwardIntro(
  {
    from,
    sent_at,
    subject,
    to,
    cc,
  }: {
    from: NamedAddress
    sent_at: number
    subject: string
    to: readonly NamedAddress[]
    cc: readonly NamedAddress[]
  },
  zone: string,
): string {
  const lines = [
    `From: ${boxText(from)}`,
    `Date: ${localIso(sent_at, zone).slice(0, 16).replace('T', ' ')}`,
    `Subject: ${headerLine(subject)}`,
    `To: ${boxesText(to)}`,
    ...(cc.length > 0 ? [`Cc: ${boxesText(cc)}`] : []),
  ]
  return lines.join('\n')
}

const boxesText = (boxes: readonly NamedAddress[]) =>
  `${boxes.slice(0, 20).map(boxText).join(', ')}${boxes.length > 20 ? `, and ${boxes.length - 20} more` : ''}`

function boxText({ name, email }: NamedAddress): string {
  return name === undefined || name === ''
    ? headerLine(email)
    : `${headerLine(name)} <${headerLine(email)}>`
}

/** The beginning of a text, for lists. */
export function snippetOf(text: string): string {
  return headerLine(withoutMarkup(text.slice(0, 2_000)), 200)
}
