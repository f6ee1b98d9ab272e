import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'

interface Attendee {
  address: string
  response: string
}

/** Notifies the organizer of an event that an attendee has responded. */
export function notifyResponses(
  ctx: WriteContext,
  before: Row<'events'>,
  after: Row<'events'>,
  ownAddresses: ReadonlySet<string>,
): void {
  const organizer =
    after.organizer_json === null
      ? undefined
      : (JSON.parse(after.organizer_json) as { address?: string }).address
  if (organizer === undefined || !ownAddresses.has(organizer.toLowerCase())) return
  const previousResponses = new Map(
    (JSON.parse(before.attendees_json) as Attendee[]).map((attendee) => [
      attendee.address.toLowerCase(),
      attendee.response,
    ]),
  )
  const answered = (JSON.parse(after.attendees_json) as Attendee[]).filter(
    (attendee) =>
      !ownAddresses.has(attendee.address.toLowerCase()) &&
      attendee.response !== 'needs_action' &&
      previousResponses.get(attendee.address.toLowerCase()) !== attendee.response,
  )
  if (answered.length > 0) ctx.event('event.response_received', 'events', after)
}
