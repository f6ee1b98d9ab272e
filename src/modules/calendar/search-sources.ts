import { findable } from '../../search/findable.ts'
import { calendar, event, takesPart } from './access.ts'

/** An attendee or organizer, as events keep them. */
interface Named {
  address: string
  name?: string
}

/** Own events by title, place and description; people are those who take part. A project has no events. */
export const foundEvents = findable({
  kind: 'event',
  source: 'own events',
  resource: event,
  containers: async (ctx) => [ctx.actor.id],
  narrow(ctx, events, { project, person: who }) {
    if (project) return undefined
    if (!who || who.id === ctx.actor.id) return events
    return events.where(takesPart(who.email))
  },
  async facts(ctx, rows) {
    const calendars = await calendar.among(
      ctx,
      rows.map((row) => row.calendar_id),
    )
    return new Map(
      rows.map((row) => {
        const organizer =
          row.organizer_json === null ? [] : [JSON.parse(row.organizer_json) as Named]
        const names = [...organizer, ...(JSON.parse(row.attendees_json) as Named[])].map(
          (one) => one.name ?? one.address,
        )
        const of = calendars.get(row.calendar_id)
        return [
          row.id,
          {
            people: [...new Set(names)].slice(0, 20),
            trust: row.trust,
            place: of && calendar.ref(of, ctx.baseUrl),
          },
        ]
      }),
    )
  },
})
