import { present } from '../../kernel/present.ts'
import { z } from 'zod'
import { iso } from '../../kernel/time/times.ts'
import type { Row } from '../../records/resource.ts'
import type { Servers } from './servers.ts'

export const MailPlace = z.strictObject({
  host: z.string().trim().min(1).max(253),
  port: z.int().min(1).max(65535),
  tls: z.enum(['tls', 'start']).default('tls'),
})

/** What its owner sees of an account in the settings: everything but what opens it. */
export function shownAccount(row: Row<'accounts'>) {
  const services = JSON.parse(row.services_json) as Record<
    string,
    { synced_at?: number; problem?: string; since?: number }
  >
  const moment = (name: 'last_sync_at' | 'problem_since') =>
    row[name] === null ? {} : { [name]: iso(row[name]) }
  return present({
    id: row.id,
    provider: row.provider,
    address: row.address,
    display_name: row.display_name,
    login: row.login,
    status: row.status,
    problem: row.problem,
    ...moment('problem_since'),
    ...moment('last_sync_at'),
    synced_back_to: row.synced_back_to,
    has_mail: row.has_mail === 1,
    has_calendar: row.has_calendar === 1,
    has_drive: row.has_drive === 1,
    services: Object.fromEntries(
      Object.entries(services).map(([name, one]) => [
        name,
        present({
          synced_at: one.synced_at === undefined ? undefined : iso(one.synced_at),
          problem: one.problem,
          since: one.since === undefined ? undefined : iso(one.since),
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
