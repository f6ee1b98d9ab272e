import { z } from 'zod'
import { MailFailure, maxFolders, type FolderList } from '../../../connectors/imap/imap.ts'
import { exponentialBackoff } from '../../../kernel/backoff.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { jobKind, TryLater, type JobContext } from '../../../operations/jobs/job.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { Unreachable } from '../../../outbound/guard.ts'
import { reportSync } from '../../accounts/access.ts'
import { takeBodies } from './bodies.ts'
import {
  dropFolder,
  hasNew,
  lostFolders,
  mayHaveChanged,
  refreshFolders,
  type Known,
} from './folders.ts'
import { takeNewsOf } from './new-mail.ts'
import { carryPushes } from './pushes.ts'
import { Line } from './sessions.ts'
import { foldersOf, mailAccount, type MailAccount } from './store.ts'
import {
  isUnsteady,
  finishVisit,
  takeHistory,
  visit,
  visitNews,
  type Visit,
  type Work,
} from './folder-visits.ts'

/** Milliseconds that a run works before others have their turn; the next run continues. */
const runFor = 20_000
/** A server that is away for a moment is no trouble that anybody has to know of. */
const notifyAfterAttempts = 4
const pauses = exponentialBackoff({ first: 1_000, max: 5 * 60_000 })

export const syncJob = 'sync_mail'

/** Asks for a sync of an account, in its owner's name: all that ask mean the same job, so that no account is synced twice at once. */
async function askToSync(ctx: WriteContext, accountId: string): Promise<void> {
  await ctx.job(
    syncJob,
    { account_id: accountId },
    { uniqueKey: accountId, whileRunning: 'again', priority: 'high' },
  )
}

/** The same by the house. */
export async function requestSyncAsOwner(
  system: TickContext,
  account: Pick<MailAccount, 'id' | 'owner_id'>,
): Promise<void> {
  await system.as(account.owner_id, (ctx) => askToSync(ctx, account.id))
}

/** Brings a mailbox and what is here of it together: what was done here to the server, what happened there into the database. */
export const syncMail = jobKind({
  name: syncJob,
  about: 'Syncs the mail of a connected account',
  args: z.strictObject({ account_id: z.string() }),
  concurrency: 6,
  maxAttempts: 1_000_000,
  async run({ account_id }, job) {
    const account = await job.write(({ all }) => mailAccount(all, account_id))
    if (!account) return { synced: false }
    const work: Work = { outside: job, account, line: new Line(job, account) }
    try {
      const more = await went(work)
      work.line.leave()
      await reportSync(job, account.id, {
        service: 'mail',
        ok: true,
        ...(await backTo(job, account)),
        ...(await inPart(work)),
      })
      if (more) await job.write((system) => requestSyncAsOwner(system, account))
      return { synced: true, more }
    } catch (error) {
      work.line.drop()
      job.signal.throwIfAborted()
      throw await reportMailFailure(job, work, error)
    }
  },
})

/** Problem to report for a partially synced mailbox. */
async function inPart(work: Work): Promise<{ problem?: string }> {
  const problems = [overLimit(work), await unsteadyFolders(work)].filter(
    (item) => item !== undefined,
  )
  return problems.length === 0 ? {} : { problem: problems.join(' ') }
}

function overLimit({ folderCount = 0 }: Work): string | undefined {
  if (folderCount <= maxFolders) return undefined
  const counts = `The mailbox has ${folderCount} folders; only the first ${maxFolders} are synchronized.`
  return `${counts} Delete or merge folders on the mail server to sync all of them.`
}

