import { CompiledQuery, type Kysely } from 'kysely'
import { chunks } from '../../../kernel/chunks.ts'
import type { Row, TableName } from '../../../records/resource.ts'
import type { Tables } from '../../../db/tables.ts'

/** Raw database access of the sync, which bypasses recorded changes. */
export type Store = Kysely<Tables>
export type MailAccount = Row<'accounts'>
export type FolderRow = Row<'mail_folders'>
export type EmailRow = Row<'emails'>

const maxParameters = 20_000

/** Inserts rows with few statements: a query builder would cost more than the statements. */
export async function insertMany<T extends TableName>(
  db: Store,
  table: T,
  rows: readonly Row<T>[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0]!) as (keyof Row<T>)[]
  const batchSize = Math.floor(maxParameters / columns.length)
  const head = `insert into "${table}" (${columns.map((name) => `"${String(name)}"`).join(', ')}) values `
  const line = `(${columns.map(() => '?').join(', ')})`
  for (const batch of chunks(rows, batchSize)) {
    await db.executeQuery(
      CompiledQuery.raw(
        head + batch.map(() => line).join(', '),
        batch.flatMap((row) => columns.map((name) => row[name])),
      ),
    )
  }
}

/** The account, if its mail should be synced now. */
export async function mailAccount(db: Store, id: string): Promise<MailAccount | undefined> {
  const row = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id as MailAccount['id'])
    .where('has_mail', '=', 1)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row && row.status !== 'disabled' && row.status !== 'reauth_required' ? row : undefined
}

export function foldersOf(db: Store, account: MailAccount): Promise<FolderRow[]> {
  return db
    .selectFrom('mail_folders')
    .selectAll()
    .where('account_id', '=', account.id)
    .orderBy('id')
    .execute()
}

export async function updateFolder(
  db: Store,
  folder: FolderRow,
  patch: Partial<FolderRow>,
): Promise<void> {
  await db.updateTable('mail_folders').set(patch).where('id', '=', folder.id).execute()
  Object.assign(folder, patch)
}

/** Messages of a folder by UID, including those on their way out of it. */
export async function loadEmailsByUid(
  db: Store,
  folder: FolderRow,
  uids: readonly number[],
): Promise<Map<number, EmailRow>> {
  const emailsByUid = new Map<number, EmailRow>()
  for (const batch of chunks(uids, 500)) {
    const rows = await db
      .selectFrom('emails')
      .selectAll()
      .where('folder_id', '=', folder.id)
      .where('uid', 'in', batch)
      .execute()
    for (const row of rows) emailsByUid.set(row.uid!, row)
  }
  for (const [uid, id] of await pendingMovesFrom(db, folder)) {
    if (emailsByUid.has(uid) || !uids.includes(uid)) continue
    const row = await db.selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirst()
    if (row) emailsByUid.set(uid, row)
  }
  return emailsByUid
}

/** Messages moved out of a folder here that the server still has there. */
export async function pendingMovesFrom(
  db: Store,
  folder: FolderRow,
): Promise<Map<number, EmailRow['id']>> {
  const rows = await db
    .selectFrom('mail_pushes')
    .select(['email_id', 'wanted_json'])
    .where('account_id', '=', folder.account_id)
    .where('kind', '=', 'move')
    .execute()
  const movingIds = new Map<number, EmailRow['id']>()
  for (const row of rows) {
    const { from } = JSON.parse(row.wanted_json) as {
      from: { folder_id: string; uid: number } | null
    }
    if (from?.folder_id === folder.id && row.email_id !== null)
      movingIds.set(from.uid, row.email_id as EmailRow['id'])
  }
  return movingIds
}

/** Pending pushes of messages, by kind. */
export async function pendingPushesOf(
  db: Store,
  emailIds: readonly string[],
): Promise<Map<string, Map<Row<'mail_pushes'>['kind'], unknown>>> {
  const pendingByEmail = new Map<string, Map<Row<'mail_pushes'>['kind'], unknown>>()
  for (const batch of chunks(emailIds, 500)) {
    const rows = await db
      .selectFrom('mail_pushes')
      .select(['email_id', 'kind', 'wanted_json'])
      .where('email_id', 'in', batch)
      .execute()
    for (const { email_id, kind, wanted_json } of rows) {
      const kinds = pendingByEmail.get(email_id!) ?? new Map<Row<'mail_pushes'>['kind'], unknown>()
      pendingByEmail.set(email_id!, kinds.set(kind, JSON.parse(wanted_json)))
    }
  }
  return pendingByEmail
}
