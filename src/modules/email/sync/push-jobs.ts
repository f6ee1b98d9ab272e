import { sql } from 'kysely'
import type { Tick, TickContext } from '../../../operations/jobs/tick.ts'
import { requestSyncAsOwner, syncJob } from './jobs.ts'
import type { MailAccount, Store } from './store.ts'
import { reachableStatuses } from '../../accounts/access.ts'

const batchSize = 50

/** Requests syncs that push local changes to the servers, soon after the changes. */
export const requestMailPushes: Tick = {
  name: 'carry_mail',
  due: async (all) => (await accountsWithDuePushes(all, Date.now(), 1)).length > 0,
  async run(system: TickContext) {
    const accounts = await accountsWithDuePushes(system.all, system.now, batchSize)
    for (const account of accounts) await requestSyncAsOwner(system, account)
    return accounts.length === batchSize
  },
}

/** Accounts of active people with due pushes and without a waiting sync job. */
function accountsWithDuePushes(
  all: Store,
  now: number,
  limit: number,
): Promise<Pick<MailAccount, 'id' | 'owner_id'>[]> {
  return all
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.owner_id')
    .select(['accounts.id', 'accounts.owner_id'])
    .where('accounts.has_mail', '=', 1)
    .where('accounts.removed_at', 'is', null)
    .where('accounts.status', 'in', reachableStatuses)
    .where('users.status', '=', 'active')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('mail_pushes')
          .select('mail_pushes.id')
          .whereRef('mail_pushes.account_id', '=', 'accounts.id')
          .where('mail_pushes.not_before', '<=', now),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('jobs')
            .select('jobs.id')
            .where('jobs.kind', '=', syncJob)
            .where('jobs.unique_key', '=', sql.ref<string>('accounts.id'))
            .where('jobs.finished_at', 'is', null)
            .where((job) =>
              job.or([job('jobs.state', '=', 'waiting'), job('jobs.asked_again', '=', 1)]),
            ),
        ),
      ),
    )
    .orderBy('accounts.id')
    .limit(limit)
    .execute()
}
