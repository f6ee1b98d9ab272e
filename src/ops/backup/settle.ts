import type Database from 'better-sqlite3'

/** What must not simply go on after a backup was restored: it may be over, or have happened since. */
interface Settlement {
  table: string
  /** What was done, after a number. */
  says: string
  /** May name :now (milliseconds) and :why. */
  sql: string
}

/**
 * In a restored workspace no one is signed in, nothing waits for an approval that may have been given meanwhile, and nothing goes out a
 * second time before a person has looked at it. Each applies if its table exists.
 */
const settlements: readonly Settlement[] = [
  { table: 'web_sessions', says: 'sign-ins in a browser ended', sql: 'DELETE FROM web_sessions' },
  {
    table: 'secrets',
    says: 'ID tokens of sign-ins forgotten',
    sql: "DELETE FROM secrets WHERE table_name = 'web_sessions'",
  },
  {
    table: 'passkey_challenges',
    says: 'passkey sign-ins in progress ended',
    sql: 'DELETE FROM passkey_challenges',
  },
  {
    table: 'oauth_tokens',
    says: 'tokens of connected programs ended; people connect them again',
    sql: 'DELETE FROM oauth_tokens',
  },
  { table: 'oauth_codes', says: 'authorization codes ended', sql: 'DELETE FROM oauth_codes' },
  {
    table: 'oauth_requests',
    says: 'authorization requests ended',
    sql: 'DELETE FROM oauth_requests',
  },
  {
    table: 'setup_links',
    says: 'links for the first start ended',
    sql: 'DELETE FROM setup_links WHERE used_at IS NULL',
  },
  {
    table: 'invitations',
    says: 'open invitations expired',
    sql: 'UPDATE invitations SET expires_at = :now WHERE used_at IS NULL AND revoked_at IS NULL AND expires_at > :now',
  },
  {
    table: 'password_resets',
    says: 'password reset links expired',
    sql: 'DELETE FROM password_resets',
  },
  {
    table: 'approvals',
    says: 'calls waiting for approval expired',
    sql: "UPDATE approvals SET expires_at = :now WHERE state = 'pending' AND expires_at > :now",
  },
  {
    table: 'webhooks',
    says: 'webhooks are paused until resumed',
    sql: "UPDATE webhooks SET active = 0, pause = 'restored' WHERE active = 1",
  },
  {
    table: 'webhook_deliveries',
    says: 'webhook deliveries in progress are not retried',
    sql: "UPDATE webhook_deliveries SET status = 'failed', finished_at = :now, next_attempt_at = NULL WHERE status = 'pending'",
  },
  {
    table: 'automations',
    says: 'automations are suspended until their owners enable them',
    sql: "UPDATE automations SET status = 'suspended', reason = 'a backup was restored' WHERE status = 'enabled'",
  },
  {
    table: 'automation_runs',
    says: 'automation runs in progress do not continue',
    sql: "UPDATE automation_runs SET status = CASE status WHEN 'queued' THEN 'skipped' ELSE 'failed' END, reason = 'A backup was restored.', ended_at = :now, resume_at = NULL, payload_json = NULL WHERE ended_at IS NULL",
  },
  {
    table: 'job_schedules',
    says: 'times at which automations ran are forgotten until they are enabled',
    sql: "DELETE FROM job_schedules WHERE kind = 'fire_automation'",
  },
  {
    table: 'notifications',
    says: 'mails about notifications are not sent',
    sql: 'UPDATE notifications SET mail = NULL WHERE mail IS NOT NULL',
  },
  {
    table: 'notice_mails',
    says: 'emails being sent are not sent again',
    sql: "UPDATE notice_mails SET state = 'failed', finished_at = :now, last_error = :why WHERE state = 'pending'",
  },
  {
    table: 'jobs',
    says: 'jobs that people requested are held; see `workspace jobs list --state dead`',
    sql: "UPDATE jobs SET state = 'dead', lease = NULL, finished_at = :now, last_error = :why WHERE owner_id IS NOT NULL AND state IN ('waiting', 'running')",
  },
]

/** Settles a restored workspace; in a transaction of the caller. Returns what was done. */
export function settleRestored(
  db: Database.Database,
  backedUpAt: string,
  now: number,
): { table: string; says: string; rows: number }[] {
  const why = `Held: a backup of ${backedUpAt} was restored, and this may already have been done. If not, run it again.`
  const known = new Set(
    db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all(),
  )
  return settlements
    .filter((settlement) => known.has(settlement.table))
    .map(({ table, says, sql }) => ({
      table,
      says,
      rows: db.prepare(sql).run(bound(sql, { now, why })).changes,
    }))
}

/** Only what the statement names: SQLite takes no others. */
function bound(sql: string, values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => sql.includes(`:${name}`)))
}
