import type {
  FetchMessageObject,
  ListResponse,
  MessageAddressObject,
  MessageStructureObject,
} from 'imapflow'
import { dateOf, hasWeakWords } from '../mail/headers.ts'
import type { MailAddress as ParsedAddress, ParsedMessage } from '../mail/shapes.ts'

/** Purpose of a folder, whatever its name. */
type FolderRole =
  | 'inbox'
  | 'sent'
  | 'drafts'
  | 'trash'
  | 'spam'
  | 'archive'
  | 'all'
  | 'starred'
  | 'important'

interface FolderStatus {
  messages: number
  unseen: number
  uidNext: number
  uidValidity: string
  /** Text, because it exceeds the range of a number; undefined if the server counts no changes. */
  modseq: string | undefined
}

export interface Folder {
  path: string
  /** The last part of the path. */
  name: string
  role: FolderRole | undefined
  /** server: reported by the server; name: guessed from the folder's name. */
  roleSource: 'server' | 'name' | undefined
  isSelectable: boolean
  status: FolderStatus | undefined
}

export interface MailAddress {
  name?: string
  email: string
}

/** A message part that is not a multipart. */
export interface MailPart {
  /** Part number on the server, such as `1.2`. */
  part: string
  mime: string
  /** Size in bytes as stored, encoded. */
  size: number
  encoding: string
  charset: string | undefined
  name: string | undefined
  contentId: string | undefined
  isAttachment: boolean
}

/** Header of a message, for lists and for threading. Texts are truncated, never trusted. */
export interface MailHeader {
  uid: number
  modseq: string | undefined
  flags: string[]
  /** Gmail only. */
  labels: string[] | undefined
  serverMessage: string | undefined
  serverThread: string | undefined
  size: number
  /** Milliseconds of the server's receipt; 0 if unknown. */
  receivedAt: number
  sentAt: number | undefined
  /** With angle brackets, like those below. */
  messageId: string | undefined
  inReplyTo: string | undefined
  references: string[]
  subject: string
  from: MailAddress | undefined
  sender: MailAddress | undefined
  to: MailAddress[]
  cc: MailAddress[]
  bcc: MailAddress[]
  replyTo: MailAddress[]
  /** Requested headers, unfolded, by lower-case name; the topmost of several. */
  headers: Record<string, string>
  parts: MailPart[]
}

/** Headers missing from the envelope, or misread by servers that build it. */
export const requestedHeaders = [
  'date',
  'subject',
  'from',
  'sender',
  'to',
  'cc',
  'bcc',
  'reply-to',
  'references',
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'authentication-results',
  'auto-submitted',
  'precedence',
  'x-failed-recipients',
  'received',
] as const

const maxRecipients = 200
const maxReferences = 100
const maxParts = 200
const maxTextLength = 1000

const roles: Record<string, FolderRole> = {
  '\\Inbox': 'inbox',
  '\\Sent': 'sent',
  '\\Drafts': 'drafts',
  '\\Trash': 'trash',
  '\\Junk': 'spam',
  '\\Archive': 'archive',
  '\\All': 'all',
  '\\Flagged': 'starred',
  '\\Important': 'important',
}

export function folderOf(listed: ListResponse): Folder {
  const { path, name, flags, specialUse, specialUseSource, status } = listed
  const role = path.toUpperCase() === 'INBOX' ? 'inbox' : roles[specialUse ?? '']
  return {
    path,
    name: cleanHeaderText(name) || 'Unnamed folder',
    role,
    roleSource: role && (specialUseSource === 'name' ? 'name' : 'server'),
    isSelectable: !flags.has('\\Noselect') && !flags.has('\\NonExistent'),
    status:
      status?.uidValidity === undefined
        ? undefined
        : {
            messages: status.messages ?? 0,
            unseen: status.unseen ?? 0,
            uidNext: status.uidNext ?? 0,
            uidValidity: String(status.uidValidity),
            modseq: status.highestModseq ? String(status.highestModseq) : undefined,
          },
  }
}

