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

type HealthByService = Partial<Record<SyncedService, Health>>

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
  return outside.write((system) => recordOutcome(system, accountId, outcome))
}

/** The same inside a transaction. */
async function recordOutcome(
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
    return // the owner has signed in again since
  const healthByService = updatedHealth(
    JSON.parse(account.services_json) as HealthByService,
    outcome,
    system.now,
  )
  const unauditedColumns: Partial<AccountRow> = omitNullish({
    services_json: JSON.stringify(healthByService),
    last_sync_at: outcome.ok ? system.now : undefined,
    synced_back_to:
      outcome.ok && outcome.syncedBackTo !== undefined ? outcome.syncedBackTo : undefined,
  })
  await system.all
    .updateTable('accounts')
    .set(unauditedColumns)
    .where('id', '=', account.id)
    .execute() // runs every few minutes, so it is not recorded as a change
  const accountStatus = statusOf({ ...account, ...unauditedColumns }, healthByService, outcome)
  if (accountStatus.status === account.status && accountStatus.problem === account.problem) return
  await system.as(account.owner_id, async (ctx) => {
    const row = await ctx.change(
      'accounts',
      { ...account, ...unauditedColumns },
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

function updatedHealth(
  healths: HealthByService,
  outcome: SyncOutcome,
  now: number,
): HealthByService {
  const { since = now, ...previous } = healths[outcome.service] ?? {}
  const { problem } = outcome
  const failure = problem === undefined ? {} : { problem, since }
  return {
    ...healths,
    [outcome.service]: outcome.ok ? { synced_at: now, ...failure } : { ...previous, ...failure },
  }
}

/**
 * Derives the status of an account from its services: the worst one counts. It stays `syncing` until one of its
 * services has been synced once.
 */
function statusOf(
  account: AccountRow,
  healths: HealthByService,
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
