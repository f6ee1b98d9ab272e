// Parses a message into the stored form. Runs in the process of reading.ts.

import { createHash } from 'node:crypto'
import PostalMime, {
  addressParser,
  decodeWords,
  type Address,
  type Attachment,
  type Email,
} from 'postal-mime'
import { readMailBody } from './bodies.ts'
import { ExactParser, fitsUtf8, type MimeNode, type MimeTree } from './bytes.ts'
import {
  authenticationOf,
  dateOf,
  deliveryReports,
  hasWeakWords,
  isAutomatic,
  isWeakCharset,
  messageIds,
  headerText,
  unsubscribeAddresses,
} from './headers.ts'
import type { MailAddress, MailLimits, ParsedAttachment, ParsedMessage } from './shapes.ts'
import { isSmime, sealedReason, signedContent, type OpaquePart } from './sealed.ts'
import { fromUtf7 } from './utf7.ts'

// Enclosed messages are attachments: their text is not by the sender of this one.
const options = { forceRfc822Attachments: true, maxHeadersSize: 4 * 1024 * 1024 }

/** Throws if the message cannot be parsed as a whole: nested too deeply, endless headers. */
export async function parseMessage(bytes: Uint8Array, limits: MailLimits): Promise<ParsedMessage> {
  const { email, texts, parts, rootType } = await parseMessageParts(bytes)
  const warnings: string[] = []
  const attachments = parts
    .slice(0, limits.attachments)
    .map((part) => presentAttachment(part, limits.contents))
  if (parts.length > limits.attachments)
    warnings.push(
      `It has ${parts.length} attachments, of which the first ${limits.attachments} are listed.`,
    )
  const headers = headersIn(email, limits)
  const {
    body,
    snippet,
    warnings: bodyWarnings,
  } = readMailBody({ ...texts, subject: headers.subject }, limits)
  const sealed = body.markdown === '' ? sealedReason(parts.map(opaquePart), rootType) : undefined
  if (sealed !== undefined) warnings.push(sealed)
  const calendar = calendarText(parts)
  return {
    ...headers,
    body,
    snippet,
    attachments,
    ...(calendar === undefined ? {} : { calendar: calendar.slice(0, limits.characters) }),
    reports: parts
      .filter(({ attachment }) => attachment.mimeType === 'message/delivery-status')
      .flatMap(({ attachment }) => deliveryReports(attachedTextOf(attachment))),
    warnings: [...headers.warnings, ...warnings, ...bodyWarnings],
  }
}

/** Parses the headers alone and ignores everything after them. */
export async function parseMailHeaders(
  bytes: Uint8Array,
  limits: MailLimits,
): Promise<ParsedMessage> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ends = [text.indexOf('\r\n\r\n'), text.indexOf('\n\n')].filter((at) => at >= 0)
  // Content headers are dropped, since there is no content.
  const block = (ends.length > 0 ? text.subarray(0, Math.min(...ends)) : text)
    .toString('latin1')
    .replaceAll(/^content-(type|transfer-encoding|disposition):.*(\r?\n[ \t].*)*\r?\n?/gim, '')
  return headersIn(
    await new PostalMime(options).parse(Buffer.from(`${block}\r\n\r\n`, 'latin1')),
    limits,
  )
}

/** The content of the part with this number. */
export async function attachmentAt(
  bytes: Uint8Array,
  part: string,
): Promise<{ content: Uint8Array; name: string; mime: string } | undefined> {
  const numberedPart = (await parseMessageParts(bytes)).parts.find((item) => item.part === part)
  return (
    numberedPart && {
      content: numberedPart.content,
      name: attachmentNameOf(numberedPart.attachment),
      mime: numberedPart.attachment.mimeType,
    }
  )
}

/** A message in parts. Parts inside signed data belong to the enclosing message. */
interface MessageParts {
  email: Email
  texts: { plain: string | undefined; html: string | undefined }
  parts: NumberedAttachment[]
  /** The media type of the content as a whole. */
  rootType: string
}

/** Maximum nesting of signed messages that are opened. */
const maxEnclosed = 3

