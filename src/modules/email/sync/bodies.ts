import { omitNullish } from '../../../kernel/present.ts'
import { MailFailure, type ImapSession } from '../../../connectors/imap/imap.ts'
import { extractText } from '../../../connectors/extract.ts'
import type { ExtractedText } from '../../../connectors/extract-shapes.ts'
import { parseMessage } from '../../../connectors/mail-parser.ts'
import {
  mailLimits,
  type ParsedAttachment,
  type ParsedMessage,
} from '../../../connectors/mail/shapes.ts'
import { newId } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { recountThreads } from '../threads/access.ts'
import { reportedIds, applyReports } from './bounces.ts'
import { reindexEmail } from './changes.ts'
import { maxWholeMessageBytes } from './messages.ts'
import { insertMany, type EmailRow, type FolderRow, type Store } from './store.ts'
import { writeInBatches } from './batches.ts'
import type { MailSyncRun } from './folder-visits.ts'

const batchSize = 40
/** Maximum bytes of messages in memory at once. */
const maxBytesInMemory = 4 * 2 ** 20
const maxTextBytes = 2 * 2 ** 20
const writeBatchSize = 5
const maxDocumentsPerMessage = 10
/** Types and name endings of attachments that contain text. */
const textDocument =
  /^text\/|pdf|word|officedocument|opendocument|excel|powerpoint|rtf|message\/rfc822|\.(pdf|docx?|xlsx?|pptx?|odt|ods|odp|csv|txt|md|html?|rtf|eml)$/i

type Attachment = Row<'email_attachments'>

interface ReadMessage {
  email: EmailRow
  parsed: ParsedMessage
  /** Extracted texts of its attachments, by part. */
  texts: Map<string, ExtractedText>
  /** For a delivery report: the Message-IDs of the reported messages. */
  reportedMessageIds: string[]
}

/** Fetches and stores the bodies of a batch of messages, newest first. Returns whether there may be more. */
export async function fetchPendingBodies(work: MailSyncRun): Promise<boolean> {
  const waiting = await work.outside.write(({ all }) => withoutBody(all, work.account.id))
  if (waiting.length === 0) return false
  for (const [folderId, emails] of Map.groupBy(waiting, (row) => row.folder_id!)) {
    const folder = await work.outside.write(({ all }) =>
      all
        .selectFrom('mail_folders')
        .selectAll()
        .where('id', '=', folderId)
        .executeTakeFirstOrThrow(),
    )
    await fetchFromFolder(work, folder, emails)
  }
  return true
}

/** Fetches the body of a single requested message. */
export async function fetchBody(work: MailSyncRun, email: EmailRow): Promise<void> {
  if (email.folder_id === null || email.uid === null) return
  const folder = await work.outside.write(({ all }) =>
    all
      .selectFrom('mail_folders')
      .selectAll()
      .where('id', '=', email.folder_id!)
      .executeTakeFirstOrThrow(),
  )
  await fetchFromFolder(work, folder, [email])
}

function withoutBody(all: Store, accountId: EmailRow['account_id']): Promise<EmailRow[]> {
  return all
    .selectFrom('emails')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('body_state', '=', 'pending')
    .where('uid', 'is not', null)
    .where('folder_id', 'is not', null)
    .orderBy('received_at', 'desc')
    .limit(batchSize)
    .execute()
}

async function fetchFromFolder(
  work: MailSyncRun,
  folder: FolderRow,
  emails: readonly EmailRow[],
): Promise<void> {
  const { outside } = work
  const openFolder = await (await work.connection.session()).open(folder.path)
  if (openFolder.uidValidity !== folder.uid_validity) return markFailed(work, emails) // the next visit assigns their new UIDs
  for (const batch of splitBySize(emails)) {
    outside.signal.throwIfAborted()
    const sources = await sourcesOf(work, folder, batch)
    await markFailed(
      work,
      batch.filter((row) => !sources.has(row.uid!)),
    )
    const read: ReadMessage[] = []
    for (const email of batch) {
      const source = sources.get(email.uid!)
      if (source) read.push(await readMessage(email, source))
    }
    await writeInBatches(
      outside,
      read,
      writeBatchSize,
      (messages) => outside.write((system) => storeBodies(system, messages)),
      (message) => markFailed(work, [message.email]),
    )
    work.hasAdvanced = true
  }
}

