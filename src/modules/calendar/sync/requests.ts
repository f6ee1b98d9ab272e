import type { WriteContext } from '../../../operations/context.ts'
import { syncKinds } from '../../accounts/access.ts'

/** Requests the sync of an account's calendars; a running one checks again at its end. */
export async function requestCalendarSync(ctx: WriteContext, accountId: string): Promise<void> {
  await ctx.job(
    syncKinds.calendar,
    { account_id: accountId },
    { uniqueKey: accountId, whileRunning: 'again' },
  )
}
