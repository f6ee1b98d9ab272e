import { omitNullish } from '../../../kernel/present.ts'
import { MailFailure, type ImapSession } from '../../../connectors/imap/imap.ts'
import { bytesSent } from '../delivery/attachments.ts'
import { noteFiled } from '../outbox/access.ts'
import { erase } from './changes.ts'
import type { Load } from './load.ts'
import type { EmailRow, FolderRow, Store } from './store.ts'
import type { Work } from './folder-visits.ts'

/** Puts the copy of what was sent into the folder of sent mail, unless it is there: Gmail files it by itself, and an earlier try may have. */
export async function fileCopy(work: Work, load: Load): Promise<Load[]> {
  const { email } = load
  const { outside } = work
  if (!email || (email.uid !== null && email.folder_id !== null)) return filed(work, load)
  const folder = await sentFolder(work)
  if (!folder) return filed(work, load) // the server keeps no sent mail: the copy here is the only one
  const session = await work.line.session()
  const open = await openOrMake(session, folder)
  const copyUids = await session.findMessage(email.message_id)
  const bytes = copyUids.length > 0 ? undefined : await bytesSent(outside, email.id)
  const uid =
    copyUids.at(-1) ??
    (bytes && !session.hasLabels
      ? await appended(session, folder, bytes, ['\\Seen'], email)
      : undefined)
  if (uid === undefined) return session.hasLabels ? [] : filed(work, load) // Gmail takes a moment
  if (open.uidValidity === folder.uid_validity)
    await outside.write(({ all }) => settleAt(all, email, folder, uid))
  return filed(work, load)
}

async function filed({ outside }: Work, load: Load): Promise<Load[]> {
  const { email_id } = load.push
  if (email_id !== null) await outside.write((system) => noteFiled(system, email_id))
  return [load]
}

/** Puts a message into the open folder; its UID there. */
export async function appended(
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

/** The copy on the server is this message; what the sync took for another one meanwhile goes. */
async function settleAt(
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
  if (other) await erase(all, other)
  await all
    .updateTable('emails')
    .set(
      omitNullish({ folder_id: id, uid, place: role === 'sent' ? ('sent' as const) : undefined }),
    )
    .where('id', '=', email.id)
    .execute()
}

/** Folder of sent mail; for Gmail, the folder of all mail. */
async function sentFolder({ outside, account, line }: Work): Promise<FolderRow | undefined> {
  const { hasLabels } = await line.session()
  return outside.write(
    async ({ all }) =>
      (hasLabels ? await roleFolder(all, account.id, 'all') : undefined) ??
      roleFolder(all, account.id, 'sent'),
  )
}

export function roleFolder(
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

/** A folder that is known here and was never seen on the server is made there. */
export async function openOrMake(session: ImapSession, folder: FolderRow) {
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
