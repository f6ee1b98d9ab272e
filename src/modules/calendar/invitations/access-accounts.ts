import type { Row } from '../../../records/resource.ts'
import type { Viewer } from '../../../records/access-scope.ts'
import { account, reachable } from '../../accounts/access.ts'

/** The account that a calendar of the caller's belongs to. */
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

/** The caller's accounts that mail goes through and that can be reached, the one first that is used by default. */
export function mailAccounts(reader: Viewer) {
  return account
    .visibleTo(reader)
    .selectAll('accounts')
    .where('accounts.has_mail', '=', 1)
    .where('accounts.status', 'in', reachable)
    .orderBy('accounts.is_default', 'desc')
    .orderBy('accounts.id')
}

/** The account in whose name events of a calendar are organized: its own; of the built-in one the mail account that is used first, where answers arrive. */
export async function organizingAccount(
  viewer: Viewer,
  calendar: Row<'calendars'>,
): Promise<Row<'accounts'> | undefined> {
  if (calendar.account_id !== null) return accountOf(viewer, calendar)
  return mailAccounts(viewer).limit(1).executeTakeFirst()
}
