import type { Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { ownedEvents } from './access-occurrences.ts'

/** Events of active people of which something is due to be told; at most `limit`. */
export function dueEvents({ all, now }: TickContext, limit: number) {
  return ownedEvents(all)
    .where('events.remind_at', '<=', now)
    .where('users.status', '=', 'active')
    .orderBy('events.remind_at')
    .limit(limit)
    .execute()
}

/** Notes when something of an event is told next: no one's change. */
export async function noteReminder(
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
