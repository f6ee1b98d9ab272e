import type { ReadContext } from '../../operations/context.ts'
import { iso, localIso } from '../../kernel/time/times.ts'
import { trustOf } from '../../records/shapes.ts'
import { shortTitle, withoutZeros, type SectionShape } from '../activity/shapes.ts'
import { event } from './access.ts'

interface Organizer {
  name?: string
  address: string
}

/** Upcoming invitations not yet answered by the caller, next event first. */
export async function invitationsSection(
  ctx: ReadContext,
  { maxItems }: { maxItems: number },
): Promise<SectionShape> {
  const openInvitations = event
    .visibleTo(ctx)
    .where('events.owner_id', '=', ctx.actor.id)
    .where('events.my_response', '=', 'needs_action')
    .where('events.status', '<>', 'cancelled')
    .where((eb) => eb.or([eb('events.ends_by', '>', ctx.now), eb('events.ends_by', 'is', null)]))
  const { count } = await openInvitations
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows =
    count === 0
      ? []
      : await openInvitations
          .selectAll('events')
          .orderBy('events.starts_at')
          .orderBy('events.id')
          .limit(maxItems)
          .execute()
  const items = rows.map((row) => {
    const organizer =
      row.organizer_json === null ? undefined : (JSON.parse(row.organizer_json) as Organizer)
    return {
      id: row.id,
      title: shortTitle(row.title),
      what: ['awaits your response', `starts ${localIso(row.starts_at, ctx.actor.timezone)}`],
      by: organizer ? [shortTitle(organizer.name ?? organizer.address)] : [],
      at: iso(row.created_at),
      ...trustOf(row.trust === 'external'),
    }
  })
  const more = count > maxItems ? { more: 'list_events' } : {}
  return {
    kind: 'invitations',
    counts: withoutZeros({ awaiting_response: count }),
    items,
    ...more,
    standing: true,
  }
}
