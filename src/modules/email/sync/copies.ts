import { omitNullish } from '../../../kernel/present.ts'
import { MailFailure, type ImapSession } from '../../../connectors/imap/imap.ts'
import { bytesSent } from '../delivery/attachments.ts'
import { recordSentCopy } from '../outbox/access.ts'
import { eraseEmail } from './changes.ts'
import type { PendingPush } from './load.ts'
import type { EmailRow, FolderRow, Store } from './store.ts'
import type { MailSyncRun } from './folder-visits.ts'

/** Stores the copy of a sent message in Sent, unless it is there already: Gmail does so itself, or an earlier attempt did. */
export async function storeSentCopy(work: MailSyncRun, task: PendingPush): Promise<PendingPush[]> {
  const { email } = task
  const { outside } = work
  if (!email || (email.uid !== null && email.folder_id !== null)) return recordCopy(work, task)
  const folder = await sentFolder(work)
  if (!folder) return recordCopy(work, task) // without a Sent folder on the server, only the local copy exists
  const session = await work.connection.session()
  const open = await openOrCreateFolder(session, folder)
  const copyUids = await session.findMessage(email.message_id)
  const bytes = copyUids.length > 0 ? undefined : await bytesSent(outside, email.id)
  const uid =
    copyUids.at(-1) ??
    (bytes && !session.hasLabels
      ? await appendMessage(session, folder, bytes, ['\\Seen'], email)
      : undefined)
  if (uid === undefined) return session.hasLabels ? [] : recordCopy(work, task) // Gmail needs a moment to store it
  if (open.uidValidity === folder.uid_validity)
    await outside.write(({ all }) => assignCopy(all, email, folder, uid))
  return recordCopy(work, task)
}

async function recordCopy({ outside }: MailSyncRun, load: PendingPush): Promise<PendingPush[]> {
  const { email_id } = load.push
  if (email_id !== null) await outside.write((system) => recordSentCopy(system, email_id))
  return [load]
}

/** Appends a message to the open folder. Returns its UID there. */
export async function appendMessage(
  session: ImapSession,
  folder: FolderRow,
  bytes: Buffer,
  flags: string[],
  email: Pick<EmailRow, 'message_id' | 'received_at'>,
  knownUids: readonly number[] = [],
): Promise<number | undefined> {
  const uid = await session.append(folder.path, bytes, flags, email.received_at)
  if (uid !== undefined) return uid
  return (await session.findMessage(email.message_id))
    .filter((value) => !knownUids.includes(value))
    .at(-1)
}

/** Assigns the server's copy to a message, and erases the duplicate that the sync may have added. */
async function assignCopy(
  all: Store,
  email: EmailRow,
  { id, role }: FolderRow,
  uid: number,
): Promise<void> {
  const other = await all
    .selectFrom('emails')
    .select('id')
    .where('folder_id', '=', id)
    .where('uid', '=', uid)
    .where('id', '<>', email.id)
    .executeTakeFirst()
  if (other) await eraseEmail(all, other)
  await all
    .updateTable('emails')
    .set(
      omitNullish({ folder_id: id, uid, place: role === 'sent' ? ('sent' as const) : undefined }),
    )
    .where('id', '=', email.id)
    .execute()
}

/** Folder of sent mail; for Gmail, the folder of all mail. */
async function sentFolder({
  outside,
  account,
  connection,
}: MailSyncRun): Promise<FolderRow | undefined> {
  const { hasLabels } = await connection.session()
  return outside.write(
    async ({ all }) =>
      (hasLabels ? await folderByRole(all, account.id, 'all') : undefined) ??
      folderByRole(all, account.id, 'sent'),
  )
}

export function folderByRole(
  all: Store,
  accountId: FolderRow['account_id'],
  role: 'sent' | 'drafts' | 'all',
): Promise<FolderRow | undefined> {
  return all
    .selectFrom('mail_folders')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('role', '=', role)
    .where('is_selectable', '=', 1)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Opens a folder, and creates it if it was never on the server. */
export async function openOrCreateFolder(session: ImapSession, folder: FolderRow) {
  try {
    return await session.open(folder.path)
  } catch (error) {
    if (
      !(error instanceof MailFailure) ||
      error.trouble !== 'refused' ||
      folder.uid_validity !== null
    )
      throw error
    await session.makeFolder(folder.path)
    return session.open(folder.path)
  }
}