/** Splits messages into batches that fit in memory. */
function splitBySize(emails: readonly EmailRow[]): EmailRow[][] {
  const batches: EmailRow[][] = []
  let heldBytes = Infinity
  for (const email of emails) {
    if (heldBytes + email.size_bytes > maxBytesInMemory) {
      batches.push([])
      heldBytes = 0
    }
    batches.at(-1)!.push(email)
    heldBytes += email.size_bytes
  }
  return batches
}

/** Sources of messages, by UID; without messages that the server cannot deliver. */
async function sourcesOf(
  work: MailSyncRun,
  folder: FolderRow,
  emails: readonly EmailRow[],
): Promise<Map<number, Buffer>> {
  const [first] = emails
  try {
    const session = await work.connection.session()
    if (emails.length > 1 || first!.size_bytes <= maxWholeMessageBytes)
      return await session.sources(emails.map((email) => email.uid!))
    const source = await fetchTextParts(session, first!.uid!)
    return new Map(source ? [[first!.uid!, source]] : [])
  } catch (error) {
    if (!(error instanceof MailFailure) || !['unreadable', 'refused'].includes(error.trouble))
      throw error
    work.connection.discard()
    await (await work.connection.session()).open(folder.path)
    if (emails.length === 1) return new Map()
    const sourcesByUid = new Map<number, Buffer>()
    for (const email of emails)
      for (const [uid, source] of await sourcesOf(work, folder, [email]))
        sourcesByUid.set(uid, source)
    return sourcesByUid
  }
}

/** Rebuilds a large message from its headers and text parts only. */
async function fetchTextParts(session: ImapSession, uid: number): Promise<Buffer | undefined> {
  const [listed] = await session.headers([uid])
  if (!listed) return undefined
  const texts = listed.parts
    .filter((part) => !part.isAttachment && /^text\/(plain|html)$/.test(part.mime))
    .slice(0, 2)
  const partContents = await session.parts(
    uid,
    ['HEADER', ...texts.map((text) => text.part)],
    maxTextBytes,
  )
  const headers = (partContents.get('HEADER') ?? Buffer.alloc(0))
    .toString('latin1')
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !/^(content-|mime-version)/i.test(line))
  const boundary = `texts-of-${uid}`
  const pieces: Buffer[] = [
    Buffer.from(
      [
        ...headers,
        'MIME-Version: 1.0',
        `Content-Type: multipart/alternative; boundary="${boundary}"`,
        '',
        '',
      ].join('\r\n'),
      'latin1',
    ),
  ]
  for (const { part, mime, charset, encoding } of texts) {
    pieces.push(
      Buffer.from(
        `--${boundary}\r\nContent-Type: ${mime}${charset ? `; charset="${charset.replace(/["\r\n]/g, '')}"` : ''}\r\nContent-Transfer-Encoding: ${encoding.replace(/[\r\n]/g, '')}\r\n\r\n`,
      ),
      partContents.get(part.toUpperCase()) ?? Buffer.alloc(0),
      Buffer.from('\r\n'),
    )
  }
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
}

async function readMessage(email: EmailRow, source: Buffer): Promise<ReadMessage> {
  const parsed = await parseMessage(source, { ...mailLimits, attachments: 200, contents: true })
  const texts = new Map<string, ExtractedText>()
  const documents = parsed.attachments.filter(
    (attachment) =>
      !attachment.inline &&
      attachment.content &&
      (textDocument.test(attachment.mime) || textDocument.test(attachment.name)),
  )
  for (const { part, content, mime, name } of documents.slice(0, maxDocumentsPerMessage))
    texts.set(part, await extractText(content!, mime, name))
  for (const attachment of parsed.attachments) delete attachment.content
  return {
    email,
    parsed,
    texts,
    reportedMessageIds: parsed.reports.length > 0 ? reportedIds(source) : [],
  }
}

/** Marks bodies as failed; the next visit of the folder determines whether the messages still exist. */
async function markFailed({ outside }: MailSyncRun, emails: readonly EmailRow[]): Promise<void> {
  if (emails.length === 0) return
  const body_tried_at = outside.now()
  await outside.write(({ all }) =>
    all
      .updateTable('emails')
      .set({ body_state: 'failed', body_tried_at })
      .where(
        'id',
        'in',
        emails.map((email) => email.id),
      )
      .execute(),
  )
}

