import { z } from 'zod'
import { MailFailure, maxFolders, type FolderList } from '../../../connectors/imap/imap.ts'
import { exponentialBackoff } from '../../../kernel/backoff.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { jobKind, TryLater, type JobContext } from '../../../operations/jobs/job.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { Unreachable } from '../../../outbound/guard.ts'
import { reportSync } from '../../accounts/access.ts'
import { fetchPendingBodies } from './bodies.ts'
import {
  dropFolder,
  hasNew,
  lostFolders,
  mayHaveChanged,
  refreshFolders,
  type ListedFolder,
} from './folders.ts'
import { takeServerChanged } from './new-mail.ts'
import { executePushes } from './pushes.ts'
import { MailConnection } from './sessions.ts'
import { foldersOf, mailAccount, type MailAccount } from './store.ts'
import {
  isUnstable,
  finishVisit,
  addHistoryBatch,
  visitFolder,
  visitNewMessages,
  type Visit,
  type MailSyncRun,
} from './folder-visits.ts'

/** Maximum duration of a run, so that other accounts get their turn; the next run continues. */
const maxRunMs = 20_000
/** Number of failed attempts after which the owner sees a problem: short outages are not reported. */
const notifyAfterAttempts = 4
const retryDelay = exponentialBackoff({ first: 1_000, max: 5 * 60_000 })

export const syncJob = 'sync_mail'

/** Requests a sync of an account in its owner's name; all requests share one job, so that no account is synced twice at once. */
async function requestSync(ctx: WriteContext, accountId: string): Promise<void> {
  await ctx.job(
    syncJob,
    { account_id: accountId },
    { uniqueKey: accountId, whileRunning: 'again', priority: 'high' },
  )
}

/** The same for code of the system. */
export async function requestSyncAsOwner(
  system: TickContext,
  account: Pick<MailAccount, 'id' | 'owner_id'>,
): Promise<void> {
  await system.as(account.owner_id, (ctx) => requestSync(ctx, account.id))
}

/** Syncs a mailbox in both directions: local changes to the server, server changes to the database. */
export const syncMail = jobKind({
  name: syncJob,
  about: 'Syncs the mail of a connected account',
  args: z.strictObject({ account_id: z.string() }),
  concurrency: 6,
  maxAttempts: 1_000_000,
  async run({ account_id }, job) {
    const account = await job.write(({ all }) => mailAccount(all, account_id))
    if (!account) return { synced: false }
    const work: MailSyncRun = {
      outside: job,
      account,
      connection: new MailConnection(job, account),
    }
    try {
      const more = await runWithRetry(work)
      work.connection.release()
      await reportSync(job, account.id, {
        service: 'mail',
        ok: true,
        ...(await syncedBackTo(job, account)),
        ...(await partialProblem(work)),
      })
      if (more) await job.write((system) => requestSyncAsOwner(system, account))
      return { synced: true, more }
    } catch (error) {
      work.connection.discard()
      job.signal.throwIfAborted()
      throw await reportMailFailure(job, work, error)
    }
  },
})

/** Problem to report for a partially synced mailbox. */
async function partialProblem(work: MailSyncRun): Promise<{ problem?: string }> {
  const problems = [folderLimitProblem(work), await unstableFoldersProblem(work)].filter(
    (item) => item !== undefined,
  )
  return problems.length === 0 ? {} : { problem: problems.join(' ') }
}

function folderLimitProblem({ folderCount = 0 }: MailSyncRun): string | undefined {
  if (folderCount <= maxFolders) return undefined
  const counts = `The mailbox has ${folderCount} folders; only the first ${maxFolders} are synchronized.`
  return `${counts} Delete or merge folders on the mail server to sync all of them.`
}

