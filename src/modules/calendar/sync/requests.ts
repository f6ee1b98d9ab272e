import type { WriteContext } from '../../../operations/context.ts'
import { syncKinds } from '../../accounts/access.ts'

/** Asks for the sync of an account's calendars; one that is under way looks once more when it is through. */
export async function askToSync(ctx: WriteContext, accountId: string): Promise<void> {
  await ctx.job(
    syncKinds.calendar,
    { account_id: accountId },
    { uniqueKey: accountId, whileRunning: 'again' },
  )
}
