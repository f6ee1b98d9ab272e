import { createHash } from 'node:crypto'
import type { MailAddress, MailHeader, MailPart } from '../../../connectors/imap/imap.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import { ownLabels, placeOfRole } from '../mailboxes/placement.ts'
import type { MailAccount, EmailRow, FolderRow } from './store.ts'
import type { ThreadInput } from './threads.ts'
import { labelOf } from '../mailboxes/keywords.ts'

/** Data besides the header that is needed to build the rows of a message. */
export interface MessageContext {
  account: MailAccount
  folder: FolderRow
  /** Addresses of the account's owner, in lower case. */
  ownAddresses: ReadonlySet<string>
  /** Names of labels that the mailbox has, for its keywords. */
  labels: Iterable<string>
  now: number
}

/** Bodies of larger messages are fetched by their text parts alone. */
export const maxWholeMessageBytes = 10 * 2 ** 20

const minSentAt = Date.UTC(1971, 0, 1)

/** The row of a new message; its conversation is set later. */
export function newEmailRow(header: MailHeader, around: MessageContext): EmailRow {
  const { account, folder, ownAddresses, now } = around
  const receivedAt = header.receivedAt || header.sentAt || now
  const author = header.from ?? header.sender
  const from = author?.email.toLowerCase() ?? ''
  const place = placeOfRole(folder.role, header.labels)
  const isOwn = ownAddresses.has(from) || folder.role === 'sent'
  const attachments = header.parts.filter(isFile)
  return {
    id: newId('eml', now),
    org_id: account.org_id,
    owner_id: account.owner_id,
    account_id: account.id,
    thread_id: '' as EmailRow['thread_id'],
    folder_id: folder.id,
    uid: header.uid,
    place,
    message_id: header.messageId ?? generatedMessageId(header),
    in_reply_to: header.inReplyTo ?? null,
    references_json: JSON.stringify(header.references),
    from_name: author?.name ?? null,
    from_email: from,
    addresses_json: JSON.stringify({
      to: header.to,
      cc: header.cc,
      bcc: header.bcc,
      reply_to: header.replyTo,
    }),
    is_own: isOwn ? 1 : 0,
    is_bulk: isBulk(header.headers) ? 1 : 0,
    subject: header.subject,
    snippet: '',
    sent_at: isPlausible(header.sentAt, receivedAt) ? header.sentAt! : receivedAt,
    received_at: receivedAt,
    size_bytes: header.size,
    ...flagColumns(header.flags),
    has_attachment: attachments.some((attachment) => !isInline(attachment)) ? 1 : 0,
    unsubscribe_json: unsubscribeOf(header.headers),
    authentication_json: null,
    delivery: isOwn && place === 'sent' ? 'sent' : 'received',
    delivery_problem: null,
    body_state: 'pending',
    body_tried_at: null,
    server_message: header.serverMessage ?? null,
    server_thread: header.serverThread ?? null,
    modseq: header.modseq ?? null,
    revision: 1,
    created_at: now,
    updated_at: now,
    created_by: account.owner_id,
    created_via: 'sync',
  }
}

export function threadInputOf(row: EmailRow, header: MailHeader): ThreadInput {
  const people = [
    row.from_email,
    ...header.to.map((mailAddress) => mailAddress.email),
    ...header.cc.map((mailAddress) => mailAddress.email),
  ]
    .map((name) => name.toLowerCase())
    .filter((name) => name !== '')
  return {
    messageId: row.message_id,
    inReplyTo: row.in_reply_to,
    references: header.references,
    serverThread: row.server_thread,
    subject: row.subject,
    receivedAt: row.received_at,
    people: [...new Set(people)].slice(0, 50),
  }
}

export function addressRows(row: EmailRow, header: MailHeader): Row<'email_addresses'>[] {
  const rowsByAddress = new Map<string, Row<'email_addresses'>>()
  const add = (field: Row<'email_addresses'>['field'], list: readonly MailAddress[]) => {
    for (const { name, email } of list) {
      const address = email.toLowerCase()
      if (address !== '')
        rowsByAddress.set(`${field} ${address}`, {
          email_id: row.id,
          field,
          address,
          org_id: row.org_id,
          owner_id: row.owner_id,
          name: name ?? null,
          received_at: row.received_at,
        })
    }
  }
  const from = header.from ?? header.sender
  add('from', from ? [from] : [])
  add('to', header.to)
  add('cc', header.cc)
  add('bcc', header.bcc)
  add('reply_to', header.replyTo)
  return [...rowsByAddress.values()]
}

