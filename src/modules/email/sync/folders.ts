import type { Folder, FolderList } from '../../../connectors/imap/imap.ts'
import { newId } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { applyVanished } from './changes.ts'
import {
  updateFolder,
  foldersOf,
  insertMany,
  type MailAccount,
  type FolderRow,
  type Store,
} from './store.ts'

/** Roles of folders that only show messages of other folders. */
const views = new Set<FolderRow['role']>(['all', 'starred', 'important'])

/** Interval for comparing flags on servers without change counts (CONDSTORE). */
const flagCheckInterval = 10 * 60_000

/** A local folder row with the server's current data. */
export interface ListedFolder {
  row: FolderRow
  serverFolder: Folder
}

/**
 * Updates the list of folders from the server. `labelled`: a Gmail mailbox, with all messages in All Mail, Spam and
 * Trash, and labels as other folders. Inside a transaction.
 */
export async function refreshFolders(
  { all, now }: TickContext,
  account: MailAccount,
  { folders, paths }: FolderList,
  labelled: boolean,
): Promise<ListedFolder[]> {
  const rows = await foldersOf(all, account)
  const listedFolders: ListedFolder[] = []
  const added: FolderRow[] = []
  for (const serverFolder of folders) {
    const row =
      rows.find((item) => item.path === serverFolder.path) ?? findRenamed(rows, paths, serverFolder)
    const facts = folderColumnsOf(serverFolder, labelled, row)
    if (row) {
      if (Object.entries(facts).some(([column, value]) => row[column as keyof FolderRow] !== value))
        await updateFolder(all, row, facts)
      listedFolders.push({ row, serverFolder })
      continue
    }
    const folder = newFolderRow(account, newId('mfo', now), facts)
    added.push(folder)
    listedFolders.push({ row: folder, serverFolder })
  }
  await insertMany(all, 'mail_folders', added)
  return listedFolders
}

/** Folders that no longer exist on the server; excludes those that are still to be created there. */
export async function lostFolders(
  all: Store,
  account: MailAccount,
  { folders, paths }: FolderList,
): Promise<FolderRow[]> {
  if (!folders.some((folder) => folder.role === 'inbox')) return [] // a list without an inbox is incomplete
  return (await foldersOf(all, account)).filter(
    (row) => !paths.has(row.path) && (row.uid_validity !== null || row.kind === 'label'),
  )
}

/** Removes a lost folder, one batch of messages at a time. Returns whether there is more. */
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

/** Finds the lost folder whose messages a folder with a new path has. */
function findRenamed(
  rows: readonly FolderRow[],
  paths: ReadonlySet<string>,
  serverFolder: Folder,
): FolderRow | undefined {
  const { status } = serverFolder
  if (!status || status.messages === 0) return undefined
  return rows.find(
    (row) =>
      !paths.has(row.path) &&
      row.uid_validity === status.uidValidity &&
      row.uid_next === status.uidNext &&
      row.server_total === status.messages,
  )
}

type FolderColumns = Pick<
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

function folderColumnsOf(
  { path, name, role, roleSource, isSelectable, status }: Folder,
  labelled: boolean,
  row: FolderRow | undefined,
): FolderColumns {
  const roleColumns =
    row?.role_source === 'person'
      ? { role: row.role, role_source: row.role_source }
      : { role: role ?? null, role_source: roleSource ?? null }
  const containsMessages = labelled
    ? ['all', 'spam', 'trash'].includes(roleColumns.role ?? '')
    : !views.has(roleColumns.role)
  return {
    path,
    name,
    ...roleColumns,
    kind: labelled && !containsMessages ? 'label' : 'folder',
    is_selectable: isSelectable ? 1 : 0,
    is_synced: isSelectable && containsMessages ? 1 : 0,
    ...(isSelectable && containsMessages
      ? { server_total: row?.server_total ?? null, server_unread: row?.server_unread ?? null }
      : { server_total: status?.messages ?? null, server_unread: status?.unseen ?? null }),
  }
}

/** Whether a folder may have changed since its last visit, which recorded the compared values. */
export function mayHaveChanged(
  { row, serverFolder: { status } }: ListedFolder,
  now: number,
): boolean {
  if (row.is_synced === 0) return false
  if (!status || row.uid_validity !== status.uidValidity || row.uid_next !== status.uidNext)
    return true
  if (
    row.server_total !== status.messages ||
    row.server_unread !== status.unseen ||
    row.highest_modseq !== (status.modseq ?? null)
  )
    return true
  return status.modseq === undefined && now - (row.checked_at ?? 0) > flagCheckInterval
}

/** Whether a folder has messages newer than the newest local one. */
export function hasNew({ row, serverFolder: { status } }: ListedFolder): boolean {
  return (
    row.is_synced === 1 &&
    status !== undefined &&
    row.uid_validity === status.uidValidity &&
    status.uidNext > (row.highest_uid ?? 0) + 1
  )
}

function newFolderRow(account: MailAccount, id: FolderRow['id'], facts: FolderColumns): FolderRow {
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
