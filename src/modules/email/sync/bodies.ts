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
import { reportedIds, takeReports } from './bounces.ts'
import { searchAgain } from './changes.ts'
import { wholeUpTo } from './messages.ts'
import { insertMany, type EmailRow, type FolderRow, type Store } from './store.ts'
import { writePieces } from './batches.ts'
import type { Work } from './folder-visits.ts'

const batchSize = 40
/** Bytes of messages that are held at once. */
const heldAtOnce = 4 * 2 ** 20
const textUpTo = 2 * 2 ** 20
const writtenAtOnce = 5
const documentsOfOne = 10
/** Types and name endings of attachments that contain text. */
const readable =
  /^text\/|pdf|word|officedocument|opendocument|excel|powerpoint|rtf|message\/rfc822|\.(pdf|docx?|xlsx?|pptx?|odt|ods|odp|csv|txt|md|html?|rtf|eml)$/i

type Attachment = Row<'email_attachments'>

interface ReadMessage {
  email: EmailRow
  parsed: ParsedMessage
  /** Texts of its documents, by part. */
  texts: Map<string, ExtractedText>
  /** Set for a delivery report: the messages that it is about. */
  reported: string[]
}

/** Fetches and reads the bodies of some messages, the newest first; whether there are more. */
export async function takeBodies(work: Work): Promise<boolean> {
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
    await takeFrom(work, folder, emails)
  }
  return true
}