const defaultFileNames: Partial<Record<string, string>> = {
  'message/rfc822': 'message.eml',
  'text/calendar': 'invitation.ics',
}

export function attachmentRows(row: EmailRow, header: MailHeader): Row<'email_attachments'>[] {
  return header.parts.filter(isFile).map((part, position) => ({
    id: newId('eat', row.created_at),
    org_id: row.org_id,
    email_id: row.id,
    part: part.part,
    position,
    name:
      part.name ??
      defaultFileNames[part.mime] ??
      (part.mime.startsWith('image/') ? 'image' : 'attachment'),
    mime_type: part.mime,
    size_bytes: part.encoding === 'base64' ? Math.floor((part.size * 3) / 4.1) : part.size,
    content_id: part.contentId ?? null,
    is_inline: isInline(part) ? 1 : 0,
    file_id: null,
    text_state: 'pending',
    text: null,
    text_cut: 0,
    revision: 1,
    created_at: row.created_at,
    updated_at: row.created_at,
    created_by: row.created_by,
    created_via: 'sync',
  }))
}

/** Labels of a message by its flags or Gmail labels. */
export function messageLabelsOf(
  flags: readonly string[],
  labels: readonly string[] | undefined,
  labelCandidates: Iterable<string>,
): string[] {
  if (labels) return [...new Set(ownLabels(labels))]
  const labelNames = flags
    .filter((flag) => !flag.startsWith('\\'))
    .flatMap((flag) => labelOf(flag, labelCandidates) ?? [])
  return [...new Set(labelNames)]
}

export function labelRows(row: EmailRow, names: readonly string[]): Row<'email_labels'>[] {
  return names.map((name) => ({
    email_id: row.id,
    name,
    org_id: row.org_id,
    account_id: row.account_id,
    added_at: row.created_at,
  }))
}

export function flagColumns(
  flags: readonly string[],
): Pick<EmailRow, 'unread' | 'starred' | 'answered'> {
  const has = (flag: string) => (flags.includes(flag) ? 1 : 0)
  return { unread: has('\\Seen') ? 0 : 1, starred: has('\\Flagged'), answered: has('\\Answered') }
}

function isFile(part: MailPart): boolean {
  return part.isAttachment && !part.mime.startsWith('multipart/')
}

function isInline(part: MailPart): boolean {
  return part.contentId !== undefined && part.mime.startsWith('image/')
}

/** A deterministic id for messages without a Message-ID, the same in every folder. */
function generatedMessageId({ sentAt, from, subject, size, receivedAt }: MailHeader): string {
  const text = JSON.stringify([sentAt ?? receivedAt, from?.email ?? '', subject, size])
  return `<${createHash('sha256').update(text).digest('hex').slice(0, 40)}@without-id.invalid>`
}

/** Whether a sender's date is plausible: clocks may be wrong, and dates forged. */
function isPlausible(sentAt: number | undefined, receivedAt: number): boolean {
  return sentAt !== undefined && sentAt >= minSentAt && sentAt <= receivedAt + dayLength
}

function isBulk(headers: Record<string, string>): boolean {
  if (headers['list-id'] !== undefined || headers['list-unsubscribe'] !== undefined) return true
  if (/^(bulk|list|junk)/i.test(headers.precedence ?? '')) return true
  const automatic = headers['auto-submitted']
  return automatic !== undefined && !/^no\b/i.test(automatic)
}

function unsubscribeOf(headers: Record<string, string>): string | null {
  const methods = [
    ...(headers['list-unsubscribe'] ?? '').matchAll(/<\s*([^<>\s]{1,2000})\s*>/g),
  ].map(([, way]) => way!)
  const url = methods.find((way) => /^https?:\/\//i.test(way))
  const mailto = methods.find((way) => /^mailto:/i.test(way))
  if (url === undefined && mailto === undefined) return null
  const one_click =
    url !== undefined &&
    /^https:/i.test(url) &&
    /list-unsubscribe\s*=\s*one-click/i.test(headers['list-unsubscribe-post'] ?? '')
  return JSON.stringify({
    ...(url === undefined ? {} : { url }),
    ...(mailto === undefined ? {} : { mailto }),
    one_click,
  })
}