async function parseMessageParts(bytes: Uint8Array, depth = 0): Promise<MessageParts> {
  const parser = new ExactParser(options)
  const email = await parser.parse(bytes)
  const leaves = leavesOf(parser)
  const isUtf7 = leaves.some(
    (leaf) =>
      leaf.isText &&
      /^(x-)?(unicode-1-1-)?utf-?7$/i.test(leaf.node.contentType.parsed.params.charset ?? ''),
  )
  const decodeUtf7 = (text: string | undefined) =>
    isUtf7 && text !== undefined ? fromUtf7(text) : text
  const message = {
    email,
    texts: { plain: decodeUtf7(email.text), html: decodeUtf7(email.html) },
    parts: numberAttachments(email.attachments, leaves),
    rootType: parser.root.contentType.parsed.value,
  }
  const signed =
    depth < maxEnclosed ? message.parts.find((part) => isSmime(opaquePart(part))) : undefined
  const content = signed && signedContent(signed.content)
  return signed && content
    ? withSignedContent(message, signed, await parseMessageParts(content, depth + 1))
    : message
}

/** Adds the content of a message's signed part: it comes first, as lists append their lines after it. */
function withSignedContent(
  { email, texts, parts, rootType }: MessageParts,
  signed: NumberedAttachment,
  inner: MessageParts,
): MessageParts {
  const { plain, html } = inner.texts
  const isHtml = html !== undefined || texts.html !== undefined
  const joined = (...parts: (string | undefined)[]) => parts.filter(Boolean).join('\n\n')
  const asHtml = (texts: MessageParts['texts']) => texts.html ?? preformatted(texts.plain)
  return {
    email,
    rootType,
    texts: {
      plain: joined(plain, texts.plain),
      html: isHtml ? joined(asHtml(inner.texts), asHtml(texts)) : undefined,
    },
    parts: [
      ...parts.map((part) => (part === signed ? { ...part, isOpened: true } : part)),
      ...inner.parts.map((part) => ({ ...part, part: `${signed.part}/${part.part}` })),
    ],
  }
}

function preformatted(text: string | undefined): string | undefined {
  if (!text) return undefined
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<p>${escaped.replaceAll(/\r?\n/g, '<br>')}</p>`
}

function opaquePart({ attachment, content, smimeType }: NumberedAttachment): OpaquePart {
  return { mime: attachment.mimeType, name: attachmentNameOf(attachment), smimeType, content }
}

interface Leaf {
  node: MimeNode
  part: string
  isText: boolean
}

/** The parts with content, with their IMAP numbers. */
function leavesOf(tree: MimeTree): Leaf[] {
  const leaves: Leaf[] = []
  const walk = (node: MimeNode, part: string) => {
    if (!node.contentType.multipart && node.content)
      leaves.push({ node, part: part || '1', isText: tree.isInlineTextNode(node) })
    for (const [i, child] of node.childNodes.entries())
      walk(child, part === '' ? `${i + 1}` : `${part}.${i + 1}`)
  }
  walk(tree.root, '')
  return leaves
}

/** An attachment with its number and original bytes. */
interface NumberedAttachment {
  attachment: Attachment
  part: string
  content: Uint8Array
  charset?: string | undefined
  smimeType?: string | undefined
  /** Signed data whose content is part of the message. */
  isOpened?: boolean
}

/** Attachments come in tree order. If they ever do not, their position counts: `#3`. */
function numberAttachments(attachments: Attachment[], leaves: Leaf[]): NumberedAttachment[] {
  const others = leaves.filter((leaf) => !leaf.isText)
  const isTreeOrder =
    others.length === attachments.length &&
    others.every((other, i) => other.node.contentType.parsed.value === attachments[i]!.mimeType)
  return attachments.map((attachment, i) => {
    if (!isTreeOrder) return { attachment, part: `#${i + 1}`, content: attachmentBytes(attachment) }
    const { node, part } = others[i]!
    const { charset, 'smime-type': smimeType } = node.contentType.parsed.params
    return { attachment, part, content: new Uint8Array(node.content!), charset, smimeType }
  })
}

const maxCalendarBytes = 20 * 2 ** 20

/**
 * The calendar of a message: a part of that type, else a file with calendar name and content. Adds the METHOD if only
 * the header of the part has it (RFC 6047).
 */
function calendarText(parts: readonly NumberedAttachment[]): string | undefined {
  const isType = ({ attachment }: NumberedAttachment) => attachment.mimeType === 'text/calendar'
  const isFile = ({ attachment, content }: NumberedAttachment) =>
    attachment.mimeType === 'application/ics' ||
    (/\.(ics|ical|ifb|icalendar)$/i.test(attachment.filename ?? '') &&
      content.byteLength <= maxCalendarBytes)
  for (const part of [...parts.filter(isType), ...parts.filter(isFile)]) {
    const text = calendarPart(part)
    if (isType(part) || /^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text.slice(0, 1000)))
      return withMethod(text, part.attachment.method)
  }
  return undefined
}

