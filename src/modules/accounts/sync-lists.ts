import type { Row } from '../../records/resource.ts'
import type { TickContext } from '../../operations/jobs/tick.ts'

export type AccountRow = Row<'accounts'>

/** Statuses of accounts that can be reached: neither switched off nor waiting for a sign-in. */
export const reachableStatuses = [
  'syncing',
  'active',
  'degraded',
] as const satisfies AccountRow['status'][]

export type SyncedService = 'mail' | 'calendar' | 'drive'

/**
 * Kinds of jobs that sync an account, each with `{ account_id }`. Requested when an account is connected, signed in
 * again or switched on, with the account's id as their unique key.
 */
export const syncKinds = {
  mail: 'sync_mail',
  calendar: 'sync_calendars',
  drive: 'sync_drives',
} as const satisfies Record<SyncedService, string>

/** Reachable accounts of active people that are used for a service. */
export function accountsToSync(
  { all }: Pick<TickContext, 'all'>,
  service: SyncedService,
): Promise<AccountRow[]> {
  return all
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.owner_id')
    .selectAll('accounts')
    .where(`accounts.has_${service}`, '=', 1)
    .where('accounts.status', 'in', reachableStatuses)
    .where('accounts.removed_at', 'is', null)
    .where('users.status', '=', 'active')
    .orderBy('accounts.id')
    .execute()
}

/** Whether an account is used for a service. */
export function isUsedFor(account: AccountRow, service: SyncedService): boolean {
  return account[`has_${service}`] === 1
}

/** Whether an account was removed by its owner, and its local data is still to be erased. */
export async function isRemoved(
  { all }: Pick<TickContext, 'all'>,
  accountId: string,
): Promise<boolean> {
  const row = await all
    .selectFrom('accounts')
    .select('removed_at')
    .where('id', '=', accountId as AccountRow['id'])
    .executeTakeFirst()
  return row !== undefined && row.removed_at !== null
}
