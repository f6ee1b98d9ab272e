import { extractText } from '../../../connectors/extract.ts'
import { unreadableReason } from '../../../connectors/extract-shapes.ts'
import { MailFailure, type ImapSession, type MailPart } from '../../../connectors/imap/imap.ts'
import { attachmentOf } from '../../../connectors/mail-parser.ts'
import { GiveUp, type Outside } from '../../../operations/jobs/job.ts'
import type { Row } from '../../../records/resource.ts'
import { Unreachable } from '../../../outbound/guard.ts'
import { fetchBody } from './bodies.ts'
import { reindexEmail } from './changes.ts'
import { MailConnection } from './sessions.ts'
import { mailAccount, type EmailRow } from './store.ts'

/** Milliseconds that a request waits for a mail server. */
const downloadTimeoutMs = 20_000
/** Larger attachments are not fetched. */
export const maxAttachmentBytes = 50 * 2 ** 20

/** The reason why text of such an attachment cannot be extracted; undefined for supported kinds. */
export function unreadableAttachmentReason({
  mime_type,
  name,
}: Pick<Row<'email_attachments'>, 'mime_type' | 'name'>): string | undefined {
  return unreadableReason(mime_type, name)
}

/** An attachment fetched from the mail server. */
export interface FetchedAttachment {
  content: Uint8Array
  mime: string
}

/** Fetches missing bodies of requested messages. Failures are ignored: the sync retries them. */
export async function fetchBodies(outside: Outside, emails: readonly EmailRow[]): Promise<void> {
  const missing = emails.filter((email) => email.body_state !== 'ready')
  for (const batch of Map.groupBy(missing, (row) => row.account_id).values()) {
    await withConnection(outside, batch[0]!, async (connection, account, bounded) => {
      for (const email of batch) {
        const location = await locationOf(bounded, email)
        if (location)
          await fetchBody({ outside: bounded, account, connection }, { ...email, ...location })
      }
    })
  }
}

/** Fetches an attachment; undefined if that is impossible now. */
export function fetchAttachment(
  outside: Outside,
  email: EmailRow,
  attachment: Row<'email_attachments'>,
): Promise<FetchedAttachment | undefined> {
  if (attachment.size_bytes > maxAttachmentBytes) return Promise.resolve(undefined)
  return withConnection(outside, email, async (connection, _, bounded) => {
    const spot = await locationOf(bounded, email)
    const folder =
      spot &&
      (await bounded.write(({ all }) =>
        all
          .selectFrom('mail_folders')
          .selectAll()
          .where('id', '=', spot.folder_id)
          .executeTakeFirst(),
      ))
    if (!spot || !folder) return undefined
    const session = await connection.session()
    const open = await session.open(folder.path)
    return open.uidValidity === folder.uid_validity
      ? downloadPart(session, spot.uid, attachment.part)
      : undefined
  })
}

/** Extracts the text of a fetched attachment, and stores it with the attachment and in the word index. */
export async function storeAttachmentText(
  outside: Outside,
  attachment: Row<'email_attachments'>,
  { content, mime }: FetchedAttachment,
): Promise<void> {
  const { text, kind, cut } = await extractText(content, mime, attachment.name)
  await outside.write(async ({ all }) => {
    await all
      .updateTable('email_attachments')
      .set({
        text_state: kind === 'native' ? 'ready' : 'failed',
        text: kind === 'native' ? text : null,
        text_cut: cut ? 1 : 0,
      })
      .where('id', '=', attachment.id)
      .execute()
    await reindexEmail(all, attachment.email_id as EmailRow['id'])
  })
}

/** Runs work on a connection to a message's server, with a time limit; undefined if the server is unreachable or refuses. */
async function withConnection<T>(
  outside: Outside,
  email: EmailRow,
  work: (connection: MailConnection, account: Row<'accounts'>, bounded: Outside) => Promise<T>,
): Promise<T | undefined> {
  const account = await outside.write(({ all }) => mailAccount(all, email.account_id))
  if (!account) return undefined
  const limited = {
    ...outside,
    signal: AbortSignal.any([outside.signal, AbortSignal.timeout(downloadTimeoutMs)]),
  }
  const connection = new MailConnection(limited, account)
  const dropConnection = () => connection.discard()
  limited.signal.addEventListener('abort', dropConnection)
  try {
    const value = await work(connection, account, limited)
    connection.release()
    return value
  } catch (error) {
    connection.discard()
    if (
      !limited.signal.aborted &&
      !(error instanceof MailFailure || error instanceof Unreachable || error instanceof GiveUp)
    )
      throw error
    outside.log.info('mail could not be fetched for a reader', {
      account: account.id,
      why: (error as Error).message,
    })
    return undefined
  } finally {
    limited.signal.removeEventListener('abort', dropConnection)
  }
}

/** Location of a message on the server: a message moved here stays in its old place there until the move is pushed. */
async function locationOf(
  outside: Outside,
  email: EmailRow,
): Promise<{ folder_id: NonNullable<EmailRow['folder_id']>; uid: number } | undefined> {
  if (email.folder_id !== null && email.uid !== null)
    return { folder_id: email.folder_id, uid: email.uid }
  const push = await outside.write(({ all }) =>
    all
      .selectFrom('mail_pushes')
      .select('wanted_json')
      .where('email_id', '=', email.id)
      .where('kind', '=', 'move')
      .executeTakeFirst(),
  )
  return (
    push &&
    (
      JSON.parse(push.wanted_json) as {
        from?: { folder_id: NonNullable<EmailRow['folder_id']>; uid: number }
      }
    ).from
  )
}

/** Fetches only the part if the server lists it, else the whole message. */
async function downloadPart(
  session: ImapSession,
  uid: number,
  part: string,
): Promise<FetchedAttachment | undefined> {
  const [listed] = await session.headers([uid])
  const listedPart = listed?.parts.find((mailPart) => mailPart.part === part)
  if (listedPart && listedPart.encoding !== 'x-uuencode') {
    const bytes = (await session.parts(uid, [part], 2 * maxAttachmentBytes)).get(part.toUpperCase())
    if (bytes) return attachmentOf(asMessage(listedPart, bytes), '1')
  }
  const source =
    listed && listed.size <= 2 * maxAttachmentBytes
      ? (await session.sources([uid])).get(uid)
      : undefined
  return source && attachmentOf(source, part)
}

/** Wraps a part in a message, so that the parser can decode it. */
function asMessage({ mime, encoding }: MailPart, bytes: Buffer): Buffer {
  const plain = (text: string) => text.replaceAll(/[^\w./+-]/g, '')
  return Buffer.concat([
    Buffer.from(
      `Content-Type: ${plain(mime) || 'application/octet-stream'}\r\nContent-Transfer-Encoding: ${plain(encoding) || '7bit'}\r\nContent-Disposition: attachment\r\n\r\n`,
    ),
    bytes,
  ])
}