async function unstableFoldersProblem(work: MailSyncRun): Promise<string | undefined> {
  if (!work.renumbered) return undefined
  const names = (await work.outside.write(({ all }) => foldersOf(all, work.account)))
    .filter((row) => isUnstable(work, row))
    .map((row) => `“${row.name}”`)
  if (names.length === 0) return undefined
  const folderNames = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`
  return `The mail server renumbers the messages of ${folderNames} at each visit (UIDVALIDITY), so they cannot be kept up to date here. Ask the provider of the mailbox to repair it.`
}

/** Runs the sync; retries on a new connection if a reused one was closed. Returns whether there is more to do. */
async function runWithRetry(work: MailSyncRun): Promise<boolean> {
  try {
    return await new Run(work).run()
  } catch (error) {
    if (!work.connection.isUsed || !(error instanceof MailFailure) || error.trouble !== 'gone')
      throw error
    work.connection.discard()
    return new Run(work).run()
  }
}

async function reportMailFailure(
  job: JobContext,
  { account, hasAdvanced }: MailSyncRun,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof MailFailure || error instanceof Unreachable)) return error
  const problem =
    error instanceof Unreachable
      ? `The mail server ${error.target.host} could not be reached; it will be retried.`
      : `The mail server gave an unexpected answer (“${error.message.slice(0, 200)}”); it will be retried.`
  const attempt = hasAdvanced ? 1 : job.attempt
  if (attempt >= notifyAfterAttempts)
    await reportSync(job, account.id, { service: 'mail', ok: false, problem })
  return new TryLater(retryDelay(attempt, Math.random), problem)
}

/** The day back to which the mailbox is synced without gaps. */
async function syncedBackTo(
  job: JobContext,
  account: MailAccount,
): Promise<{ syncedBackTo?: string }> {
  const oldest = await job.write(async ({ all }) => {
    const incompleteFolderIds = (await foldersOf(all, account))
      .filter((folder) => folder.is_synced === 1 && folder.is_complete === 0)
      .map((folder) => folder.id)
    const mails = all
      .selectFrom('emails')
      .select((eb) => eb.fn.min('received_at').as('at'))
      .where('account_id', '=', account.id)
    if (incompleteFolderIds.length === 0) return [await mails.executeTakeFirst()]
    return mails.where('folder_id', 'in', incompleteFolderIds).groupBy('folder_id').execute()
  })
  const at = Math.max(...oldest.map((item) => item?.at ?? 0))
  return at > 0 ? { syncedBackTo: new Date(at).toISOString().slice(0, 10) } : {}
}

/** One run of a sync: first pushes, then new messages and changes, then batches of older messages. */
class Run {
  readonly #work: MailSyncRun
  readonly #end = performance.now() + maxRunMs
  /** Remaining messages of folders' first syncs, by folder: UIDs, ascending. */
  readonly #remaining = new Map<string, number[]>()

  constructor(work: MailSyncRun) {
    this.#work = work
  }

  /** Returns whether there is more to do. */
  async run(): Promise<boolean> {
    const { outside, account } = this.#work
    await executePushes(this.#work)
    await this.#news()
    for (;;) {
      outside.signal.throwIfAborted()
      const more = (await this.#history()) || (await fetchPendingBodies(this.#work))
      await executePushes(this.#work)
      if (takeServerChanged(outside.outbound, account.id)) await this.#news()
      else if (!more) return false
      if (this.#isOver) return true
    }
  }

  get #isOver(): boolean {
    return performance.now() > this.#end
  }

  /**
   * Visits every folder that may have changed. Removals are applied last, after another check for new messages: a
   * moved message is removed from one folder and new in another, and keeps its id.
   */
  async #news(): Promise<void> {
    const { outside, account } = this.#work
    takeServerChanged(outside.outbound, account.id)
    const { listed, known } = await this.#folders()
    const visits: Visit[] = []
    for (const item of known)
      if (mayHaveChanged(item, outside.now())) visits.push(await visitFolder(this.#work, item.row))
    if (visits.some((item) => item.vanished.length > 0)) {
      for (const item of (await this.#folders()).known)
        if (hasNew(item)) await visitNewMessages(this.#work, item.row)
    }
    for (const item of visits) await finishVisit(this.#work, item)
    await this.#dropLost(listed)
  }

  async #folders(): Promise<{ listed: FolderList; known: ListedFolder[] }> {
    const { outside, account, connection } = this.#work
    const session = await connection.session()
    const listed = await session.folders()
    this.#work.folderCount = listed.paths.size
    const labelled =
      session.hasLabels &&
      listed.folders.some((folder) => folder.role === 'all' && folder.isSelectable)
    return {
      listed,
      known: await outside.write((system) => refreshFolders(system, account, listed, labelled)),
    }
  }

  async #dropLost(listed: FolderList): Promise<void> {
    const { outside, account } = this.#work
    for (const row of await outside.write(({ all }) => lostFolders(all, account, listed))) {
      while (await outside.write((system) => dropFolder(system, row, 40)))
        outside.signal.throwIfAborted()
    }
  }

  /** Continues each folder's first sync by one batch. Returns whether there is more. */
  async #history(): Promise<boolean> {
    const { outside, account } = this.#work
    const incompleteFolders = (await outside.write(({ all }) => foldersOf(all, account))).filter(
      (row) =>
        row.is_synced === 1 &&
        row.is_complete === 0 &&
        row.uid_validity !== null &&
        !isUnstable(this.#work, row),
    )
    let more = false
    for (const folder of incompleteFolders) {
      more = (await addHistoryBatch(this.#work, folder, this.#remaining)) || more
      if (this.#isOver) return true
    }
    return more
  }
}