/** Uses the charset of the part, unless it is often named by mistake: then the bytes decide. */
function calendarPart({ content, charset = 'utf-8' }: NumberedAttachment): string {
  if (!/^(utf-?8|us-ascii|windows-1252)$/i.test(charset)) {
    try {
      return new TextDecoder(charset).decode(content)
    } catch {
      // Unknown charset name.
    }
  }
  const latin1 = Buffer.from(content).toString('latin1')
  const unfolded = Buffer.from(latin1.replaceAll(/\r?\n[ \t]/g, ''), 'latin1') // lines may be folded within a character
  return new TextDecoder(fitsUtf8(unfolded) ? 'utf-8' : 'windows-1252').decode(unfolded)
}

function withMethod(text: string, method: string | undefined): string {
  if (method === undefined || /^METHOD[;:]/im.test(text) || !/^[A-Za-z-]{1,40}$/.test(method))
    return text
  return text.replace(
    /^(\uFEFF?\s*BEGIN:VCALENDAR[ \t]*\r?\n)/i,
    `$1METHOD:${method.toUpperCase()}\r\n`,
  )
}

function presentAttachment(
  { attachment, part, content, isOpened = false }: NumberedAttachment,
  withContent: boolean,
): ParsedAttachment {
  const contentId = attachment.contentId?.replaceAll(/^\s*<|>\s*$/g, '')
  return {
    part,
    name: attachmentNameOf(attachment),
    mime: attachment.mimeType.slice(0, 200),
    size: content.byteLength,
    sha256: createHash('sha256').update(content).digest('hex'),
    ...(contentId ? { contentId: contentId.slice(0, 500) } : {}),
    inline:
      isOpened ||
      attachment.related === true ||
      (attachment.disposition === 'inline' &&
        contentId !== undefined &&
        attachment.mimeType.startsWith('image/')),
    ...(attachment.method ? { method: attachment.method.slice(0, 40) } : {}),
    ...(withContent ? { content } : {}),
  }
}

function attachmentBytes({ content }: Attachment): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content)
  return content instanceof Uint8Array ? content : new Uint8Array(content)
}

function attachedTextOf(attachment: Attachment): string {
  return new TextDecoder().decode(attachmentBytes(attachment))
}

const defaultNames: Record<string, string> = {
  'message/rfc822': 'message.eml',
  'text/calendar': 'invite.ics',
  'message/delivery-status': 'delivery-status.txt',
  'text/plain': 'text.txt',
  'text/html': 'text.html',
  'application/pdf': 'document.pdf',
  'image/png': 'image.png',
  'image/jpeg': 'image.jpg',
  'image/gif': 'image.gif',
}

function attachmentNameOf({ filename, mimeType }: Attachment): string {
  return headerText(filename ?? '', 200) || defaultNames[mimeType] || 'attachment'
}

const maxHeaders = 300
const maxHeaderLength = 4_000

function headersIn(email: Email, limits: MailLimits): ParsedMessage {
  const value = (name: string) => email.headers.find((header) => header.key === name)?.value
  const recipients = recipientsIn(email, limits)
  const date = dateOf(value('date'))
  const listId = /<([^<>]+)>/.exec(value('list-id') ?? '')?.[1] ?? value('list-id')
  const warnings: string[] = []
  if (date?.isUtcAssumed)
    warnings.push('The time zone of its Date header cannot be read; day and time were read as UTC.')
  if (email.headers.length > maxHeaders)
    warnings.push(
      `It has ${email.headers.length} headers, of which the first ${maxHeaders} are kept.`,
    )
  return {
    headers: email.headers.slice(0, maxHeaders).map((header) => ({
      name: headerText(header.originalKey, 100),
      value: headerText(decodeHeader(header.value), maxHeaderLength),
    })),
    subject: headerText(decodeHeader(value('subject') ?? ''), 1_000),
    ...sendersIn(email, value('from')),
    ...recipients.fields,
    ...(date === undefined ? {} : { date: date.at }),
    ...identifiersIn(value),
    ...(listId ? { listId: headerText(listId, 300) } : {}),
    listUnsubscribe: unsubscribeAddresses(value('list-unsubscribe')),
    listUnsubscribeOneClick: /List-Unsubscribe\s*=\s*One-Click/i.test(
      value('list-unsubscribe-post') ?? '',
    ),
    automatic: isAutomatic(value),
    authentication: authenticationOf(
      email.headers.map((header) => ({ name: header.key, value: header.value })),
    ),
    body: { markdown: '', own: '', quoted: '', signature: '' },
    snippet: '',
    attachments: [],
    reports: [],
    warnings: [...warnings, ...recipients.warnings],
  }
}