export function headerOf(message: FetchMessageObject): MailHeader {
  const { envelope = {}, headers: block } = message
  const headers = headersIn(block)
  return {
    uid: message.uid,
    modseq: message.modseq === undefined ? undefined : String(message.modseq),
    flags: [...(message.flags ?? [])],
    labels: message.labels ? [...message.labels] : undefined,
    serverMessage: message.emailId,
    serverThread: message.threadId,
    size: message.size ?? 0,
    receivedAt: timeOf(message.internalDate) ?? 0,
    sentAt: dateOf(headers.date)?.at ?? timeOf(envelope.date),
    messageId: messageIdsIn(envelope.messageId ?? '')[0],
    inReplyTo: messageIdsIn(envelope.inReplyTo ?? '')[0],
    references: limitReferences(messageIdsIn(headers.references ?? '')),
    subject: cleanHeaderText(envelope.subject),
    from: addressesOf(envelope.from)[0],
    sender: addressesOf(envelope.sender)[0],
    to: addressesOf(envelope.to),
    cc: addressesOf(envelope.cc),
    bcc: addressesOf(envelope.bcc),
    replyTo: addressesOf(envelope.replyTo),
    headers,
    parts: mailPartsOf(message.bodyStructure),
  }
}

/** Placeholders that some servers use for an address that lacks a mailbox or a domain, or cannot be parsed. */
const placeholderPattern =
  /^(?:\.?(?:missing[-_](?:mailbox|domain|host-name|host|mailbox-terminator)|syntax[-_]error|invalid[-_]address|unexpected-data-after-address)\.?|unspecified-domain)$/i

function isPlaceholder({ address = '' }: MessageAddressObject): boolean {
  const at = address.lastIndexOf('@')
  return (
    at >= 0 &&
    (placeholderPattern.test(address.slice(0, at)) ||
      placeholderPattern.test(address.slice(at + 1)))
  )
}

const addressFields = [
  ['from', 'from'],
  ['sender', 'sender'],
  ['to', 'to'],
  ['cc', 'cc'],
  ['bcc', 'bcc'],
  ['reply-to', 'replyTo'],
] as const

/**
 * Whether the server's parsing of addresses or subject is unreliable: placeholder addresses, a different number of
 * addresses than in the header, encoded words without a usable charset.
 */
export function isMisread({ envelope = {}, headers: block }: FetchMessageObject): boolean {
  const fields = fieldsIn(block)
  return (
    addressFields.some(([name, key]) => {
      const envelopeAddresses = envelope[key] ?? []
      if (envelopeAddresses.some(isPlaceholder)) return true
      const value = fields.get(name)
      return (
        value !== undefined &&
        (hasWeakWords(value) ||
          addressCount(value) !==
            envelopeAddresses.filter((messageAddressObject) => messageAddressObject.address).length)
      )
    }) || hasWeakWords(fields.get('subject') ?? '')
  )
}

/** Counts the @ outside quotes and comments. */
function addressCount(value: string): number {
  let count = 0
  let depth = 0
  let isQuoted = false
  for (let i = 0; i < value.length; i++) {
    const character = value[i]
    if (character === '\\') i++
    else if (character === '"' && depth === 0) isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '(') depth++
    else if (character === ')' && depth > 0) depth--
    else if (character === '@' && depth === 0) count++
  }
  return count
}

/** The header with addresses and subject parsed from its own text. */
export function correctedHeader(
  header: MailHeader,
  { subject, from, sender, to, cc, bcc, replyTo }: ParsedMessage,
): MailHeader {
  const [author] = parsedAddresses(from ? [from] : [])
  const [sentBy] = parsedAddresses(sender ? [sender] : [])
  return {
    ...header,
    subject: cleanHeaderText(subject),
    from: author,
    sender: sentBy,
    to: parsedAddresses(to),
    cc: parsedAddresses(cc),
    bcc: parsedAddresses(bcc),
    replyTo: parsedAddresses(replyTo),
  }
}

