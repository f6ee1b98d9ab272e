import type Database from 'better-sqlite3'

/** State that must not simply continue after a restore: it may be obsolete, or have completed since. */
interface Settlement {
  table: string
  /** Wording of the result for the number 1. */
  singular: string
  /** Wording for any other number. */
  plural: string
  /** May use the parameters :now (milliseconds) and :why. */
  sql: string
}

/**
 * Settlements for a restored workspace: all people are signed out, no call waits for an approval that may have been
 * given meanwhile, and nothing is sent twice before a person has checked it. Each applies if its table exists.
 */
const settlements: readonly Settlement[] = [
  {
    table: 'web_sessions',
    singular: 'sign-in in a browser ended',
    plural: 'sign-ins in a browser ended',
    sql: 'DELETE FROM web_sessions',
  },
  {
    table: 'secrets',
    singular: 'ID token of a sign-in forgotten',
    plural: 'ID tokens of sign-ins forgotten',
    sql: "DELETE FROM secrets WHERE table_name = 'web_sessions'",
  },
  {
    table: 'passkey_challenges',
    singular: 'passkey sign-in in progress ended',
    plural: 'passkey sign-ins in progress ended',
    sql: 'DELETE FROM passkey_challenges',
  },
  {
    table: 'oauth_tokens',
    singular: 'token of a connected program ended; its person connects it again',
    plural: 'tokens of connected programs ended; people connect them again',
    sql: 'DELETE FROM oauth_tokens',
  },
  {
    table: 'oauth_codes',
    singular: 'authorization code ended',
    plural: 'authorization codes ended',
    sql: 'DELETE FROM oauth_codes',
  },
  {
    table: 'oauth_requests',
    singular: 'authorization request ended',
    plural: 'authorization requests ended',
    sql: 'DELETE FROM oauth_requests',
  },
  {
    table: 'setup_links',
    singular: 'link for the first start ended',
    plural: 'links for the first start ended',
    sql: 'DELETE FROM setup_links WHERE used_at IS NULL',
  },
  {
    table: 'invitations',
    singular: 'open invitation expired',
    plural: 'open invitations expired',
    sql: 'UPDATE invitations SET expires_at = :now WHERE used_at IS NULL AND revoked_at IS NULL AND expires_at > :now',
  },
  {
    table: 'password_resets',
    singular: 'password reset link expired',
    plural: 'password reset links expired',
    sql: 'DELETE FROM password_resets',
  },
  {
    table: 'approvals',
    singular: 'call waiting for approval expired',
    plural: 'calls waiting for approval expired',
    sql: "UPDATE approvals SET expires_at = :now WHERE state = 'pending' AND expires_at > :now",
  },
  {
    table: 'webhooks',
    singular: 'webhook is paused until resumed',
    plural: 'webhooks are paused until resumed',
    sql: "UPDATE webhooks SET active = 0, pause = 'restored' WHERE active = 1",
  },
  {
    table: 'webhook_deliveries',
    singular: 'webhook delivery in progress is not retried',
    plural: 'webhook deliveries in progress are not retried',
    sql: "UPDATE webhook_deliveries SET status = 'failed', finished_at = :now, next_attempt_at = NULL WHERE status = 'pending'",
  },
  {
    table: 'automations',
    singular: 'automation is suspended until its owner enables it',
    plural: 'automations are suspended until their owners enable them',
    sql: "UPDATE automations SET status = 'suspended', reason = 'a backup was restored' WHERE status = 'enabled'",
  },
  {
    table: 'automation_runs',
    singular: 'automation run in progress does not continue',
    plural: 'automation runs in progress do not continue',
    sql: "UPDATE automation_runs SET status = CASE status WHEN 'queued' THEN 'skipped' ELSE 'failed' END, reason = 'A backup was restored.', ended_at = :now, resume_at = NULL, payload_json = NULL WHERE ended_at IS NULL",
  },
  {
    table: 'job_schedules',
    singular: 'time at which an automation ran is forgotten until it is enabled',
    plural: 'times at which automations ran are forgotten until they are enabled',
    sql: "DELETE FROM job_schedules WHERE kind = 'fire_automation'",
  },
  {
    table: 'notifications',
    singular: 'mail about notifications is not sent',
    plural: 'mails about notifications are not sent',
    sql: 'UPDATE notifications SET mail = NULL WHERE mail IS NOT NULL',
  },
  {
    table: 'notice_mails',
    singular: 'email being sent is not sent again',
    plural: 'emails being sent are not sent again',
    sql: "UPDATE notice_mails SET state = 'failed', finished_at = :now, last_error = :why WHERE state = 'pending'",
  },
  {
    table: 'jobs',
    singular: 'job that a person requested is held; see `workspace jobs list --state dead`',
    plural: 'jobs that people requested are held; see `workspace jobs list --state dead`',
    sql: "UPDATE jobs SET state = 'dead', lease = NULL, finished_at = :now, last_error = :why WHERE owner_id IS NOT NULL AND state IN ('waiting', 'running')",
  },
]

/** Applies the settlements to a restored workspace, in a transaction of the caller. Returns what was done. */
export function settleRestored(
  db: Database.Database,
  backedUpAt: string,
  now: number,
): { table: string; says: string; rows: number }[] {
  const why = `Held: a backup of ${backedUpAt} was restored, and this may already have been done. If not, run it again.`
  const tables = new Set(
    db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all(),
  )
  return settlements
    .filter((settlement) => tables.has(settlement.table))
    .map(({ table, singular, plural, sql }) => {
      const rows = db.prepare(sql).run(usedParameters(sql, { now, why })).changes
      return { table, says: rows === 1 ? singular : plural, rows }
    })
}

/** Only the parameters of the statement: SQLite rejects others. */
function usedParameters(sql: string, values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => sql.includes(`:${name}`)))
}
