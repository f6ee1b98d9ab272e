import { sql, type Expression, type SqlBool } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { accessScopeOf, type AccessScope, type Viewer } from '../../../records/access-scope.ts'

/** Figures of the caller's mailboxes: unread messages in the inbox, and conversations that wait for the owner. */
export async function figuresOf(
  viewer: Viewer,
  accountIds: readonly Id<'accounts'>[],
): Promise<Map<string, { unread: number; awaiting_me: number }>> {
  const { all, actor } = accessScopeOf(viewer)
  const figures = new Map<string, { unread: number; awaiting_me: number }>(
    accountIds.map((id) => [id, { unread: 0, awaiting_me: 0 }]),
  )
  if (accountIds.length === 0) return figures
  const count = sql<number>`count(*)`.as('count')
  const unread = await all
    .selectFrom('emails')
    .select(['account_id', count])
    .where('owner_id', '=', actor.id)
    .where('unread', '=', 1)
    .where('place', '=', 'inbox')
    .where('account_id', 'in', accountIds)
    .groupBy('account_id')
    .execute()
  const waiting = await all
    .selectFrom('mail_threads')
    .select(['account_id', count])
    .where('owner_id', '=', actor.id)
    .where('awaiting', '=', 'me')
    .where('awaiting', '<>', 'none')
    .where('account_id', 'in', accountIds)
    .groupBy('account_id')
    .execute()
  for (const item of unread) figures.get(item.account_id)!.unread = Number(item.count)
  for (const item of waiting) figures.get(item.account_id)!.awaiting_me = Number(item.count)
  return figures
}

export interface Counted {
  account_id: string
  name: string
  kind: 'folder' | 'label' | 'system'
  total: number
  unread: number
}

const systems = ['inbox', 'starred', 'sent', 'drafts', 'archive', 'spam', 'trash'] as const

/** Places, folders and labels of the caller's mailboxes, which were seen, with what is in them here, in the order in which they are shown. */
export async function placesOf(
  viewer: Viewer,
  accountIds: readonly Id<'accounts'>[],
): Promise<Counted[]> {
  if (accountIds.length === 0) return []
  const { lying, starred, labels, folders } = await countedRows(accessScopeOf(viewer), accountIds)
  return accountIds.flatMap((id) => {
    const accountLabels = labels.filter((label) => label.account_id === id)
    const labelNames = new Set(accountLabels.map((item) => item.name.toLowerCase()))
    const accountFolders = folders.filter((folder) => folder.account_id === id)
    return [
      ...systems.map((name) =>
        withMailSums(
          { account_id: id, name, kind: 'system' },
          name === 'starred'
            ? starred.filter((item) => item.account_id === id)
            : lying.filter((item) => item.account_id === id && item.place === name),
        ),
      ),
      ...accountFolders
        .filter((folder) => folder.kind === 'folder')
        .map((folder) =>
          withMailSums(
            { account_id: id, name: folder.path, kind: 'folder' },
            lying.filter(
              (placement) => placement.place === 'folder' && placement.folder_id === folder.id,
            ),
          ),
        ),
      ...accountLabels.map((item) =>
        withMailSums({ account_id: id, name: item.name, kind: 'label' }, [item]),
      ),
      ...accountFolders
        .filter((folder) => folder.kind === 'label' && !labelNames.has(folder.path.toLowerCase()))
        .map((folder) => withMailSums({ account_id: id, name: folder.path, kind: 'label' }, [])),
    ]
  })
}

async function countedRows({ all, actor }: AccessScope, accountIds: readonly Id<'accounts'>[]) {
  const total = sql<number>`count(*)`.as('total')
  const unread = sql<number>`sum(emails.unread)`.as('unread')
  const lying = await all
    .selectFrom('emails')
    .select(['emails.account_id', 'emails.place', 'emails.folder_id', total, unread])
    .where('emails.owner_id', '=', actor.id)
    .groupBy(['emails.account_id', 'emails.place', 'emails.folder_id'])
    .execute()
  const starred = await all
    .selectFrom('emails')
    .select(['emails.account_id', total, unread])
    .where('emails.owner_id', '=', actor.id)
    .where('emails.starred', '=', 1)
    .where('emails.place', 'not in', ['spam', 'trash'])
    .groupBy('emails.account_id')
    .execute()
  const labels = await all
    .selectFrom('email_labels')
    .innerJoin('emails', 'emails.id', 'email_labels.email_id')
    .select(['email_labels.account_id', 'email_labels.name', total, unread])
    .where('email_labels.account_id', 'in', accountIds)
    .groupBy(['email_labels.account_id', 'email_labels.name'])
    .execute()
  const folders = await all
    .selectFrom('mail_folders')
    .selectAll()
    .where('account_id', 'in', accountIds)
    .where('role', 'is', null)
    .where('is_selectable', '=', 1)
    .orderBy('path')
    .execute()
  return { lying, starred, labels, folders }
}

/** A place with the sums of the rows that lie in it. */
function withMailSums(
  place: Pick<Counted, 'account_id' | 'name' | 'kind'>,
  rows: readonly { total: number; unread: number | null }[],
): Counted {
  return {
    ...place,
    total: rows.reduce((sum, row) => sum + Number(row.total), 0),
    unread: rows.reduce((sum, row) => sum + Number(row.unread), 0),
  }
}

/** Whether a message names one of these addresses in one of these fields. */
export function withAddress(
  viewer: Viewer,
  addresses: readonly string[],
  fields?: readonly Row<'email_addresses'>['field'][],
): Expression<SqlBool> {
  const { actor } = accessScopeOf(viewer)
  if (addresses.length === 0) return sql<SqlBool>`false`
  const inFields = fields ? sql`and email_addresses.field in (${sql.join(fields)})` : sql``
  return sql<SqlBool>`emails.id in (select email_addresses.email_id from email_addresses where email_addresses.owner_id = ${actor.id} and email_addresses.address in (${sql.join(addresses)}) ${inFields})`
}

/** Whether a message lies in a conversation that is hidden for now. */
export function isSnoozed(): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from mail_threads where mail_threads.id = emails.thread_id and (mail_threads.snoozed_until is not null or mail_threads.snoozed_until_reply = 1))`
}

export function not(condition: Expression<SqlBool>): Expression<SqlBool> {
  return sql<SqlBool>`not ${condition}`
}

/** Conversations with a message of this kind. */
export function withMessage(
  threads: Scoped<'mail_threads'>,
  ...conditions: readonly Expression<SqlBool>[]
): Scoped<'mail_threads'> {
  const met = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
  return threads.where(
    sql<SqlBool>`exists (select 1 from emails where emails.thread_id = mail_threads.id and ${met})`,
  )
}

/** Whether a message lies neither in spam nor in the trash. */
export function isKept(): Expression<SqlBool> {
  return sql<SqlBool>`emails.place not in ('spam', 'trash')`
}
