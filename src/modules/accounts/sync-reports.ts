import { omitNullish } from '../../kernel/present.ts'
import type { Outside } from '../../operations/jobs/job.ts'
import type { TickContext } from '../../operations/jobs/tick.ts'
import { isUsedFor, type AccountRow, type SyncedService } from './sync-lists.ts'

/**
 * Result of a sync. `problem`: in words that the owner of the account can act on, also for a partially successful
 * sync; `signedInAt`: sign-in time of the account when the problem was detected.
 */
export type SyncOutcome =
  | { service: SyncedService; ok: true; syncedBackTo?: string; problem?: string }
  | {
      service: SyncedService
      ok: false
      problem: string
      needsSignIn?: boolean
      signedInAt?: number
    }

interface Health {
  synced_at?: number
  problem?: string
  since?: number
}

type Healths = Partial<Record<SyncedService, Health>>

/**
 * Records the outcome of a sync of one service, and its effect on the account. Notifies the owner if they have to
 * sign in again.
 * Ignores an account that was switched off or removed meanwhile.
 */
export function reportSync(
  outside: Pick<Outside, 'write'>,
  accountId: string,
  outcome: SyncOutcome,
): Promise<void> {
  return outside.write((system) => noteSync(system, accountId, outcome))
}

/** The same inside a transaction. */
async function noteSync(
  system: TickContext,
  accountId: string,
  outcome: SyncOutcome,
): Promise<void> {
  const account = await system.all
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', accountId as AccountRow['id'])
    .executeTakeFirst()
  if (!account || account.removed_at !== null || account.status === 'disabled') return
  if (!outcome.ok && outcome.signedInAt !== undefined && outcome.signedInAt < account.signed_in_at)
    return // what was refused is not what opens it since
  const healths = after(JSON.parse(account.services_json) as Healths, outcome, system.now)
  const quiet: Partial<AccountRow> = omitNullish({
    services_json: JSON.stringify(healths),
    last_sync_at: outcome.ok ? system.now : undefined,
    synced_back_to:
      outcome.ok && outcome.syncedBackTo !== undefined ? outcome.syncedBackTo : undefined,
  })
  await system.all.updateTable('accounts').set(quiet).where('id', '=', account.id).execute() // every few minutes: no change that anybody follows
  const accountStatus = standing({ ...account, ...quiet }, healths, outcome)
  if (accountStatus.status === account.status && accountStatus.problem === account.problem) return
  await system.as(account.owner_id, async (ctx) => {
    const row = await ctx.change(
      'accounts',
      { ...account, ...quiet },
      {
        ...accountStatus,
        problem_since:
          accountStatus.problem === null ? null : (account.problem_since ?? system.now),
      },
    )
    if (accountStatus.status !== 'reauth_required' || account.status === 'reauth_required') return
    ctx.event('email_account.reauth_required', 'accounts', row, account.owner_id)
    ctx.notify(
      'security',
      [account.owner_id],
      'accounts',
      row,
      'An account needs you to sign in again; until then it is not synced.',
    )
  })
}

function after(healths: Healths, outcome: SyncOutcome, now: number): Healths {
  const { since = now, ...before } = healths[outcome.service] ?? {}
  const { problem } = outcome
  const failure = problem === undefined ? {} : { problem, since }
  return {
    ...healths,
    [outcome.service]: outcome.ok ? { synced_at: now, ...failure } : { ...before, ...failure },
  }
}

/**
 * Derives the status of an account from its services: the worst one counts. It stays `syncing` until one of its
 * services has been synced once.
 */
function standing(
  account: AccountRow,
  healths: Healths,
  outcome: SyncOutcome,
): Pick<AccountRow, 'status' | 'problem'> {
  if (!outcome.ok && outcome.needsSignIn)
    return { status: 'reauth_required', problem: outcome.problem }
  if (account.status === 'reauth_required')
    return { status: account.status, problem: account.problem } // only a sign-in ends it
  const services = (['mail', 'calendar', 'drive'] as const).filter((item) =>
    isUsedFor(account, item),
  )
  const problem =
    services.map((service) => healths[service]?.problem).find((item) => item !== undefined) ?? null
  if (problem !== null) return { status: 'degraded', problem }
  return {
    status:
      services.length > 0 && healths[services[0]!]?.synced_at === undefined ? 'syncing' : 'active',
    problem: null,
  }
}
