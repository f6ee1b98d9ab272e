import type { SyncRun } from './sync-run.ts'
import { z } from 'zod'
import { DavFailure, findCalendars, SignInRefused } from '../../../connectors/caldav.ts'
import { jobKind, TryLater } from '../../../operations/jobs/job.ts'
import type { Tick, TickContext } from '../../../operations/jobs/tick.ts'
import { Unreachable } from '../../../outbound/guard.ts'
import {
  accountsToSync,
  reachableStatuses,
  reportSync,
  syncKinds,
  type AccountRow,
} from '../../accounts/access.ts'
import { person } from '../../directory/access.ts'
import { ownAddressesOf } from '../access.ts'
import { syncCalendarList } from './calendars.ts'
import { pull } from './pull.ts'
import { push } from './push.ts'
import { davServer } from './server.ts'
import { requestCalendarSync } from './requests.ts'

/** Milliseconds between polls of a server. */
const pollIntervalMs = 5 * 60_000
const maxAccountsPerRun = 50

/**
 * Synchronizes the calendars of an account with their server: first server changes, then local changes, then changes
 * caused by those. It can stop and restart anywhere: objects are recognized by ETag, and outgoing ones by address.
 */
export const syncCalendars = jobKind({
  name: syncKinds.calendar,
  about: 'Syncs the calendars of a connected account with its server',
  args: z.strictObject({ account_id: z.string() }),
  concurrency: 4,
  async run({ account_id }, job) {
    const accountWithAddresses = await job.write((system) => accountToSync(system, account_id))
    if (!accountWithAddresses) return { calendars: 0 }
    const { account, ownAddresses } = accountWithAddresses
    const run: SyncRun = { job, account, ownAddresses, server: davServer(job, account) }
    try {
      const calendars = await syncAll(run)
      await reportSync(job, account.id, { service: 'calendar', ok: true })
      return { calendars }
    } catch (error) {
      job.signal.throwIfAborted()
      return await reportCalendarFailure(run, error)
    }
  },
})

async function syncAll(on: SyncRun): Promise<number> {
  const calendars = await syncCalendarList(on, await findCalendars(on.server))
  for (const { row, ctag, hasTokens } of calendars) {
    on.job.signal.throwIfAborted()
    await pull(on, row, { ctag, hasTokens })
    await push(on, row)
  }
  return calendars.length
}

/** Reports to the account's owner why a sync stopped. @throws TryLater if the server names a time for a retry */
async function reportCalendarFailure(
  { job, account }: SyncRun,
  error: unknown,
): Promise<{ problem: string }> {
  if (error instanceof SignInRefused) {
    const problem =
      account.provider === 'google'
        ? 'Google refused the sign-in for its calendars.'
        : 'The calendar server refused the user name or password. With two-factor sign-in, it needs an app password.'
    await reportSync(job, account.id, {
      service: 'calendar',
      ok: false,
      problem,
      needsSignIn: true,
      signedInAt: account.signed_in_at,
    })
    return { problem }
  }
  if (!(error instanceof DavFailure) && !(error instanceof Unreachable)) throw error
  const problem = problemText(error)
  await reportSync(job, account.id, { service: 'calendar', ok: false, problem })
  if (error instanceof DavFailure && error.retryAfter !== undefined)
    throw new TryLater(error.retryAfter * 1000, problem)
  throw error
}

async function accountToSync(
  system: TickContext,
  id: string,
): Promise<{ account: AccountRow; ownAddresses: Set<string> } | undefined> {
  const account = (await accountsToSync(system, 'calendar')).find((row) => row.id === id)
  if (!account) return undefined
  const { email } = await system.as(account.owner_id, (ctx) =>
    person.editableBy(ctx).select('users.email').executeTakeFirstOrThrow(),
  )
  return { account, ownAddresses: await ownAddressesOf(system.all, account.owner_id, email) }
}

/** Requests due syncs: of accounts not checked for some minutes. */
export const wakeCalendarSyncs: Tick = {
  name: 'wake_calendar_syncs',
  async run(system) {
    const accounts = await accountsToSync(system, 'calendar')
    const due = await dueAccounts(system, accounts)
    for (const account of due.slice(0, maxAccountsPerRun))
      await system.as(account.owner_id, (ctx) => requestCalendarSync(ctx, account.id))
    return false
  },
}

/** Requests syncs for accounts with local changes that were not sent yet. */
export const pushCalendarChanges: Tick = {
  name: 'carry_calendar_changes',
  due: async (all) => (await accountsWithChanges(all)).length > 0,
  async run(system) {
    const waiting = new Set(await accountsWithChanges(system.all))
    for (const account of await accountsToSync(system, 'calendar'))
      if (waiting.has(account.id))
        await system.as(account.owner_id, (ctx) => requestCalendarSync(ctx, account.id))
    return false
  },
}

/** Calendar accounts with changes to send that their server has not refused. */
async function accountsWithChanges(all: TickContext['all']): Promise<string[]> {
  const changed = all
    .selectFrom('events')
    .select('events.calendar_id')
    .whereRef('events.synced_revision', '<>', 'events.revision')
    .where('events.push_problem', 'is', null)
  const deleted = all
    .selectFrom('calendar_deletions')
    .select('calendar_deletions.calendar_id')
    .where('calendar_deletions.problem', 'is', null)
  const rows = await all
    .selectFrom('calendars')
    .innerJoin('accounts', 'accounts.id', 'calendars.account_id')
    .select('accounts.id')
    .distinct()
    .where('accounts.status', 'in', reachableStatuses)
    .where('accounts.removed_at', 'is', null)
    .where('accounts.has_calendar', '=', 1)
    .where((eb) => eb.or([eb('calendars.id', 'in', changed), eb('calendars.id', 'in', deleted)]))
    .execute()
  return rows.map((row) => row.id)
}

async function dueAccounts(system: TickContext, accounts: AccountRow[]): Promise<AccountRow[]> {
  const lastSyncs = await system.all
    .selectFrom('calendars')
    .select(['account_id', (eb) => eb.fn.max('synced_at').as('at')])
    .where('account_id', 'is not', null)
    .groupBy('account_id')
    .execute()
  const lastSyncByAccount = new Map(lastSyncs.map((item) => [item.account_id, item.at]))
  return accounts.filter(
    (account) => (lastSyncByAccount.get(account.id) ?? 0) <= system.now - pollIntervalMs,
  )
}

function problemText(error: DavFailure | Unreachable): string {
  if (error instanceof DavFailure) return `The calendar server: ${error.message}`
  return error.reason === 'timeout'
    ? 'The calendar server did not answer in time; it will be retried.'
    : 'The calendar server cannot be reached; it will be retried.'
}
