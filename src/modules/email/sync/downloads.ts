import { extractText } from '../../../connectors/extract.ts'
import { unreadableReason } from '../../../connectors/extract-shapes.ts'
import { MailFailure, type ImapSession, type MailPart } from '../../../connectors/imap/imap.ts'
import { attachmentOf } from '../../../connectors/mail-parser.ts'
import { GiveUp, type Outside } from '../../../operations/jobs/job.ts'
import type { Row } from '../../../records/resource.ts'
import { Unreachable } from '../../../outbound/guard.ts'
import { takeBody } from './bodies.ts'
import { searchAgain } from './changes.ts'
import { Line } from './sessions.ts'
import { mailAccount, type EmailRow } from './store.ts'

/** Milliseconds that a request waits for a mail server. */
const downloadTimeoutMs = 20_000
/** Larger attachments are not fetched. */
export const largestAttachment = 50 * 2 ** 20

/** Why the text of an attachment of this kind is never read; undefined for kinds that are read. */
export function whyNeverRead({
  mime_type,
  name,
}: Pick<Row<'email_attachments'>, 'mime_type' | 'name'>): string | undefined {
  return unreadableReason(mime_type, name)
}

/** An attachment as the server has it. */
export interface FetchedAttachment {
  content: Uint8Array
  mime: string
}

/** Fetches the bodies of messages that someone reads and that are not here yet. What could not be fetched is missing as before: the sync tries again. */
export async function fetchBodies(outside: Outside, emails: readonly EmailRow[]): Promise<void> {
  const missing = emails.filter((email) => email.body_state !== 'ready')
  for (const batch of Map.groupBy(missing, (row) => row.account_id).values()) {
    await onLine(outside, batch[0]!, async (line, account, bounded) => {
      for (const email of batch) {
        const spot = await spotOf(bounded, email)
        if (spot) await takeBody({ outside: bounded, account, line }, { ...email, ...spot })
      }
    })
  }
}

/** Fetches one attachment; undefined where that does not work now. */
export function fetchAttachment(
  outside: Outside,
  email: EmailRow,
  attachment: Row<'email_attachments'>,
): Promise<FetchedAttachment | undefined> {
  if (attachment.size_bytes > largestAttachment) return Promise.resolve(undefined)
  return onLine(outside, email, async (line, _, bounded) => {
    const spot = await spotOf(bounded, email)
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
    const session = await line.session()
    const open = await session.open(folder.path)
    return open.uidValidity === folder.uid_validity
      ? downloadPart(session, spot.uid, attachment.part)
      : undefined
  })
}

/** Reads the text of an attachment that was fetched, and keeps it with the attachment and in the index of words. */
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
    await searchAgain(all, attachment.email_id as EmailRow['id'])
  })
}

/** Works on a connection to the server of a message, for a while; undefined where the server cannot be reached or says no. */
async function onLine<T>(
  outside: Outside,
  email: EmailRow,
  work: (line: Line, account: Row<'accounts'>, bounded: Outside) => Promise<T>,
): Promise<T | undefined> {
  const account = await outside.write(({ all }) => mailAccount(all, email.account_id))
  if (!account) return undefined
  const bounded = {
    ...outside,
    signal: AbortSignal.any([outside.signal, AbortSignal.timeout(downloadTimeoutMs)]),
  }
  const line = new Line(bounded, account)
  const cut = () => line.drop()
  bounded.signal.addEventListener('abort', cut)
  try {
    const value = await work(line, account, bounded)
    line.leave()
    return value
  } catch (error) {
    line.drop()
    if (
      !bounded.signal.aborted &&
      !(error instanceof MailFailure || error instanceof Unreachable || error instanceof GiveUp)
    )
      throw error
    outside.log.info('mail could not be fetched for a reader', {
      account: account.id,
      why: (error as Error).message,
    })
    return undefined
  } finally {
    bounded.signal.removeEventListener('abort', cut)
  }
}

/** Location of a message on the server: a message moved here stays in its old place there until the move is pushed. */
async function spotOf(
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

/** The part alone, where the server knows it by its number; else out of the whole message. */
async function downloadPart(
  session: ImapSession,
  uid: number,
  part: string,
): Promise<FetchedAttachment | undefined> {
  const [listed] = await session.headers([uid])
  const listedPart = listed?.parts.find((mailPart) => mailPart.part === part)
  if (listedPart && listedPart.encoding !== 'x-uuencode') {
    const bytes = (await session.parts(uid, [part], 2 * largestAttachment)).get(part.toUpperCase())
    if (bytes) return attachmentOf(asMessage(listedPart, bytes), '1')
  }
  const source =
    listed && listed.size <= 2 * largestAttachment
      ? (await session.sources([uid])).get(uid)
      : undefined
  return source && attachmentOf(source, part)
}

/** A message that is nothing but this part, for the parser that decodes it. */
function asMessage({ mime, encoding }: MailPart, bytes: Buffer): Buffer {
  const plain = (text: string) => text.replaceAll(/[^\w./+-]/g, '')
  return Buffer.concat([
    Buffer.from(
      `Content-Type: ${plain(mime) || 'application/octet-stream'}\r\nContent-Transfer-Encoding: ${plain(encoding) || '7bit'}\r\nContent-Disposition: attachment\r\n\r\n`,
    ),
    bytes,
  ])
}
