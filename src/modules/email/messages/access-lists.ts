import { sql, type Expression, type SqlBool } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { accessScopeOf, type AccessScope, type Viewer } from '../../../records/access-scope.ts'

/** Counts of the caller's mailboxes: unread messages in the inbox, and conversations awaiting the owner's answer. */
export async function mailCountsOf(
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
    .where('awaiting', '<>', 'none') // the condition of the partial index mail_threads_waiting
    .where('account_id', 'in', accountIds)
    .groupBy('account_id')
    .execute()
  for (const item of unread) figures.get(item.account_id)!.unread = Number(item.count)
  for (const item of waiting) figures.get(item.account_id)!.awaiting_me = Number(item.count)
  return figures
}

export interface CountedPlace {
  account_id: string
  name: string
  kind: 'folder' | 'label' | 'system'
  total: number
  unread: number
}

const systemPlaces = ['inbox', 'starred', 'sent', 'drafts', 'archive', 'spam', 'trash'] as const

/** Places, folders and labels of the caller's mailboxes with their counts, in display order. */
export async function placesOf(
  viewer: Viewer,
  accountIds: readonly Id<'accounts'>[],
): Promise<CountedPlace[]> {
  if (accountIds.length === 0) return []
  const { byPlace, starred, labels, folders } = await countedRows(accessScopeOf(viewer), accountIds)
  return accountIds.flatMap((id) => {
    const accountLabels = labels.filter((label) => label.account_id === id)
    const labelNames = new Set(accountLabels.map((item) => item.name.toLowerCase()))
    const accountFolders = folders.filter((folder) => folder.account_id === id)
    return [
      ...systemPlaces.map((name) =>
        withMailSums(
          { account_id: id, name, kind: 'system' },
          name === 'starred'
            ? starred.filter((item) => item.account_id === id)
            : byPlace.filter((item) => item.account_id === id && item.place === name),
        ),
      ),
      ...accountFolders
        .filter((folder) => folder.kind === 'folder')
        .map((folder) =>
          withMailSums(
            { account_id: id, name: folder.path, kind: 'folder' },
            byPlace.filter(
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
  const byPlace = await all
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
  return { byPlace, starred, labels, folders }
}

/** A place with the sums of its rows. */
function withMailSums(
  place: Pick<CountedPlace, 'account_id' | 'name' | 'kind'>,
  rows: readonly { total: number; unread: number | null }[],
): CountedPlace {
  return {
    ...place,
    total: rows.reduce((sum, row) => sum + Number(row.total), 0),
    unread: rows.reduce((sum, row) => sum + Number(row.unread), 0),
  }
}

/** Condition: a message has one of these addresses in one of these fields. */
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

/** Condition: a message is in a snoozed conversation. */
export function isSnoozed(): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from mail_threads where mail_threads.id = emails.thread_id and (mail_threads.snoozed_until is not null or mail_threads.snoozed_until_reply = 1))`
}

export function not(condition: Expression<SqlBool>): Expression<SqlBool> {
  return sql<SqlBool>`not ${condition}`
}

/** Conversations with a message that meets the conditions. */
export function withMessage(
  threads: Scoped<'mail_threads'>,
  ...conditions: readonly Expression<SqlBool>[]
): Scoped<'mail_threads'> {
  const condition = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
  return threads.where(
    sql<SqlBool>`exists (select 1 from emails where emails.thread_id = mail_threads.id and ${condition})`,
  )
}

/** Condition: a message is neither in spam nor in the trash. */
export function isNotSpamOrTrash(): Expression<SqlBool> {
  return sql<SqlBool>`emails.place not in ('spam', 'trash')`
}
