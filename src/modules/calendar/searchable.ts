import { hitFacts } from '../../operations/search/hit-facts.ts'
import { searchable } from '../../operations/search/searchable.ts'
import { calendar, event, isParticipant } from './access.ts'

/** An attendee or organizer, as stored with events. */
interface StoredParticipant {
  address: string
  name?: string
}

/** Own events by title, place and description; people are the participants. A project has no events. */
export const searchableEvents = searchable({
  kind: 'event',
  source: 'own events',
  resource: event,
  containers: async (ctx) => [ctx.actor.id],
  narrow(ctx, events, { project, person: who }) {
    if (project) return undefined
    if (!who || who.id === ctx.actor.id) return events
    return events.where(isParticipant(who.email))
  },
  facts: (ctx, rows) =>
    hitFacts(
      ctx,
      { place: calendar },
      rows.map((row) => {
        const organizer =
          row.organizer_json === null ? [] : [JSON.parse(row.organizer_json) as StoredParticipant]
        const names = [
          ...organizer,
          ...(JSON.parse(row.attendees_json) as StoredParticipant[]),
        ].map((party) => party.name ?? party.address)
        return {
          id: row.id,
          names: [...new Set(names)].slice(0, 20),
          place: row.calendar_id,
          trust: row.trust,
        }
      }),
    ),
})
