import type { Id } from '../../core/ids.ts'
import type { TickContext } from '../../core/operation.ts'

/** Events of active people of which something is due to be told; at most `limit`. With the zone that their texts are read in. */
export function dueEvents({ all, now }: TickContext, limit: number) {
  return all
    .selectFrom('events')
    .innerJoin('calendars', 'calendars.id', 'events.calendar_id')
    .innerJoin('users', 'users.id', 'events.owner_id')
    .selectAll('events')
    .select(['calendars.timezone as zone', 'users.email as owner_email'])
    .where('events.remind_at', '<=', now)
    .where('events.deleted_at', 'is', null)
    .where('users.status', '=', 'active')
    .orderBy('events.remind_at')
    .limit(limit)
    .execute()
}

/** Notes when something of an event is told next: nobody's change. */
export async function noteReminder({ all }: TickContext, id: Id<'events'>, next: number | undefined): Promise<void> {
  await all.updateTable('events').set({ remind_at: next ?? null }).where('id', '=', id).execute()
}
