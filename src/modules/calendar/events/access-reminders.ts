import type { Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { ownedEvents } from './access-occurrences.ts'

/** Events of active people with a due reminder; at most `limit`. */
export function dueEvents({ all, now }: TickContext, limit: number) {
  return ownedEvents(all)
    .where('events.remind_at', '<=', now)
    .where('users.status', '=', 'active')
    .orderBy('events.remind_at')
    .limit(limit)
    .execute()
}

/** Stores the time of an event's next notification; not recorded as a change. */
export async function storeNextReminder(
  { all }: TickContext,
  id: Id<'events'>,
  next: number | undefined,
): Promise<void> {
  await all
    .updateTable('events')
    .set({ remind_at: next ?? null })
    .where('id', '=', id)
    .execute()
}