/** One message, because someone asks for it. */
export async function takeBody(work: Work, email: EmailRow): Promise<void> {
  if (email.folder_id === null || email.uid === null) return
  const folder = await work.outside.write(({ all }) =>
    all
      .selectFrom('mail_folders')
      .selectAll()
      .where('id', '=', email.folder_id!)
      .executeTakeFirstOrThrow(),
  )
  await takeFrom(work, folder, [email])
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

async function takeFrom(work: Work, folder: FolderRow, emails: readonly EmailRow[]): Promise<void> {
  const { outside } = work
  const open = await (await work.line.session()).open(folder.path)
  if (open.uidValidity !== folder.uid_validity) return putOff(work, emails) // the next visit finds them again
  for (const portion of portions(emails)) {
    outside.signal.throwIfAborted()
    const sources = await sourcesOf(work, folder, portion)
    await putOff(
      work,
      portion.filter((row) => !sources.has(row.uid!)),
    )
    const read: ReadMessage[] = []
    for (const email of portion) {
      const source = sources.get(email.uid!)
      if (source) read.push(await readMessage(email, source))
    }
    await writePieces(
      outside,
      read,
      writtenAtOnce,
      (messages) => outside.write((system) => storeBodies(system, messages)),
      (message) => putOff(work, [message.email]),
    )
    work.hasAdvanced = true
  }
}

/** Splits messages into portions that may be held in memory at once. */
function portions(emails: readonly EmailRow[]): EmailRow[][] {
  const batches: EmailRow[][] = []
  let heldBytes = Infinity
  for (const email of emails) {
    if (heldBytes + email.size_bytes > heldAtOnce) {
      batches.push([])
      heldBytes = 0
    }
    batches.at(-1)!.push(email)
    heldBytes += email.size_bytes
  }
  return batches
}

/** The bytes of messages; of one that cannot be had, nothing. */
async function sourcesOf(
  work: Work,
  folder: FolderRow,
  emails: readonly EmailRow[],
): Promise<Map<number, Buffer>> {
  const [first] = emails
  try {
    const session = await work.line.session()
    if (emails.length > 1 || first!.size_bytes <= wholeUpTo)
      return await session.sources(emails.map((email) => email.uid!))
    const source = await textsAlone(session, first!.uid!)
    return new Map(source ? [[first!.uid!, source]] : [])
  } catch (error) {
    if (!(error instanceof MailFailure) || !['unreadable', 'refused'].includes(error.trouble))
      throw error
    work.line.drop()
    await (await work.line.session()).open(folder.path)
    if (emails.length === 1) return new Map()
    const sourcesByUid = new Map<number, Buffer>()
    for (const email of emails)
      for (const [uid, source] of await sourcesOf(work, folder, [email]))
        sourcesByUid.set(uid, source)
    return sourcesByUid
  }
}

/** A large message as if it had nothing but its headers and texts. */
async function textsAlone(session: ImapSession, uid: number): Promise<Buffer | undefined> {
  const [listed] = await session.headers([uid])
  if (!listed) return undefined
  const texts = listed.parts
    .filter((part) => !part.isAttachment && /^text\/(plain|html)$/.test(part.mime))
    .slice(0, 2)
  const partContents = await session.parts(
    uid,
    ['HEADER', ...texts.map((text) => text.part)],
    textUpTo,
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
      (readable.test(attachment.mime) || readable.test(attachment.name)),
  )
  for (const { part, content, mime, name } of documents.slice(0, documentsOfOne))
    texts.set(part, await extractText(content!, mime, name))
  for (const attachment of parsed.attachments) delete attachment.content
  return { email, parsed, texts, reported: parsed.reports.length > 0 ? reportedIds(source) : [] }
}

/** They could not be had; what became of those that are not where they were the next visit tells. */
async function putOff({ outside }: Work, emails: readonly EmailRow[]): Promise<void> {
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
  for (const { email, parsed, texts, reported } of messages) {
    const row = await all
      .selectFrom('emails')
      .selectAll()
      .where('id', '=', email.id)
      .executeTakeFirst()
    if (!row) continue // erased meanwhile
    const attachments = await keepAttachments(all, row, parsed.attachments, texts, now)
    await all.deleteFrom('email_bodies').where('email_id', '=', row.id).execute()
    await insertMany(all, 'email_bodies', [emailBodyRow(row, parsed)])
    const { authentication, snippet, automatic } = parsed
    const patch: Partial<EmailRow> = omitNullish({
      body_state: 'ready',
      body_tried_at: now,
      snippet,
      authentication_json: JSON.stringify(authentication),
      ...(row.size_bytes <= wholeUpTo
        ? { has_attachment: attachments.some((attachment) => attachment.is_inline === 0) ? 1 : 0 }
        : {}),
      is_bulk: automatic && row.is_own === 0 ? 1 : undefined,
    })
    await all.updateTable('emails').set(patch).where('id', '=', row.id).execute()
    await searchAgain(all, row.id)
    if (reported.length > 0) await takeReports(system, row, parsed.reports, reported)
    const decidesWhoWaits =
      row.is_own === 1 || parsed.calendar !== undefined || (automatic && row.is_bulk === 0)
    if (decidesWhoWaits) threads.add(row.thread_id)
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

/** Attachments as the message itself has them; those that the server listed keep their ids. Of a message whose texts alone were read, the list stays. */
async function keepAttachments(
  all: Store,
  row: EmailRow,
  attachments: readonly ParsedAttachment[],
  texts: ReadonlyMap<string, ExtractedText>,
  now: number,
): Promise<Attachment[]> {
  const there = await all
    .selectFrom('email_attachments')
    .selectAll()
    .where('email_id', '=', row.id)
    .execute()
  if (row.size_bytes > wholeUpTo || (attachments.length === 0 && row.delivery !== 'received')) {
    await all
      .updateTable('email_attachments')
      .set({ text_state: 'none' })
      .where('email_id', '=', row.id)
      .where('text_state', '=', 'pending')
      .execute()
    return there
  }
  const attachmentRows: Attachment[] = []
  for (const [position, parsed] of attachments.entries()) {
    const existing = there.find((old) => old.part === parsed.part)
    const facts = attachmentFacts(parsed, position, texts.get(parsed.part))
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
  const removedRows = there.filter((old) => !attachmentRows.some((item) => item.id === old.id))
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
    attachmentRows.filter((item) => !there.some((old) => old.id === item.id)),
  )
  return attachmentRows
}

function attachmentFacts(
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
