import { resource, type Row } from '../../records/resource.ts'

export { driveRoot, serversOf } from './servers.ts'
export { NeedsSignIn, signInto, type Credentials } from './sync-sign-in.ts'
export { reportSync } from './sync-reports.ts'
export { accountsToSync, reachable, syncKinds, type AccountRow } from './sync-lists.ts'

/**
 * Accounts that people have elsewhere: each person's own, no one else's. One that is being removed is gone for everybody. Nothing changes them by
 * way of operations, undo included: a signed-in person does, in the settings, and so that no key can.
 */
export const account = resource('accounts', {
  type: 'email_account',
  approval: { ignore: true },
  prefix: 'mac',
  see: (s) =>
    s.all
      .selectFrom('accounts')
      .where('accounts.owner_id', '=', s.actor.id)
      .where('accounts.removed_at', 'is', null),
  alias: (query, text) =>
    text.includes('@') ? query.where('accounts.address', '=', text.toLowerCase()) : undefined,
  names: {
    columns: ['address', 'display_name'],
    details: (row) => ({ provider: row.provider, status: row.status, services: servicesOf(row) }),
  },
  takes: 'id or address',
  list: { tool: 'list_email_accounts' },
  title: (row) => row.address,
  path: (row) => `settings/accounts/${row.id}`,
  unaudited: [
    'owner_id',
    'services_json',
    'servers_json',
    'scopes_json',
    'last_sync_at',
    'synced_back_to',
    'removed_at',
    'signed_in_at',
    'problem_since',
  ],
  hardDelete: true,
})

/** Services for which the account is used. */
function servicesOf(
  row: Pick<Row<'accounts'>, 'has_mail' | 'has_calendar' | 'has_drive'>,
): string[] {
  return [
    ...(row.has_mail ? ['mail'] : []),
    ...(row.has_calendar ? ['calendar'] : []),
    ...(row.has_drive ? ['drive'] : []),
  ]
}

/** For needs: an address means the account with mail first; people may have a calendar account of the same address. */
export const mailAccount = account.see.preferring((rows) => rows.where('accounts.has_mail', '=', 1))

/** The same for what is about calendars. */
export const calendarAccount = account.see.preferring((rows) =>
  rows.where('accounts.has_calendar', '=', 1),
)
