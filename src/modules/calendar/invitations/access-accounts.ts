import type { Row } from '../../../records/resource.ts'
import type { Viewer } from '../../../records/access-scope.ts'
import { account, reachableStatuses } from '../../accounts/access.ts'

/** The account of one of the caller's calendars. */
export async function accountOf(
  viewer: Viewer,
  calendar: Row<'calendars'>,
): Promise<Row<'accounts'> | undefined> {
  if (calendar.account_id === null) return undefined
  return account
    .visibleTo(viewer)
    .selectAll('accounts')
    .where('accounts.id', '=', calendar.account_id)
    .executeTakeFirst()
}

/** The caller's reachable mail accounts, the default one first. */
export function mailAccounts(reader: Viewer) {
  return account
    .visibleTo(reader)
    .selectAll('accounts')
    .where('accounts.has_mail', '=', 1)
    .where('accounts.status', 'in', reachableStatuses)
    .orderBy('accounts.is_default', 'desc')
    .orderBy('accounts.id')
}

/**
 * The account that organizes a calendar's events: its own; for the built-in one, the default mail account, which
 * receives the replies.
 */
export async function organizingAccount(
  viewer: Viewer,
  calendar: Row<'calendars'>,
): Promise<Row<'accounts'> | undefined> {
  if (calendar.account_id !== null) return accountOf(viewer, calendar)
  return mailAccounts(viewer).limit(1).executeTakeFirst()
}