async function storeBodies(system: TickContext, messages: readonly ReadMessage[]): Promise<void> {
  const { all, now } = system
  const threads = new Set<string>()
  for (const { email, parsed, texts, reportedMessageIds } of messages) {
    const row = await all
      .selectFrom('emails')
      .selectAll()
      .where('id', '=', email.id)
      .executeTakeFirst()
    if (!row) continue // was erased in the meantime
    const attachments = await storeAttachments(all, row, parsed.attachments, texts, now)
    await all.deleteFrom('email_bodies').where('email_id', '=', row.id).execute()
    await insertMany(all, 'email_bodies', [emailBodyRow(row, parsed)])
    const { authentication, snippet, automatic } = parsed
    const patch: Partial<EmailRow> = omitNullish({
      body_state: 'ready',
      body_tried_at: now,
      snippet,
      authentication_json: JSON.stringify(authentication),
      ...(row.size_bytes <= maxWholeMessageBytes
        ? {
            has_attachment: attachments.some((attachment) => attachment.is_inline === 0) ? 1 : 0,
          }
        : {}),
      is_bulk: automatic && row.is_own === 0 ? 1 : undefined,
    })
    await all.updateTable('emails').set(patch).where('id', '=', row.id).execute()
    await reindexEmail(all, row.id)
    if (reportedMessageIds.length > 0)
      await applyReports(system, row, parsed.reports, reportedMessageIds)
    const affectsAwaiting =
      row.is_own === 1 || parsed.calendar !== undefined || (automatic && row.is_bulk === 0)
    if (affectsAwaiting) threads.add(row.thread_id)
  }
  await recountThreads(all, threads)
}

function emailBodyRow(
  row: EmailRow,
  { body, headers, calendar, warnings }: ParsedMessage,
): Row<'email_bodies'> {
  return {
    email_id: row.id,
    org_id: row.org_id,
    own_markdown: body.own,
    quoted_markdown: body.quoted,
    signature: body.signature,
    html: body.html ?? null,
    headers_json: JSON.stringify(headers),
    calendar_text: calendar ?? null,
    warnings_json: JSON.stringify(warnings),
  }
}

/** Stores the attachments found in the message; known ones keep their ids. If only text parts were read, the list stays. */
async function storeAttachments(
  all: Store,
  row: EmailRow,
  attachments: readonly ParsedAttachment[],
  texts: ReadonlyMap<string, ExtractedText>,
  now: number,
): Promise<Attachment[]> {
  const storedAttachments = await all
    .selectFrom('email_attachments')
    .selectAll()
    .where('email_id', '=', row.id)
    .execute()
  if (
    row.size_bytes > maxWholeMessageBytes ||
    (attachments.length === 0 && row.delivery !== 'received')
  ) {
    await all
      .updateTable('email_attachments')
      .set({ text_state: 'none' })
      .where('email_id', '=', row.id)
      .where('text_state', '=', 'pending')
      .execute()
    return storedAttachments
  }
  const attachmentRows: Attachment[] = []
  for (const [position, parsed] of attachments.entries()) {
    const existing = storedAttachments.find((old) => old.part === parsed.part)
    const facts = attachmentColumns(parsed, position, texts.get(parsed.part))
    if (existing)
      await all
        .updateTable('email_attachments')
        .set({ ...facts, updated_at: now })
        .where('id', '=', existing.id)
        .execute()
    attachmentRows.push(
      existing ? { ...existing, ...facts } : { ...newAttachment(row, now), ...facts },
    )
  }
  const removedRows = storedAttachments.filter(
    (old) => !attachmentRows.some((item) => item.id === old.id),
  )
  if (removedRows.length > 0)
    await all
      .deleteFrom('email_attachments')
      .where(
        'id',
        'in',
        removedRows.map((item) => item.id),
      )
      .execute()
  await insertMany(
    all,
    'email_attachments',
    attachmentRows.filter((item) => !storedAttachments.some((old) => old.id === item.id)),
  )
  return attachmentRows
}

function attachmentColumns(
  parsed: ParsedAttachment,
  position: number,
  { text, cut }: Partial<ExtractedText> = {},
) {
  const hasText = text !== undefined && text !== ''
  return {
    part: parsed.part,
    position,
    name: parsed.name,
    mime_type: parsed.mime,
    size_bytes: parsed.size,
    content_id: parsed.contentId ?? null,
    is_inline: parsed.inline ? 1 : 0,
    text_state: hasText ? 'ready' : 'none',
    text: hasText ? text : null,
    text_cut: cut ? 1 : 0,
  } as const
}

function newAttachment(row: EmailRow, now: number) {
  return {
    id: newId<'email_attachments'>('eat', now),
    org_id: row.org_id,
    email_id: row.id,
    file_id: null,
    revision: 1,
    created_at: now,
    updated_at: now,
    created_by: row.created_by,
    created_via: 'sync',
  } as const
}
