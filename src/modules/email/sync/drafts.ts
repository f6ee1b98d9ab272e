import type { Row } from '../../../records/resource.ts'
import { copyOfDraft } from '../delivery/draft-copies.ts'
import { eraseEmail } from './changes.ts'
import { appendMessage, openOrCreateFolder, folderByRole } from './copies.ts'
import type { PendingPush } from './load.ts'
import type { FolderRow, Store } from './store.ts'
import type { MailSyncRun } from './folder-visits.ts'

type Draft = Row<'email_drafts'>

/**
 * Updates the server's copy of a draft: the new copy is added first, then earlier ones with the same Message-ID are
 * deleted, so that an interrupted attempt leaves no duplicates.
 */
export async function pushDraft(work: MailSyncRun, load: PendingPush): Promise<PendingPush[]> {
  const { outside, account, connection } = work
  const copy = await copyOfDraft(outside, load.push.draft_id!)
  if (!copy) return [load] // it cannot be composed: the draft stays local
  const { row, bytes } = copy
  const folder = await outside.write(({ all }) => folderByRole(all, account.id, 'drafts'))
  if (!folder) return [load] // a mailbox without a Drafts folder
  const session = await connection.session()
  const open = await openOrCreateFolder(session, folder)
  const earlierUids = await session.findMessage(row.message_id)
  const uid =
    bytes &&
    (await appendMessage(
      session,
      folder,
      bytes,
      ['\\Draft', '\\Seen'],
      { message_id: row.message_id, received_at: row.updated_at },
      earlierUids,
    ))
  for (const old of earlierUids) if (old !== uid) await session.erase(old)
  await outside.write(({ all }) =>
    recordDraftCopy(
      all,
      row,
      open.uidValidity === folder.uid_validity ? folder : undefined,
      uid,
      earlierUids,
    ),
  )
  return [load]
}

/** Records the location of the copy, and erases earlier copies that the sync may have added as messages. */
async function recordDraftCopy(
  all: Store,
  row: Draft,
  folder: FolderRow | undefined,
  uid: number | undefined,
  before: readonly number[],
): Promise<void> {
  const copyColumns =
    folder && uid !== undefined
      ? { folder_id: folder.id, uid, pushed_revision: row.revision }
      : { folder_id: null, uid: null, pushed_revision: null }
  await all.updateTable('email_drafts').set(copyColumns).where('id', '=', row.id).execute()
  if (!folder || before.length === 0) return
  const copies = await all
    .selectFrom('emails')
    .select('id')
    .where('folder_id', '=', folder.id)
    .where('uid', 'in', before)
    .execute()
  for (const copy of copies) await eraseEmail(all, copy)
}