function parsedAddresses(addresses: readonly ParsedAddress[]): MailAddress[] {
  return addresses.slice(0, maxRecipients).flatMap(({ name, address }) => {
    const email = /^[^\s@<>]+@[^\s@<>]+$/.test(address)
      ? cleanHeaderText(address).slice(0, 320)
      : ''
    const displayName = cleanHeaderText(name || (email === '' ? address : '')).slice(0, 200)
    if (email === '' && !/[\p{L}\p{N}]/u.test(displayName)) return []
    return [{ ...(displayName === '' ? {} : { name: displayName }), email }]
  })
}

/** Message-IDs in a header text, in order, with angle brackets, which some programs omit. */
function messageIdsIn(text: string): string[] {
  const bracketed = [...text.matchAll(/<[^<>\s]{1,990}>/g)].map(([id]) => id)
  return bracketed.length > 0
    ? bracketed
    : text
        .split(/[\s,]+/)
        .filter((id) => /^[^<>]{1,990}$/.test(id) && id.includes('@'))
        .map((id) => `<${id}>`)
}

/** Keeps the root and the nearest references: those between add nothing to threading. */
function limitReferences(ids: string[]): string[] {
  const unique = [...new Set(ids)]
  return unique.length <= maxReferences ? unique : [unique[0]!, ...unique.slice(1 - maxReferences)]
}

function addressesOf(addressObjects: MessageAddressObject[] | undefined): MailAddress[] {
  const addresses = (addressObjects ?? []).slice(0, maxRecipients).map((messageAddressObject) => ({
    name: cleanHeaderText(messageAddressObject.name).slice(0, 200),
    email: isPlaceholder(messageAddressObject)
      ? ''
      : cleanHeaderText(messageAddressObject.address).slice(0, 320),
  }))
  return addresses
    .filter(({ name, email }) => name !== '' || email !== '')
    .map(({ name, email }) => (name === '' ? { email } : { name, email }))
}

/** One line without invisible characters or line breaks. */
function cleanHeaderText(text: string | undefined): string {
  return (text ?? '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .toWellFormed()
    .trim()
    .slice(0, maxTextLength)
}

function timeOf(date: Date | string | undefined): number | undefined {
  const at = date === undefined ? NaN : new Date(date).getTime()
  return Number.isFinite(at) ? at : undefined
}

function headersIn(block: Buffer | undefined): Record<string, string> {
  return Object.fromEntries(
    [...fieldsIn(block)].map(([name, value]) => [name, value.slice(0, 8000)]),
  )
}

/** Unfolded headers by lower-case name; the topmost if repeated. */
function fieldsIn(block: Buffer | undefined): Map<string, string> {
  const fields = new Map<string, string>()
  const lines = (block?.toString('utf8') ?? '').replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  for (const line of lines) {
    const [, name, value] = /^([!-9;-~]+)[ \t]*:(.*)$/.exec(line) ?? []
    if (name !== undefined && !fields.has(name.toLowerCase()))
      fields.set(name.toLowerCase(), value!.trim())
  }
  return fields
}

function mailPartsOf(root: MessageStructureObject | undefined): MailPart[] {
  const mailParts: MailPart[] = []
  const queue = root ? [root] : []
  while (queue.length > 0 && mailParts.length < maxParts) {
    const node = queue.shift()!
    if (node.childNodes && !node.type.startsWith('message/'))
      queue.unshift(...node.childNodes.slice(0, maxParts))
    else mailParts.push(mailPartOf(node))
  }
  return mailParts
}

function mailPartOf(node: MessageStructureObject): MailPart {
  const {
    part = '1',
    type,
    parameters = {},
    disposition,
    dispositionParameters = {},
    encoding,
    size,
    id,
  } = node
  const name = cleanHeaderText(dispositionParameters.filename ?? parameters.name) || undefined
  const mime = type.toLowerCase().slice(0, 120)
  const isText = mime === 'text/plain' || mime === 'text/html'
  return {
    part,
    mime,
    size: size ?? 0,
    encoding: (encoding ?? '7bit').toLowerCase(),
    charset: parameters.charset,
    name,
    contentId: id === undefined ? undefined : id.replace(/[<>]/g, '').slice(0, 500),
    isAttachment: disposition?.toLowerCase() === 'attachment' || name !== undefined || !isText,
  }
}
