import type { Id } from '../kernel/ids.ts'
import { Refusal } from '../kernel/refusal.ts'
import { dayAt } from '../kernel/time/times.ts'
import type { Store } from '../db/open.ts'

/** Values: organization, day, person, key or ''. */
export const countCall =
  'INSERT INTO usage_days (org_id, day_on, person_id, key_id, calls) VALUES (?, ?, ?, ?, 1) ON CONFLICT (org_id, day_on, person_id, key_id) DO UPDATE SET calls = usage_days.calls + 1'

/** An organization's calls in a range of days. */
export const sumOfDays =
  'SELECT coalesce(sum(calls), 0) AS calls FROM usage_days WHERE org_id = ? AND day_on BETWEEN ? AND ?'

export const planQuery =
  'SELECT o.default_timezone AS zone, p.plan FROM orgs o LEFT JOIN org_plans p ON p.org_id = o.id WHERE o.id = ?'

/** Whether a rule has already notified an organization in a period. */
export const wasReported =
  'SELECT 1 AS told FROM abuse_findings WHERE org_id = ? AND rule = ? AND subject = ?'

/** Calls of one person with one key, or without. */
interface UsageLine {
  person_id: Id<'users'>
  email: string
  key_id: Id<'api_keys'> | null
  key_name: string | null
  today: number
  month: number
}

/** Bytes of all files of an organization: includes every version, and attachments. */
export const storageQuery =
  'SELECT coalesce(sum(size_bytes), 0) AS used FROM (SELECT org_id, size_bytes FROM files WHERE version = 0 UNION ALL SELECT org_id, size_bytes FROM file_versions) AS stored WHERE org_id = ?'

/** The same for one person's files. */
export const ownStorageQuery =
  'SELECT coalesce(sum(size_bytes), 0) AS used FROM (SELECT owner_id, size_bytes FROM files WHERE version = 0 UNION ALL SELECT f.owner_id, v.size_bytes FROM files f JOIN file_versions v ON v.file_id = f.id) AS stored WHERE owner_id = ?'

/** People counted against a plan. */
export const membersQuery =
  "SELECT count(*) AS used FROM users WHERE org_id = ? AND status <> 'deactivated'"

export interface OrgUsage {
  id: Id<'orgs'>
  name: string
  timezone: string
  plan: string | null
  day: string
  today: number
  month: number
  members: number
  storage_bytes: number
  lines: UsageLine[]
}

/**
 * Reports the usage of an organization by person and key, most calls of the month first. Reads the database, for the
 * operator on the machine.
 */
export async function usageOf(
  store: Store,
  org: Id<'orgs'>,
  now: number,
  filter: { person?: string | undefined; key?: string | undefined } = {},
): Promise<OrgUsage> {
  const db = store.read
  const organization = await db.one<Pick<OrgUsage, 'name' | 'timezone' | 'plan'>>(
    'SELECT o.name, o.default_timezone AS timezone, p.plan FROM orgs o LEFT JOIN org_plans p ON p.org_id = o.id WHERE o.id = ?',
    org,
  )
  if (!organization) throw new Refusal('not_found', 'Organization not found.', { field: 'org' })
  const { name, timezone, plan } = organization
  const day = dayAt(now, timezone)
  const all = await db.all<UsageLine>(
    `SELECT d.person_id, u.email, nullif(d.key_id, '') AS key_id, k.name AS key_name, sum(CASE WHEN d.day_on = ? THEN d.calls ELSE 0 END) AS today, sum(d.calls) AS month
       FROM usage_days d JOIN users u ON u.id = d.person_id LEFT JOIN api_keys k ON k.id = d.key_id
       WHERE d.org_id = ? AND d.day_on BETWEEN ? AND ? GROUP BY d.person_id, u.email, d.key_id, k.name ORDER BY month DESC, u.email, d.key_id`,
    ...[day, org, `${day.slice(0, 7)}-01`, `${day.slice(0, 7)}-31`],
  )
  const used = async (sql: string) => (await db.one<{ used: number }>(sql, org))?.used ?? 0
  return {
    id: org,
    name,
    timezone,
    plan,
    day,
    today: all.reduce((sum, line) => sum + line.today, 0),
    month: all.reduce((sum, line) => sum + line.month, 0),
    members: await used(membersQuery),
    storage_bytes: await used(storageQuery),
    lines: all.filter(
      (line) =>
        (filter.person === undefined || line.person_id === filter.person) &&
        (filter.key === undefined || line.key_id === filter.key),
    ),
  }
}
