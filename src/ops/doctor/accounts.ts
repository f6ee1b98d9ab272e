import type { SqlText } from '../../db/connection.ts'
import { DoctorFindings, shortenNames, type DoctorFinding } from './finding.ts'
import { quantity } from '../../kernel/text/quantity.ts'

/** Reports connected accounts whose owners must sign in again, and those whose sync has failed for a day. */
export async function checkAccounts(read: SqlText, now: number): Promise<DoctorFinding[]> {
  const findings = new DoctorFindings('accounts')
  const rows = await read.all<{
    owner: string
    provider: string
    status: string
    since: number | null
  }>(`SELECT u.email AS owner, a.provider, a.status, a.problem_since AS since FROM accounts a JOIN users u ON u.id = a.owner_id
       WHERE a.removed_at IS NULL AND a.status IN ('reauth_required', 'degraded') AND u.status = 'active' ORDER BY u.email, a.id`)
  const waiting = rows.filter((row) => row.status === 'reauth_required')
  const failing = rows.filter(
    (row) => row.status === 'degraded' && now - (row.since ?? now) > 24 * 3_600_000,
  )
  if (waiting.length > 0)
    findings.warn(
      `${waitingAccountsText(waiting.length)} for ${ownersOf(waiting)} to sign in again; not synced until then.`,
      'they sign in again in the web app, or: workspace accounts list',
    )
  if (failing.length > 0)
    findings.warn(
      `${quantity(failing.length, 'connected account has', 'connected accounts have')} not synced for a day: ${ownersOf(failing)}.`,
      'workspace accounts list',
    )
  if (findings.all.length === 0) findings.ok('Connected accounts are working.')
  return findings.all
}

function waitingAccountsText(n: number): string {
  return quantity(n, 'connected account waits', 'connected accounts wait')
}

const ownersOf = (rows: readonly { owner: string }[]): string =>
  shortenNames([...new Set(rows.map((row) => row.owner))])
