import type { Folder, FolderList } from '../../../connectors/imap/imap.ts'
import { newId } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { applyVanished } from './changes.ts'
import {
  changeFolder,
  foldersOf,
  insertMany,
  type MailAccount,
  type FolderRow,
  type Store,
} from './store.ts'

/** Views of messages that lie in other folders. */
const views = new Set<FolderRow['role']>(['all', 'starred', 'important'])

/** A server that counts no changes says nothing of flags: they are compared now and then. */
const looksAnyhow = 10 * 60_000

/** A folder as it is kept here, with what the server says of it now. */
export interface Known {
  row: FolderRow
  there: Folder
}

/**
 * Brings the list of folders up to date with the server's. `labelled`: a mailbox of Gmail, in which all lies in All Mail, Spam and Trash,
 * and the other folders are labels. Inside a transaction.
 */
export async function refreshFolders(
  { all, now }: TickContext,
  account: MailAccount,
  { folders, paths }: FolderList,
  labelled: boolean,
): Promise<Known[]> {
  const rows = await foldersOf(all, account)
  const listedFolders: Known[] = []
  const added: FolderRow[] = []
  for (const there of folders) {
    const row = rows.find((item) => item.path === there.path) ?? renamed(rows, paths, there)
    const facts = folderFactsOf(there, labelled, row)
    if (row) {
      if (Object.entries(facts).some(([column, value]) => row[column as keyof FolderRow] !== value))
        await changeFolder(all, row, facts)
      listedFolders.push({ row, there })
      continue
    }
    const folder = blank(account, newId('mfo', now), facts)
    added.push(folder)
    listedFolders.push({ row: folder, there })
  }
  await insertMany(all, 'mail_folders', added)
  return listedFolders
}

/** Rows of folders that the server has no more: their messages are to go, and then they. One that was never there is yet to be made. */
export async function lostFolders(
  all: Store,
  account: MailAccount,
  { folders, paths }: FolderList,
): Promise<FolderRow[]> {
  if (!folders.some((folder) => folder.role === 'inbox')) return [] // no list of a mailbox is without it
  return (await foldersOf(all, account)).filter(
    (row) => !paths.has(row.path) && (row.uid_validity !== null || row.kind === 'label'),
  )
}

/** Takes a lost folder out, some messages at a time; whether there is more. */
export async function dropFolder(
  system: TickContext,
  row: FolderRow,
  batchSize: number,
): Promise<boolean> {
  const { all } = system
  const emailBatch = await all
    .selectFrom('emails')
    .select('uid')
    .where('folder_id', '=', row.id)
    .where('uid', 'is not', null)
    .limit(batchSize)
    .execute()
  if (emailBatch.length > 0) {
    await applyVanished(
      system,
      row,
      emailBatch.map((item) => item.uid!),
    )
    return true
  }
  await all.updateTable('emails').set({ folder_id: null }).where('folder_id', '=', row.id).execute()
  await all.deleteFrom('mail_folders').where('id', '=', row.id).execute()
  return false
}

/** A folder whose path is new and whose messages are those of one that is gone. */
function renamed(
  rows: readonly FolderRow[],
  paths: ReadonlySet<string>,
  there: Folder,
): FolderRow | undefined {
  const { status } = there
  if (!status || status.messages === 0) return undefined
  return rows.find(
    (row) =>
      !paths.has(row.path) &&
      row.uid_validity === status.uidValidity &&
      row.uid_next === status.uidNext &&
      row.server_total === status.messages,
  )
}

type Facts = Pick<
  FolderRow,
  | 'path'
  | 'name'
  | 'kind'
  | 'role'
  | 'role_source'
  | 'is_selectable'
  | 'is_synced'
  | 'server_total'
  | 'server_unread'
>

function folderFactsOf(
  { path, name, role, roleSource, isSelectable, status }: Folder,
  labelled: boolean,
  row: FolderRow | undefined,
): Facts {
  const chosen =
    row?.role_source === 'person'
      ? { role: row.role, role_source: row.role_source }
      : { role: role ?? null, role_source: roleSource ?? null }
  const holds = labelled
    ? ['all', 'spam', 'trash'].includes(chosen.role ?? '')
    : !views.has(chosen.role)
  return {
    path,
    name,
    ...chosen,
    kind: labelled && !holds ? 'label' : 'folder',
    is_selectable: isSelectable ? 1 : 0,
    is_synced: isSelectable && holds ? 1 : 0,
    ...(isSelectable && holds
      ? { server_total: row?.server_total ?? null, server_unread: row?.server_unread ?? null }
      : { server_total: status?.messages ?? null, server_unread: status?.unseen ?? null }),
  }
}

/** Whether something may have happened in a folder since it was visited: a visit writes down what is compared here. */
export function mayHaveChanged({ row, there: { status } }: Known, now: number): boolean {
  if (row.is_synced === 0) return false
  if (!status || row.uid_validity !== status.uidValidity || row.uid_next !== status.uidNext)
    return true
  if (
    row.server_total !== status.messages ||
    row.server_unread !== status.unseen ||
    row.highest_modseq !== (status.modseq ?? null)
  )
    return true
  return status.modseq === undefined && now - (row.checked_at ?? 0) > looksAnyhow
}

/** Whether a folder has messages that came since its newest one here. */
export function hasNew({ row, there: { status } }: Known): boolean {
  return (
    row.is_synced === 1 &&
    status !== undefined &&
    row.uid_validity === status.uidValidity &&
    status.uidNext > (row.highest_uid ?? 0) + 1
  )
}

function blank(account: MailAccount, id: FolderRow['id'], facts: Facts): FolderRow {
  return {
    id,
    org_id: account.org_id,
    account_id: account.id,
    ...facts,
    uid_validity: null,
    uid_next: null,
    highest_modseq: null,
    highest_uid: null,
    lowest_uid: null,
    is_complete: 0,
    checked_at: null,
    problem: null,
  }
}
