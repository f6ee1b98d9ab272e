import { sql } from 'kysely'
import { omitNullish } from '../../../kernel/present.ts'
import type { SyncRun } from './sync-run.ts'
import { z } from 'zod'
import { DriveFailure, DriveSignInRefused } from '../../../connectors/google/drive.ts'
import { jobKind, TryLater, type JobContext } from '../../../operations/jobs/job.ts'
import type { Tick, TickContext } from '../../../operations/jobs/tick.ts'
import { Unreachable } from '../../../outbound/guard.ts'
import {
  accountsToSync,
  reachableStatuses,
  reportSync,
  syncKinds,
  type AccountRow,
} from '../../accounts/access.ts'
import { driveServer } from './google.ts'
import { updateDrives } from './drives.ts'
import { pull } from './pull.ts'
import { push } from './push.ts'

/** Milliseconds between polls of Google. */
const pollIntervalMs = 5 * 60_000
const accountsAtOnce = 50
const defaultPause = 60

/**
 * Syncs the drives of an account with Google: first remote changes, then local ones. It may stop at any point and
 * be restarted: files are identified by Google's ids, and new files get theirs before the upload.
 */
export const syncDrives = jobKind({
  name: syncKinds.drive,
  about: 'Syncs the Google drives of a connected account',
  args: z.strictObject({ account_id: z.string() }),
  concurrency: 4,
  async run({ account_id }, job) {
    const account = await job.write(async (system) =>
      (await accountsToSync(system, 'drive')).find((row) => row.id === account_id),
    )
    if (!account) return { drives: 0 }
    const run: SyncRun = {
      job,
      account,
      server: driveServer(job, account),
      people: await personIdsByEmail(job, account),
    }
    try {
      const drives = await updateDrives(run)
      for (const drive of drives) await pull(run, drive)
      const pushed = await push(run)
      await reportSync(job, account.id, { service: 'drive', ok: true })
      await queueTextReading(run)
      return { drives: drives.length, pushed }
    } catch (error) {
      job.signal.throwIfAborted()
      return await reportDriveFailure(run, error)
    }
  },
})

/** Describes to the account's owner why a sync stopped. @throws errors worth a retry */
async function reportDriveFailure(
  { job, account }: SyncRun,
  error: unknown,
): Promise<{ problem: string }> {
  if (error instanceof DriveSignInRefused)
    return reportDriveProblem(
      job,
      account,
      'Google rejected the sign-in for its drives. Sign in to the account again.',
      true,
    )
  if (error instanceof DriveFailure && isWithoutConsent(error))
    return reportDriveProblem(
      job,
      account,
      'The consent given to Google does not include files. Sign in to the account again and leave Drive selected, or turn off files for the account.',
    )
  if (!(error instanceof DriveFailure) && !(error instanceof Unreachable)) throw error
  const problem =
    error instanceof Unreachable
      ? 'Google Drive cannot be reached.'
      : `Google Drive: ${error.message}`
  await reportDriveProblem(job, account, problem)
  if (error instanceof DriveFailure && error.isRateLimited)
    throw new TryLater((error.retryAfter ?? defaultPause) * 1000, problem)
  throw error
}

function isWithoutConsent({ status, reason }: DriveFailure): boolean {
  return (
    status === 403 &&
    /^insufficientPermissions$|SCOPE_INSUFFICIENT|accessNotConfigured/.test(reason)
  )
}

async function reportDriveProblem(
  job: JobContext,
  account: AccountRow,
  problem: string,
  needsSignIn = false,
): Promise<{ problem: string }> {
  await reportSync(
    job,
    account.id,
    omitNullish({
      service: 'drive',
      ok: false,
      problem,
      needsSignIn: needsSignIn || undefined,
    }),
  )
  return { problem }
}

export async function personIdsByEmail(
  outside: Pick<JobContext, 'write'>,
  { org_id }: Pick<AccountRow, 'org_id'>,
): Promise<SyncRun['people']> {
  const rows = await outside.write(({ all }) =>
    all.selectFrom('users').select(['id', 'email']).where('org_id', '=', org_id).execute(),
  )
  return new Map(rows.map((row) => [row.email, row.id]))
}

function queueSyncJob(
  system: TickContext,
  account: Pick<AccountRow, 'id' | 'owner_id'>,
  kind: string,
): Promise<unknown> {
  return system.as(account.owner_id, (ctx) =>
    ctx.job(kind, { account_id: account.id }, { uniqueKey: account.id, whileRunning: 'again' }),
  )
}

/** Texts are read by a job of their own, so that what is new never waits for them. */
async function queueTextReading({ job, account }: SyncRun): Promise<void> {
  await job.write(async (system) => {
    const pending = await system.all
      .selectFrom('files')
      .innerJoin('drives', 'drives.id', 'files.drive_id')
      .select('files.id')
      .where('drives.account_id', '=', account.id)
      .where('files.text_status', '=', 'pending')
      .limit(1)
      .executeTakeFirst()
    if (pending) await queueSyncJob(system, account, 'read_drive_texts')
  })
}

/** Queues the syncs that are due: of accounts not polled for some minutes. */
export const wakeDriveSyncs: Tick = {
  name: 'wake_drive_syncs',
  async run(system) {
    const lastSyncs = await system.all
      .selectFrom('drives')
      .select(['account_id', (eb) => eb.fn.min('synced_at').as('at')])
      .where('account_id', 'is not', null)
      .groupBy('account_id')
      .execute()
    const lastSyncByAccount = new Map(lastSyncs.map((item) => [item.account_id, item.at]))
    const due = (await accountsToSync(system, 'drive')).filter(
      (account) =>
        account.provider === 'google' &&
        (lastSyncByAccount.get(account.id) ?? 0) <= system.now - pollIntervalMs,
    )
    for (const account of due.slice(0, accountsAtOnce))
      await queueSyncJob(system, account, syncDrives.name)
    return false
  },
}

/** Queues the upload of local changes to Google. */
export const uploadChangesTick: Tick = {
  name: 'carry_files',
  due: async (all) => (await accountsWithUnsentChanges(all)).length > 0,
  async run(system) {
    const waitingIds = new Set(await accountsWithUnsentChanges(system.all))
    for (const account of await accountsToSync(system, 'drive'))
      if (waitingIds.has(account.id)) await queueSyncJob(system, account, syncDrives.name)
    return false
  },
}

/** Accounts with unsent local changes for which no sync job is waiting. */
async function accountsWithUnsentChanges(all: TickContext['all']): Promise<string[]> {
  const rows = await all
    .selectFrom('files')
    .innerJoin('drives', 'drives.id', 'files.drive_id')
    .innerJoin('accounts', 'accounts.id', 'drives.account_id')
    .select('accounts.id')
    .distinct()
    .where('files.remote_id', 'is not', null)
    .whereRef('files.synced_revision', '<>', 'files.revision')
    .where('accounts.has_drive', '=', 1)
    .where('accounts.removed_at', 'is', null)
    .where('accounts.status', 'in', reachableStatuses)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('jobs')
            .select('jobs.id')
            .where('jobs.kind', '=', syncDrives.name)
            .where('jobs.unique_key', '=', sql.ref<string>('accounts.id'))
            .where('jobs.finished_at', 'is', null)
            .where((job) =>
              job.or([job('jobs.state', '=', 'waiting'), job('jobs.asked_again', '=', 1)]),
            ),
        ),
      ),
    )
    .execute()
  return rows.map((row) => row.id)
}
