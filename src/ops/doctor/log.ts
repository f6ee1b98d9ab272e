import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkAnchor, findUnsignedSeals } from '../../audit/anchor.ts'
import { headsPath } from '../../audit/heads.ts'
import { hasSigned, publicKeys } from '../../audit/signing.ts'
import { Spill } from '../../audit/spill.ts'
import { verifyCalls } from '../../audit/verify.ts'
import type { Connection, SqlText } from '../../db/connection.ts'
import { readRevocations } from '../../keys/revocations.ts'
import { MasterKeys } from '../../secrets/master.ts'
import { rotationProblem } from '../../secrets/rotate.ts'
import { DoctorFindings, type DoctorFinding } from './finding.ts'
import { quantity } from '../../kernel/text/quantity.ts'

const weekLength = 7 * 24 * 60 * 60 * 1000

/** The call log: its chains, its signed heads, and the external copy of those. */
export async function checkCallLog(
  read: Connection,
  dataDir: string,
  anchor: string,
  isServed: boolean,
): Promise<DoctorFinding[]> {
  const findings = new DoctorFindings('call log')
  const wasSigned = hasSigned(dataDir) // before the heads, which a server may be about to sign for the first time
  const hasHeads = existsSync(headsPath(dataDir))
  const chains = await verifyCalls(read)
  const entries = chains.reduce((sum, chain) => sum + chain.entries, 0)
  for (const { org_id, broken } of chains)
    if (broken)
      findings.fail(
        `The log of ${org_id} is broken at entry ${broken.seq}: ${broken.why}. It was tampered with, or the disk is faulty.`,
        'workspace audit verify, and compare it with a backup',
      )
  if (chains.every((chain) => !chain.broken))
    findings.ok(
      `${quantity(entries, 'entry', 'entries')} in ${quantity(chains.length, 'chain')}, intact.`,
    )
  if (entries > 0 && !hasHeads) {
    if (wasSigned)
      findings.fail(
        'The signed heads are missing (audit-heads.log): truncation can no longer be detected.',
        'restore the file from a backup or the copy elsewhere',
      )
    else if (isServed)
      findings.ok('The log is not signed yet. The running server signs it hourly and at shutdown.')
    else
      findings.warn(
        'The log was never signed: no server has run here since signing was added.',
        'workspace serve',
      )
  }
  for (const file of new Set([headsPath(dataDir), anchor]))
    if (file !== '' && existsSync(file)) await checkHeads(read, dataDir, file, findings)
  const files = [headsPath(dataDir), anchor].filter((file) => file !== '')
  for (const { org_id, seq } of await findUnsignedSeals(read, files, () => publicKeys(dataDir)))
    findings.fail(
      `The log of ${org_id} was cut: entries up to ${seq} were sealed, but no signed head says so.`,
      'workspace audit verify, and compare it with a backup',
    )
  if (anchor !== '' && !isAppendable(anchor))
    findings.warn(
      `The copy of its heads cannot be written: ${anchor}.`,
      'let this user append to that file (WORKSPACE_AUDIT_ANCHOR)',
    )
  return findings.all
}

async function checkHeads(
  read: SqlText,
  dataDir: string,
  file: string,
  findings: DoctorFindings,
): Promise<void> {
  const { broken, heads, newest } = await checkAnchor(read, file, () => publicKeys(dataDir))
  for (const { org_id, why } of broken)
    findings.fail(
      `${file} does not agree for ${org_id}: ${why}.`,
      'workspace audit verify, and compare it with a backup',
    )
  if (broken.length === 0)
    findings.ok(
      `${file}: ${heads} signed heads agree${newest ? `, the newest of ${newest.at}` : ''}.`,
    )
}

/** Checks that revoked keys are revoked in the database, too. */
export async function checkRevocations(read: SqlText, dataDir: string): Promise<DoctorFinding[]> {
  const findings = new DoctorFindings('keys')
  const keys = await read.all<{ id: string }>('SELECT id FROM api_keys WHERE revoked_at IS NULL')
  const live = new Set(keys.map(({ id }) => id))
  const revived = readRevocations(dataDir).filter((revocation) => live.has(revocation.key_id))
  if (revived.length > 0)
    findings.fail(
      `${quantity(revived.length, 'revoked key is', 'revoked keys are')} live in the database, as after restoring an older copy.`,
      'workspace serve (its start revokes them again)',
    )
  else findings.ok(`${quantity(live.size, 'live key')}; none was revoked before.`)
  return findings.all
}

/** Checks that the master key for the encrypted secrets is available. */
export async function checkSecrets(
  read: Connection,
  masterKeyFile: string,
): Promise<DoctorFinding[]> {
  const findings = new DoctorFindings('secrets')
  const problem = await rotationProblem(
    { read },
    new MasterKeys({ file: masterKeyFile, env: process.env.WORKSPACE_MASTER_KEY }),
  )
  if (problem) findings.fail(problem, 'workspace secrets status')
  else findings.ok('All secrets can be decrypted.')
  return findings.all
}

/** Date of the last backup according to the call log. */
export async function checkBackups(read: SqlText, now: number): Promise<DoctorFinding[]> {
  const findings = new DoctorFindings('backups')
  const sql = "SELECT max(at) AS at FROM calls WHERE tool = 'back_up'"
  const last = (await read.one<{ at: number | null }>(sql))?.at ?? null
  if (last === null)
    findings.warn(
      'Never backed up with `workspace backup`.',
      'workspace backup --to <folder on another disk> --keep 14',
    )
  else if (now - last > weekLength)
    findings.warn(
      `Last backup on ${new Date(last).toISOString().slice(0, 10)}.`,
      'workspace backup --to <folder on another disk> --keep 14',
    )
  else findings.ok(`Last backup: ${new Date(last).toISOString().slice(0, 16).replace('T', ' ')}Z.`)
  return findings.all
}

/** Background jobs that have failed permanently, or are overdue. */
export async function checkJobs(
  read: SqlText,
  now: number,
  isServed: boolean,
): Promise<DoctorFinding[]> {
  const findings = new DoctorFindings('jobs')
  const counts = await read.one<{ dead: number; late: number }>(
    "SELECT count(CASE WHEN state = 'dead' THEN 1 END) AS dead, count(CASE WHEN state = 'waiting' AND run_at < ? THEN 1 END) AS late FROM jobs",
    now - 60 * 60 * 1000,
  )
  const { dead, late } = counts ?? { dead: 0, late: 0 }
  if (dead > 0)
    findings.warn(
      `${quantity(dead, 'job has', 'jobs have')} failed permanently.`,
      'workspace jobs list --state dead, then workspace jobs retry <id>',
    )
  if (late > 0 && isServed)
    findings.warn(
      `${quantity(late, 'job is', 'jobs are')} more than an hour overdue.`,
      'workspace jobs list --state waiting',
    )
  if (findings.all.length === 0) findings.ok('No jobs are stuck.')
  return findings.all
}

function isAppendable(file: string): boolean {
  try {
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Log entries waiting to be written to disk. */
export function checkSpill(dataDir: string): DoctorFinding[] {
  const path = join(dataDir, 'audit-spill')
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return []
  const findings = new DoctorFindings('call log')
  const spill = new Spill(dataDir, size)
  if (spill.waiting > 0)
    findings.warn(
      `${quantity(spill.waiting, 'entry is', 'entries are')} waiting to be logged, because the disk was full.`,
      'free some space; the server then logs them automatically',
    )
  spill.close()
  return findings.all
}
