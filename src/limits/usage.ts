import type Database from 'better-sqlite3'
import type { Id } from '../kernel/ids.ts'
import { dayAt } from '../kernel/time/times.ts'
import type { Store } from '../db/open.ts'

export interface UsageStatements {
  count: Database.Statement<[string, string, string, string]>
  /** Calls of an organization from one day to another. */
  sum: Database.Statement<[string, string, string]>
  plan: Database.Statement<[string]>
  /** Whether a rule has told of an organization in a period. */
  told: Database.Statement<[string, string, string]>
}

export function usageStatements(write: Database.Database): UsageStatements {
  return {
    count: write.prepare(
      'INSERT INTO usage_days (org_id, day_on, person_id, key_id, calls) VALUES (?, ?, ?, ?, 1) ON CONFLICT (org_id, day_on, person_id, key_id) DO UPDATE SET calls = usage_days.calls + 1',
    ),
    sum: write
      .prepare(
        'SELECT coalesce(sum(calls), 0) FROM usage_days WHERE org_id = ? AND day_on BETWEEN ? AND ?',
      )
      .pluck(),
    plan: write.prepare(
      'SELECT o.default_timezone AS zone, p.plan FROM orgs o LEFT JOIN org_plans p ON p.org_id = o.id WHERE o.id = ?',
    ),
    told: write.prepare(
      'SELECT 1 FROM abuse_findings WHERE org_id = ? AND rule = ? AND subject = ?',
    ),
  }
}

/** Calls of one person with one key, or without. */
interface UsageLine {
  person_id: Id<'users'>
  email: string
  key_id: Id<'api_keys'> | null
  key_name: string | null
  today: number
  month: number
}

/** Bytes of all files of an organization: each version counts, and what is only attached. */
export const storageQuery =
  'SELECT coalesce(sum(size_bytes), 0) FROM (SELECT org_id, size_bytes FROM files WHERE version = 0 UNION ALL SELECT org_id, size_bytes FROM file_versions) AS stored WHERE org_id = ?'

/** The same of the files that one person has. */
export const ownStorageQuery =
  'SELECT coalesce(sum(size_bytes), 0) FROM (SELECT owner_id, size_bytes FROM files WHERE version = 0 UNION ALL SELECT f.owner_id, v.size_bytes FROM files f JOIN file_versions v ON v.file_id = f.id) AS stored WHERE owner_id = ?'

/** People who count against a plan. */
export const membersQuery =
  "SELECT count(*) FROM users WHERE org_id = ? AND status <> 'deactivated'"

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

/** What an organization uses, by person and key, busiest of the month first; from the database, for whoever is at the machine. */
export function usageOf(
  store: Store,
  org: Id<'orgs'>,
  now: number,
  only: { person?: string | undefined; key?: string | undefined } = {},
): OrgUsage {
  const db = store.raw.read
  const { name, timezone, plan } = db
    .prepare(
      'SELECT o.name, o.default_timezone AS timezone, p.plan FROM orgs o LEFT JOIN org_plans p ON p.org_id = o.id WHERE o.id = ?',
    )
    .get(org) as Pick<OrgUsage, 'name' | 'timezone' | 'plan'>
  const day = dayAt(now, timezone)
  const all = db
    .prepare(
      `SELECT d.person_id, u.email, nullif(d.key_id, '') AS key_id, k.name AS key_name, sum(CASE WHEN d.day_on = :day THEN d.calls ELSE 0 END) AS today, sum(d.calls) AS month
       FROM usage_days d JOIN users u ON u.id = d.person_id LEFT JOIN api_keys k ON k.id = d.key_id
       WHERE d.org_id = :org AND d.day_on BETWEEN :first AND :last GROUP BY d.person_id, d.key_id ORDER BY month DESC, u.email, d.key_id`,
    )
    .all({ org, day, first: `${day.slice(0, 7)}-01`, last: `${day.slice(0, 7)}-31` }) as UsageLine[]
  const count = (sql: string) => db.prepare(sql).pluck().get(org) as number
  return {
    id: org,
    name,
    timezone,
    plan,
    day,
    today: all.reduce((sum, line) => sum + line.today, 0),
    month: all.reduce((sum, line) => sum + line.month, 0),
    members: count(membersQuery),
    storage_bytes: count(storageQuery),
    lines: all.filter(
      (line) =>
        (only.person === undefined || line.person_id === only.person) &&
        (only.key === undefined || line.key_id === only.key),
    ),
  }
}
