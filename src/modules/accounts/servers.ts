import { readEndpoints } from '../../config/google-settings.ts'
import type { Row } from '../../records/resource.ts'
import type { Settings } from '../../config/settings.ts'

/** Address of a mail server. `tls`: encrypted from the first byte; `start`: STARTTLS required. */
export interface AccountMailServer {
  host: string
  port: number
  tls: 'tls' | 'start'
}

/** The servers of an account, by purpose. */
export interface Servers {
  imap?: AccountMailServer
  smtp?: AccountMailServer
  caldav?: { url: string }
}

/** The current servers of an account: Google's are fixed, except in tests. */
export function serversOf(
  settings: Pick<Settings, 'google_endpoints'>,
  account: Pick<Row<'accounts'>, 'provider' | 'servers_json'>,
): Servers {
  if (account.provider !== 'google') return JSON.parse(account.servers_json) as Servers
  const { imap, smtp, caldav } = readEndpoints(settings.google_endpoints)!
  return { imap, smtp, caldav: { url: caldav } }
}

/** Origin of the Google Drive API: scheme, host and port. */
export function driveRoot(settings: Pick<Settings, 'google_endpoints'>): string {
  return readEndpoints(settings.google_endpoints)!.drive
}
