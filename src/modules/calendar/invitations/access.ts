// Finds the event in the reader's calendar that a mail is about.
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { event } from '../access.ts'

/** Characters of a calendar part that are scanned for its method and UID. */
const maxScannedCharacters = 200_000
const maxUids = 20

/** Calendar content of a mail, and the event in the reader's own calendars that it is about. */
export interface MailEvent {
  method: 'REQUEST' | 'CANCEL' | 'REPLY' | 'other'
  event: Row<'events'> | undefined
  /** Outcome recorded by sync/imip.ts; undefined if not read yet. */
  outcome: string | undefined
}

/** Calendar content by message id, for messages that have any. The reader must be able to see the messages. */
export async function eventsOfEmails(
  viewer: Viewer,
  ids: readonly Row<'emails'>['id'][],
): Promise<Map<string, MailEvent>> {
  const { all, actor } = accessScopeOf(viewer)
  if (ids.length === 0) return new Map()
  const bodies = await all
    .selectFrom('email_bodies')
    .leftJoin('event_mails', 'event_mails.email_id', 'email_bodies.email_id')
    .select(['email_bodies.email_id', 'calendar_text', 'outcome'])
    .where('email_bodies.email_id', 'in', ids)
    .where('calendar_text', 'is not', null)
    .execute()
  const calendarParts = bodies.map((body) => ({
    id: body.email_id as string,
    outcome: body.outcome ?? undefined,
    ...methodAndUids(body.calendar_text!),
  }))
  const uids = calendarParts.flatMap((item) => item.uids)
  const rows =
    uids.length === 0
      ? []
      : await event
          .visibleTo(viewer)
          .selectAll('events')
          .where('events.owner_id', '=', actor.id)
          .where('events.uid', 'in', uids)
          .orderBy('events.id')
          .execute()
  return new Map(
    calendarParts.map(({ id, method, outcome, uids }) => [
      id,
      { method, outcome, event: rows.find((row) => uids.includes(row.uid)) },
    ]),
  )
}

/** Method and UIDs of a calendar part, without parsing it completely: it is external. */
function methodAndUids(text: string): { method: MailEvent['method']; uids: string[] } {
  const lines = text
    .slice(0, maxScannedCharacters)
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
  const value = (name: string) =>
    lines
      .filter((line) => line.toUpperCase().startsWith(name) && /[;:]/.test(line[name.length] ?? ''))
      .map((line) => line.slice(line.indexOf(':') + 1).trim())
  const method = value('METHOD')[0]?.toUpperCase()
  return {
    method: method === 'REQUEST' || method === 'CANCEL' || method === 'REPLY' ? method : 'other',
    uids: [...new Set(value('UID'))].slice(0, maxUids),
  }
}
