import { omitNullish } from '../../../kernel/present.ts'
import { composeMessage, type OutgoingAttachment } from '../../../connectors/mail/composer.ts'
import { parseMessage } from '../../../connectors/mail-parser.ts'
import { readBlob } from '../../../files/blobs.ts'
import type { Outside } from '../../../operations/jobs/job.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { bytesOf } from '../../drive/access.ts'
import { attachmentsOf, filesOf, queuedEmailOf } from '../outbox/access.ts'
import { renderMessage, type OutgoingMessage, type LetterFile } from '../outbox/messages.ts'
import { MailConnection } from '../sync/sessions.ts'

/** Thrown if an attachment no longer exists: a retry does not help. */
export class MissingAttachment extends Error {}

/** Composes a message, identically on each attempt. `keepsBcc`: for drafts. @throws MissingAttachment; errors of the mail server */
export async function bytesOfLetter(
  outside: Outside,
  account: Row<'accounts'>,
  letter: OutgoingMessage,
  { keepsBcc = false } = {},
): Promise<Buffer> {
  const { text, html } = renderMessage(letter)
  return composeMessage(
    omitNullish({
      messageId: letter.message_id,
      date: new Date(letter.date),
      from: letter.from,
      to: letter.to,
      cc: letter.cc,
      bcc: keepsBcc ? letter.bcc : undefined,
      subject: letter.subject,
      inReplyTo: letter.in_reply_to ?? undefined,
      references: letter.references,
      text,
      html,
      enclosures: await attachmentContents(outside, account, letter.files),
      headers: letter.headers ? letter.headers : undefined,
    }),
  )
}

/** The bytes of a message handed to the server, for its copy in Sent; undefined if no copy is needed. */
export async function bytesSent(outside: Outside, emailId: string): Promise<Buffer | undefined> {
  const queued = await outside.write((system) => queuedEmailOf(system, emailId))
  if (!queued?.account || queued.outbox.state !== 'handed') return undefined
  return bytesOfLetter(
    outside,
    queued.account,
    JSON.parse(queued.outbox.letter_json) as OutgoingMessage,
  )
}

async function attachmentContents(
  outside: Outside,
  account: Row<'accounts'>,
  files: readonly LetterFile[],
): Promise<OutgoingAttachment[]> {
  const rows = await outside.write((system) =>
    filesOf(
      system,
      files.flatMap((file) => file.file_id ?? []),
    ),
  )
  const attached = await attachedBytes(
    outside,
    account,
    files.flatMap((file) => file.attachment_id ?? []),
  )
  return files.map((file) => {
    const bytes =
      file.attachment_id === undefined
        ? fileBytes(
            outside,
            file,
            rows.find((row) => row.id === file.file_id),
          )
        : attached.get(file.attachment_id)
    if (!bytes) throw new MissingAttachment(`“${file.name}” no longer exists.`)
    return { name: file.name, mime: file.mime_type, bytes }
  })
}

/** The content as it was when the message was written, even if the file has changed since. */
function fileBytes(
  outside: Outside,
  { name, sha256, size_bytes }: LetterFile,
  row: Row<'files'> | undefined,
): Buffer {
  try {
    if (row && row.sha256 === sha256) return bytesOf(outside, row)
    return readBlob(outside.settings.data, { sha256: sha256!, size: size_bytes })
  } catch (error) {
    if (error instanceof Refusal)
      throw new MissingAttachment(`“${name}” cannot be read: ${error.message}`)
    throw error
  }
}

/** Attachments of forwarded messages, from the drive or the mail server. */
async function attachedBytes(
  outside: Outside,
  account: Row<'accounts'>,
  ids: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const bytesByAttachment = new Map<string, Uint8Array>()
  const rows = await outside.write((system) => attachmentsOf(system, ids))
  const files = await outside.write((system) =>
    filesOf(
      system,
      rows.flatMap((row) => row.file_id ?? []),
    ),
  )
  for (const row of rows) {
    const file = files.find((item) => item.id === row.file_id)
    if (file) bytesByAttachment.set(row.id, bytesOf(outside, file))
  }
  const remote = rows.filter((row) => !bytesByAttachment.has(row.id))
  if (remote.length === 0) return bytesByAttachment
  const line = new MailConnection(outside, account)
  try {
    for (const [, rowsOfEmail] of Map.groupBy(remote, (row) => row.email_id))
      for (const [id, bytes] of await readAttachedParts(line, rowsOfEmail))
        bytesByAttachment.set(id, bytes)
    line.release()
    return bytesByAttachment
  } catch (error) {
    line.discard()
    throw error
  }
}

type ForwardedAttachment = Awaited<ReturnType<typeof attachmentsOf>>[number]

async function readAttachedParts(
  line: MailConnection,
  rows: readonly ForwardedAttachment[],
): Promise<[string, Uint8Array][]> {
  const { path, uid, uid_validity } = rows[0]!
  if (path === null || uid === null) return []
  const session = await line.session()
  const { uidValidity } = await session.open(path)
  if (uidValidity !== uid_validity)
    throw new Error('The folder of the forwarded message is being synced again.')
  const source = (await session.sources([uid])).get(uid)
  if (!source) return []
  const { attachments } = await parseMessage(source, { contents: true })
  return rows.flatMap((row) => {
    const part =
      attachments.find(
        (attachment) => attachment.part === row.part && attachment.name === row.name,
      ) ?? attachments.find((attachment) => attachment.part === row.part)
    return part?.content ? [[row.id, part.content] as [string, Uint8Array]] : []
  })
}
