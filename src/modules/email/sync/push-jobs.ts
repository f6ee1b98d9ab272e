import { sql } from 'kysely'
import type { Tick, TickContext } from '../../../operations/jobs/tick.ts'
import { requestSyncAsOwner, syncJob } from './jobs.ts'
import type { MailAccount, Store } from './store.ts'
import { reachable } from '../../accounts/access.ts'

const batchSize = 50

/** Asks for the syncs that carry to the servers what was done here, soon after it was done. */
export const carryMail: Tick = {
  name: 'carry_mail',
  due: async (all) => (await waiting(all, Date.now(), 1)).length > 0,
  async run(system: TickContext) {
    const accounts = await waiting(system.all, system.now, batchSize)
    for (const account of accounts) await requestSyncAsOwner(system, account)
    return accounts.length === batchSize
  },
}

/** Accounts of active people for which something is to be carried, and no one has been asked to who has not begun yet. */
function waiting(
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
    .where('accounts.status', 'in', reachable)
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
