import type { ReadContext } from '../../operations/context.ts'
import type { Row } from '../../records/resource.ts'
import { commonOf } from '../../records/shapes.ts'
import { iso } from '../../kernel/time/times.ts'
import { contactsByEmail } from '../contacts/access.ts'
import {
  byTitle,
  companyRefs,
  refIn,
  interactionExcerpt,
  type InteractionShape,
  type InteractionSource,
  contactRef,
} from '../contacts/shapes.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { meeting, meetingParticipant } from './access.ts'
import { meetingsWithContacts } from './access-interactions.ts'

/** Meetings with contacts as interactions. The rows are already visible. */
async function presentMeetings(
  ctx: ReadContext,
  rows: readonly Row<'meetings'>[],
): Promise<InteractionShape[]> {
  if (rows.length === 0) return []
  const participants = await meetingParticipant
    .of(
      ctx,
      rows.map((row) => row.id),
    )
    .selectAll('meeting_people')
    .where('meeting_people.email', 'is not', null)
    .execute()
  const contactsByAddress = await contactsByEmail(
    ctx,
    participants.flatMap((item) => item.email ?? []),
  )
  const companies = await companyRefs(
    ctx,
    [...contactsByAddress.values()].map((item) => item.company_id),
  )
  const people = await peopleRefs(
    ctx,
    rows.flatMap((row) => [row.created_by, row.organizer_id]),
  )
  return rows.map((row) => {
    const contactsOfMeeting = new Map(
      participants
        .filter((item) => item.meeting_id === row.id)
        .flatMap((item) => contactsByAddress.get(item.email!) ?? [])
        .map((item) => [item.id, item]),
    )
    const companyIds = new Set([...contactsOfMeeting.values()].map((item) => item.company_id))
    return {
      ...commonOf(row, meeting.url(row, ctx.baseUrl), people),
      kind: 'meeting',
      occurred_at: iso(row.takes_place_at),
      summary_markdown: summaryOf(row),
      trust: 'internal',
      contacts: byTitle([...contactsOfMeeting.values()].map(contactRef)),
      ...(companyIds.size === 1 ? refIn('company', companies, [...companyIds][0]) : {}),
      person: people.get(row.organizer_id)!,
      source: meeting.ref(row, ctx.baseUrl),
    }
  })
}

function summaryOf({ title, notes_markdown }: Row<'meetings'>): string {
  if (notes_markdown === null || notes_markdown.trim() === '') return title
  return interactionExcerpt(`${title}\n\n${notes_markdown}`)
}

/** Meetings as a source of contacts' interactions. */
export const meetingInteractions: InteractionSource = {
  kind: 'meeting',
  source: 'meetings',
  find: meetingsWithContacts,
  present: async (ctx, ids) => presentMeetings(ctx, [...(await meeting.among(ctx, ids)).values()]),
}
