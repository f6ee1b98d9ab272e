import type { Row } from '../../../records/resource.ts'
import type { Viewer } from '../../../records/access-scope.ts'
import { account, reachable } from '../../accounts/access.ts'

/** The account that a calendar of the caller's belongs to. */
export async function accountOf(
  from: Viewer,
  of: Row<'calendars'>,
): Promise<Row<'accounts'> | undefined> {
  if (of.account_id === null) return undefined
  return account
    .visibleTo(from)
    .selectAll('accounts')
    .where('accounts.id', '=', of.account_id)
    .executeTakeFirst()
}

/** The caller's accounts that mail goes through and that can be reached, the one first that is used by default. */
export function mailAccounts(from: Viewer) {
  return account
    .visibleTo(from)
    .selectAll('accounts')
    .where('accounts.has_mail', '=', 1)
    .where('accounts.status', 'in', reachable)
    .orderBy('accounts.is_default', 'desc')
    .orderBy('accounts.id')
}

/** The account in whose name events of a calendar are organized: its own; of the built-in one the mail account that is used first, where answers arrive. */
export async function organizingAccount(
  from: Viewer,
  of: Row<'calendars'>,
): Promise<Row<'accounts'> | undefined> {
  if (of.account_id !== null) return accountOf(from, of)
  return mailAccounts(from).limit(1).executeTakeFirst()
}
