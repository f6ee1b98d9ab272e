import { newId, type Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'

export type Folder = Row<'mail_folders'>
type Role = NonNullable<Folder['role']>

/** A mailbox with its folders. */
export interface Mailbox {
  account_id: Id<'accounts'>
  /** Gmail: messages are in All Mail, and labels mark the inbox and other folders. */
  usesLabels: boolean
  folders: Folder[]
}

/** The caller's own mailboxes among these accounts, by account. */
export async function mailboxesOf(
  viewer: Viewer,
  accountIds: Iterable<Id<'accounts'>>,
): Promise<Map<string, Mailbox>> {
  const ids = [...new Set(accountIds)]
  if (ids.length === 0) return new Map()
  const { all, actor } = accessScopeOf(viewer)
  const ownAccounts = await all
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', ids)
    .where('owner_id', '=', actor.id)
    .execute()
  const rows = await all
    .selectFrom('mail_folders')
    .selectAll()
    .where(
      'account_id',
      'in',
      ownAccounts.map((item) => item.id),
    )
    .orderBy('path')
    .execute()
  return new Map(
    ownAccounts.map(({ id }) => [
      id,
      mailboxOf(
        id,
        rows.filter((row) => row.account_id === id),
      ),
    ]),
  )
}

function mailboxOf(account_id: Id<'accounts'>, folders: Folder[]): Mailbox {
  return {
    account_id,
    folders,
    usesLabels: folders.some((folder) => folder.role === 'all' && folder.is_synced === 1),
  }
}

const defaultNames: Partial<Record<Role, string>> = {
  inbox: 'INBOX',
  archive: 'Archive',
  trash: 'Trash',
  spam: 'Junk',
  sent: 'Sent',
  drafts: 'Drafts',
}

/** The folder of a role. A missing one is added here, and created on the server when the first message is moved there. */
export async function folderOfRole(viewer: Viewer, mailbox: Mailbox, role: Role): Promise<Folder> {
  const existing = mailbox.folders.find((folder) => folder.role === role)
  if (existing) return existing
  const name = defaultNames[role] ?? role
  const path = role === 'inbox' ? name : `${prefixOf(mailbox.folders)}${name}`
  const samePath = mailbox.folders.find(
    (folder) => folder.path.toLowerCase() === path.toLowerCase(),
  )
  if (samePath) return samePath
  return addFolder(viewer, mailbox, { path, name, kind: 'folder', role, role_source: 'name' })
}

/** Adds a folder row for a Gmail label, if it is missing. */
export async function addLabelFolder(
  reader: Viewer,
  mailbox: Mailbox,
  name: string,
): Promise<void> {
  if (
    !mailbox.usesLabels ||
    mailbox.folders.some((folder) => folder.path.toLowerCase() === name.toLowerCase())
  )
    return
  await addFolder(reader, mailbox, {
    path: name,
    name: name.split('/').at(-1)!,
    kind: 'label',
    role: null,
    role_source: null,
  })
}

async function addFolder(
  viewer: Viewer,
  mailbox: Mailbox,
  columns: Pick<Folder, 'path' | 'name' | 'kind' | 'role' | 'role_source'>,
): Promise<Folder> {
  const { all, actor, now } = accessScopeOf(viewer)
  const syncColumns = {
    uid_validity: null,
    uid_next: null,
    highest_modseq: null,
    highest_uid: null,
    lowest_uid: null,
    server_total: null,
    server_unread: null,
    checked_at: null,
    problem: null,
  }
  const row: Folder = {
    ...syncColumns,
    ...columns,
    id: newId('mfo', now) as Folder['id'],
    org_id: actor.org_id,
    account_id: mailbox.account_id,
    is_selectable: 1,
    is_synced: columns.kind === 'folder' ? 1 : 0,
    is_complete: 0,
  }
  await all.insertInto('mail_folders').values(row).execute()
  mailbox.folders.push(row)
  return row
}

/** The path prefix on servers that store all folders below the inbox. */
function prefixOf(folders: readonly Folder[]): string {
  const others = folders.filter(
    (folder) => folder.role !== 'inbox' && folder.path.toUpperCase() !== 'INBOX',
  )
  return (
    ['INBOX.', 'INBOX/'].find(
      (prefix) => others.length > 0 && others.every((other) => other.path.startsWith(prefix)),
    ) ?? ''
  )
}

/** Names of the labels of messages, by account. */
export async function labelNames(
  viewer: Viewer,
  accountIds: readonly Id<'accounts'>[],
): Promise<Map<string, string[]>> {
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('email_labels')
    .select(['account_id', 'name'])
    .distinct()
    .where('account_id', 'in', accountIds)
    .orderBy('name')
    .execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.account_id)].map(([id, some]) => [
      id,
      some.map((item) => item.name),
    ]),
  )
}