/** Author of the message, and its actual sender. */
function sendersIn(
  email: Email,
  rawFrom: string | undefined,
): Pick<ParsedMessage, 'from' | 'sender'> {
  const from =
    headerAddresses(email, 'from', email.from ? [email.from] : []).flatMap(addressesOf)[0] ??
    looseAddress(rawFrom)
  const sender = headerAddresses(email, 'sender', email.sender ? [email.sender] : []).flatMap(
    addressesOf,
  )[0]
  return { ...(from ? { from } : {}), ...(sender ? { sender } : {}) }
}

const recipientFields = { to: 'to', cc: 'cc', bcc: 'bcc', replyTo: 'reply-to' } as const
type RecipientField = keyof typeof recipientFields

/** The addresses of each field up to the limit, with a warning for each field that exceeds it. */
function recipientsIn(
  email: Email,
  limits: MailLimits,
): { fields: Record<RecipientField, MailAddress[]>; warnings: string[] } {
  const warnings: string[] = []
  const list = (name: RecipientField): MailAddress[] => {
    const all = headerAddresses(email, recipientFields[name], email[name] ?? []).flatMap(
      addressesOf,
    )
    if (all.length > limits.recipients)
      warnings.push(
        `The field ${name} has ${all.length} addresses, of which the first ${limits.recipients} are kept.`,
      )
    return all.slice(0, limits.recipients)
  }
  const fields = { to: list('to'), cc: list('cc'), bcc: list('bcc'), replyTo: list('replyTo') }
  return { fields, warnings }
}

/** Ids of the message and of the messages it replies to. */
function identifiersIn(
  value: (name: string) => string | undefined,
): Pick<ParsedMessage, 'messageId' | 'inReplyTo' | 'references'> {
  const [messageId] = messageIds(value('message-id'))
  const [inReplyTo] = messageIds(value('in-reply-to'))
  return {
    ...(messageId ? { messageId } : {}),
    ...(inReplyTo ? { inReplyTo } : {}),
    references: messageIds(value('references')),
  }
}

/** A header's addresses from the parser, or parsed again if encoded words lack a usable charset. */
function headerAddresses(email: Email, key: string, parsed: Address[]): Address[] {
  const values = email.headers.filter((header) => header.key === key).map((header) => header.value)
  if (!values.some(hasWeakWords)) return parsed
  return values.flatMap((value) => addressParser(value.replaceAll(encodedWord, withKnownCharset)))
}

/** A value with decoded words; malformed ones stay unchanged. */
function decodeHeader(value: string): string {
  try {
    return decodeWords(value.replaceAll(encodedWord, withKnownCharset))
  } catch {
    return value
  }
}

const encodedWord = /=\?([^?\s*]{0,40})(?:\*[^?\s]{0,40})?\?([qb])\?([^?\s]*)\?=/gi

/** Replaces the charset of an encoded word by UTF-8 if it is meaningless and the bytes are UTF-8. */
function withKnownCharset(word: string, charset: string, encoding: string, text: string): string {
  if (!isWeakCharset(charset)) return word
  const bytes =
    encoding.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64')
      : Buffer.from(
          text.replaceAll(/=([\da-f]{2})/gi, (_, hex: string) =>
            String.fromCharCode(Number.parseInt(hex, 16)),
          ),
          'latin1',
        )
  return `=?${fitsUtf8(bytes) ? 'utf-8' : 'windows-1252'}?${encoding}?${text}?=`
}

function addressesOf(address: Address): MailAddress[] {
  if (address.group) return address.group.flatMap(addressesOf)
  if (!address.address && !address.name) return []
  return [{ name: headerText(address.name, 300), address: normalizeAddress(address.address ?? '') }]
}

/** Author given by a header without a valid address: its text is shown as a name. */
function looseAddress(value: string | undefined): MailAddress | undefined {
  if (!value?.trim()) return undefined
  const parsedAddress = addressParser(value, { flatten: true }).flatMap(addressesOf)[0]
  return parsedAddress ?? { name: headerText(decodeHeader(value), 300), address: '' }
}

function normalizeAddress(address: string): string {
  const plain = headerText(address, 320)
  return /^[^\s@]+@[^\s@]+$/.test(plain) ? plain.toLowerCase() : plain
}
