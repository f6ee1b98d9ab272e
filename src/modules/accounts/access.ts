import { resource, type Row } from '../../records/resource.ts'

export { driveRoot, serversOf } from './servers.ts'
export { NeedsSignIn, signInto, type Credentials } from './sync-sign-in.ts'
export { reportSync } from './sync-reports.ts'
export {
  accountsToSync,
  reachableStatuses,
  syncKinds,
  type AccountRow,
} from './sync-lists.ts'

/**
 * People's external accounts: visible only to their owner. An account being removed is hidden. Operations,
 * including undo, do not change them: only a signed-in person can, in the settings; a key cannot.
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

/** Services that use the account. */
function servicesOf(
  row: Pick<Row<'accounts'>, 'has_mail' | 'has_calendar' | 'has_drive'>,
): string[] {
  return [
    ...(row.has_mail ? ['mail'] : []),
    ...(row.has_calendar ? ['calendar'] : []),
    ...(row.has_drive ? ['drive'] : []),
  ]
}

/** For arguments: an address means the mail account first; people may have a calendar account with the same address. */
export const mailAccount = account.see.preferring((rows) => rows.where('accounts.has_mail', '=', 1))

/** The same for calendars. */
export const calendarAccount = account.see.preferring((rows) =>
  rows.where('accounts.has_calendar', '=', 1),
)