async function unsteadyFolders(work: Work): Promise<string | undefined> {
  if (!work.renumbered) return undefined
  const names = (await work.outside.write(({ all }) => foldersOf(all, work.account)))
    .filter((row) => isUnsteady(work, row))
    .map((row) => `“${row.name}”`)
  if (names.length === 0) return undefined
  const folderNames = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`
  return `The mail server renumbers the messages of ${folderNames} at each visit (UIDVALIDITY), so they cannot be kept up to date here. Ask the provider of the mailbox to repair it.`
}

/** Whether there is more to do. A connection that was kept may have ended unseen: then it is done by a new one. */
async function went(work: Work): Promise<boolean> {
  try {
    return await new Run(work).go()
  } catch (error) {
    if (!work.line.isUsed || !(error instanceof MailFailure) || error.trouble !== 'gone')
      throw error
    work.line.drop()
    return new Run(work).go()
  }
}

async function reportMailFailure(
  job: JobContext,
  { account, hasAdvanced }: Work,
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
  return new TryLater(pauses(attempt, Math.random), problem)
}

/** Up to which day back the mailbox is here without a gap. */
async function backTo(job: JobContext, account: MailAccount): Promise<{ syncedBackTo?: string }> {
  const oldest = await job.write(async ({ all }) => {
    const partly = (await foldersOf(all, account))
      .filter((folder) => folder.is_synced === 1 && folder.is_complete === 0)
      .map((folder) => folder.id)
    const mails = all
      .selectFrom('emails')
      .select((eb) => eb.fn.min('received_at').as('at'))
      .where('account_id', '=', account.id)
    if (partly.length === 0) return [await mails.executeTakeFirst()]
    return mails.where('folder_id', 'in', partly).groupBy('folder_id').execute()
  })
  const at = Math.max(...oldest.map((item) => item?.at ?? 0))
  return at > 0 ? { syncedBackTo: new Date(at).toISOString().slice(0, 10) } : {}
}

/** One run of a sync: what was done here goes out first, then come the news, then what is old, a piece at a time. */
class Run {
  readonly #work: Work
  readonly #end = performance.now() + runFor
  /** Remaining messages of folders' first syncs, by folder: UIDs, ascending. */
  readonly #remaining = new Map<string, number[]>()

  constructor(work: Work) {
    this.#work = work
  }

  /** Whether there is more to do. */
  async go(): Promise<boolean> {
    const { outside, account } = this.#work
    await carryPushes(this.#work)
    await this.#news()
    for (;;) {
      outside.signal.throwIfAborted()
      const more = (await this.#history()) || (await takeBodies(this.#work))
      await carryPushes(this.#work)
      if (takeNewsOf(outside.outbound, account.id)) await this.#news()
      else if (!more) return false
      if (this.#isOver) return true
    }
  }

  get #isOver(): boolean {
    return performance.now() > this.#end
  }

  /**
   * Looks into every folder in which something may have happened. What is gone is written down last, and new messages are looked for once
   * more before: one that was moved is gone in one folder and new in another, and keeps its id.
   */
  async #news(): Promise<void> {
    const { outside, account } = this.#work
    takeNewsOf(outside.outbound, account.id)
    const { listed, known } = await this.#folders()
    const visits: Visit[] = []
    for (const item of known)
      if (mayHaveChanged(item, outside.now())) visits.push(await visit(this.#work, item.row))
    if (visits.some((item) => item.vanished.length > 0)) {
      for (const item of (await this.#folders()).known)
        if (hasNew(item)) await visitNews(this.#work, item.row)
    }
    for (const item of visits) await finishVisit(this.#work, item)
    await this.#dropLost(listed)
  }

  async #folders(): Promise<{ listed: FolderList; known: Known[] }> {
    const { outside, account, line } = this.#work
    const session = await line.session()
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

  /** A piece of each folder's first sync; whether there is more. */
  async #history(): Promise<boolean> {
    const { outside, account } = this.#work
    const incompleteFolders = (await outside.write(({ all }) => foldersOf(all, account))).filter(
      (row) =>
        row.is_synced === 1 &&
        row.is_complete === 0 &&
        row.uid_validity !== null &&
        !isUnsteady(this.#work, row),
    )
    let more = false
    for (const folder of incompleteFolders) {
      more = (await takeHistory(this.#work, folder, this.#remaining)) || more
      if (this.#isOver) return true
    }
    return more
  }
}
