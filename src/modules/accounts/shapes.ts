import { datetimeString } from '../../kernel/fields.ts'
import { omitNullish } from '../../kernel/present.ts'
import { shape } from '../../kernel/shape.ts'
import { z } from 'zod'
import { iso } from '../../kernel/time/times.ts'
import type { Row } from '../../records/resource.ts'
import type { Servers } from './servers.ts'

export const EnteredMailServer = z.strictObject({
  host: z.string().trim().min(1).max(253),
  port: z.int().min(1).max(65535),
  tls: z.enum(['tls', 'start']).default('tls'),
})

const MailServer = z.strictObject({ ...EnteredMailServer.shape, tls: z.enum(['tls', 'start']) })

const servers = {
  imap: MailServer.optional(),
  smtp: MailServer.optional(),
  caldav: z.strictObject({ url: z.string() }).optional(),
}

const ServiceState = z.strictObject({
  synced_at: datetimeString().optional(),
  problem: z.string().optional(),
  since: datetimeString().optional(),
})

/** A connected account, for its owner's settings. */
export const ConnectedAccount = shape('ConnectedAccount', {
  id: z.string(),
  provider: z.enum(['google', 'imap', 'caldav']),
  address: z.string(),
  display_name: z.string(),
  login: z.string(),
  status: z.enum(['syncing', 'active', 'degraded', 'reauth_required', 'disabled']),
  problem: z.string().optional(),
  problem_since: datetimeString().optional(),
  last_sync_at: datetimeString().optional(),
  synced_back_to: z.string().optional(),
  has_mail: z.boolean(),
  has_calendar: z.boolean(),
  has_drive: z.boolean(),
  services: z.strictObject({
    mail: ServiceState.optional(),
    calendar: ServiceState.optional(),
    drive: ServiceState.optional(),
  }),
  servers: z.strictObject(servers),
  signature_markdown: z.string().optional(),
  default: z.boolean(),
  signed_in_at: datetimeString(),
  created_at: datetimeString(),
  revision: z.int(),
})

/** The servers of an address and the method of discovery. */
export const DiscoveredServers = shape('DiscoveredServers', {
  ...servers,
  login: z.string(),
  note: z.string().optional(),
  found: z.enum(['provider', 'domain', 'autoconfig', 'guess', 'nothing']),
  is_google: z.boolean(),
})

/** Whether an account's servers accept the sign-in. */
export const AccountTest = shape('AccountTest', {
  works: z.boolean(),
  tried: z.array(z.string()).optional(),
  problem: z.string().optional(),
  what_to_do: z.string().optional(),
})

export const RemovedAccount = shape('RemovedAccount', {
  id: z.string(),
  removed: z.literal(true),
  consent_ended: z.boolean().optional(),
  what_to_do: z.string().optional(),
})

/** Presents an account to its owner in the settings, without its credentials. */
export function presentAccount(row: Row<'accounts'>): z.infer<typeof ConnectedAccount> {
  const services = JSON.parse(row.services_json) as Record<
    string,
    { synced_at?: number; problem?: string; since?: number }
  >
  const isoField = (name: 'last_sync_at' | 'problem_since') =>
    row[name] === null ? {} : { [name]: iso(row[name]) }
  return omitNullish({
    id: row.id,
    provider: row.provider,
    address: row.address,
    display_name: row.display_name,
    login: row.login,
    status: row.status,
    problem: row.problem,
    ...isoField('problem_since'),
    ...isoField('last_sync_at'),
    synced_back_to: row.synced_back_to,
    has_mail: row.has_mail === 1,
    has_calendar: row.has_calendar === 1,
    has_drive: row.has_drive === 1,
    services: Object.fromEntries(
      Object.entries(services).map(([name, state]) => [
        name,
        omitNullish({
          synced_at: state.synced_at === undefined ? undefined : iso(state.synced_at),
          problem: state.problem,
          since: state.since === undefined ? undefined : iso(state.since),
        }),
      ]),
    ),
    servers: JSON.parse(row.servers_json) as Servers,
    signature_markdown: row.signature_markdown,
    default: row.is_default === 1,
    signed_in_at: iso(row.signed_in_at),
    created_at: iso(row.created_at),
    revision: row.revision,
  })
}
