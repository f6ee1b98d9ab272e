import type { Row } from '../../../records/resource.ts'
import { copyOfDraft } from '../delivery/draft-copies.ts'
import { erase } from './changes.ts'
import { appended, openOrMake, roleFolder } from './copies.ts'
import type { Load } from './load.ts'
import type { FolderRow, Store } from './store.ts'
import type { Work } from './folder-visits.ts'

type Draft = Row<'email_drafts'>

/**
 * Brings the server's copy of a draft up to date: the newest is put in first, then those before go, which are known by the Message-ID
 * that a draft keeps. So a try that was cut off leaves nothing behind.
 */
export async function pushDraft(work: Work, load: Load): Promise<Load[]> {
  const { outside, account, line } = work
  const copy = await copyOfDraft(outside, load.push.draft_id!)
  if (!copy) return [load] // it cannot be made: it is here alone
  const { row, bytes } = copy
  const folder = await outside.write(({ all }) => roleFolder(all, account.id, 'drafts'))
  if (!folder) return [load] // a mailbox without drafts
  const session = await line.session()
  const open = await openOrMake(session, folder)
  const before = await session.findMessage(row.message_id)
  const uid =
    bytes &&
    (await appended(
      session,
      folder,
      bytes,
      ['\\Draft', '\\Seen'],
      { message_id: row.message_id, received_at: row.updated_at },
      before,
    ))
  for (const old of before) if (old !== uid) await session.erase(old)
  await outside.write(({ all }) =>
    recordDraftCopy(
      all,
      row,
      open.uidValidity === folder.uid_validity ? folder : undefined,
      uid,
      before,
    ),
  )
  return [load]
}

/** Writes down where the copy is; what the sync took of the ones before for messages goes at once. */
async function recordDraftCopy(
  all: Store,
  row: Draft,
  folder: FolderRow | undefined,
  uid: number | undefined,
  before: readonly number[],
): Promise<void> {
  const there =
    folder && uid !== undefined
      ? { folder_id: folder.id, uid, pushed_revision: row.revision }
      : { folder_id: null, uid: null, pushed_revision: null }
  await all.updateTable('email_drafts').set(there).where('id', '=', row.id).execute()
  if (!folder || before.length === 0) return
  const copies = await all
    .selectFrom('emails')
    .select('id')
    .where('folder_id', '=', folder.id)
    .where('uid', 'in', before)
    .execute()
  for (const copy of copies) await erase(all, copy)
}
