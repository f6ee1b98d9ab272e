import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, pageOf, paging, secret } from '../../../kernel/fields.ts'
import { newMentions, unresolvedMentions } from '../../../kernel/text/mentions.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { parseInstant, iso } from '../../../kernel/time/times.ts'
import { message } from '../../chat/access.ts'
import { person } from '../../directory/access.ts'
import { holdersOf, incident, timelineEntry } from '../access.ts'
import { requirePast } from './declaration.ts'
import { TimelineEntry, timelineKinds } from '../shapes.ts'
import { addTimelineEntry, presentTimeline } from './timeline.ts'

export const listIncidentTimeline = operation({
  name: 'list_incident_timeline',
  searchHint: 'what happened when, log of the outage, chronology',
  kind: 'read',
  rest: 'GET /api/incidents/{incident_id}/timeline',
  about: 'Ordered record of what happened: notes, state changes, pages, messages and deploy marks',
  on: { incident: incident.see },
  input: {
    kind: z.array(z.enum(timelineKinds)).max(8).optional(),
    since: datetime().optional().describe('only events since then'),
    ...paging,
  },
  output: pageOf(TimelineEntry),
  async handle({ incident: row, kind, since, limit, cursor }, ctx) {
    let query = timelineEntry.of(ctx, [row.id]).selectAll('timeline_entries')
    if (kind?.length) query = query.where('timeline_entries.kind', 'in', kind)
    if (since !== undefined)
      query = query.where(
        'timeline_entries.occurred_at',
        '>=',
        parseInstant(since, ctx.actor.timezone, 'start', 'since'),
      )
    const page = await paged(
      query,
      [
        { by: 'timeline_entries.occurred_at', as: 'occurred_at', dir: 'asc' },
        { by: 'timeline_entries.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentTimeline(ctx, row, page.items))
  },
})

export const addIncidentNote = operation({
  name: 'add_incident_note',
  searchHint: 'log a finding, write down what happened during the outage',
  kind: 'write',
  rest: 'POST /api/incidents/{incident_id}/timeline',
  about: 'Add a timed note, finding or pinned chat message to the timeline',
  on: {
    incident: incident.edit,
    message: message.see.maybe.describe(
      'a chat message you can read; everyone who can see the incident will see it',
    ),
  },
  input: {
    body_markdown: secret(
      z
        .string()
        .min(1)
        .max(50_000)
        .regex(/\S/, 'must not be blank')
        .describe('markdown; @name, @email or @<person id> mentions anyone who can see it'),
    ),
    occurred_at: datetime()
      .optional()
      .describe('when it happened; default: now, or when the message was sent'),
  },
  output: TimelineEntry,
  async handle({ incident: row, message: quotedMessage, body_markdown, occurred_at }, ctx) {
    if (quotedMessage?.erased_at != null)
      throw new Refusal('conflict', 'This message was deleted and cannot be quoted.', {
        field: 'message_id',
      })
    const at =
      occurred_at === undefined
        ? quotedMessage?.created_at
        : parseInstant(occurred_at, ctx.actor.timezone, 'start', 'occurred_at')
    if (at !== undefined) requirePast(ctx, at, 'occurred_at')
    const text = quotedMessage
      ? `${body_markdown}\n\n${await quotation(ctx, quotedMessage)}`
      : body_markdown
    const entry = await addTimelineEntry(ctx, row, {
      kind: quotedMessage ? 'message' : 'note',
      text,
      at,
      messageId: quotedMessage?.id,
    })
    ctx.notify(
      'mention',
      await mentionedPeople(ctx, row, body_markdown),
      'incidents',
      row,
      `${ctx.actor.display_name} mentioned you on the timeline of an incident`,
    )
    return { ...(await presentTimeline(ctx, row, [entry]))[0]!, ...unresolvedMentions(ctx) }
  },
})

async function quotation(ctx: ReadContext, quotedMessage: Row<'messages'>): Promise<string> {
  const author = (await person.among(ctx, [quotedMessage.created_by])).get(quotedMessage.created_by)
  return [
    `${author?.display_name ?? 'Someone'}, ${iso(quotedMessage.created_at)}:`,
    '',
    quotedMessage.body_markdown,
  ]
    .map((part) => part.replaceAll(/^/gm, '> '))
    .join('\n')
}

/** Mentions only people with access to the incident. */
async function mentionedPeople(
  ctx: ReadContext,
  row: Row<'incidents'>,
  text: string,
): Promise<string[]> {
  if (!text.includes('@')) return []
  const holders = (await holdersOf(ctx, [row.id])).map((holder) => holder.person_id)
  let people = person.visibleTo(ctx).selectAll('users').where('users.status', '=', 'active')
  if (row.restricted === 1)
    people = people.where((eb) =>
      eb.or([eb('users.role', '=', 'admin'), eb('users.id', 'in', holders)]),
    )
  return newMentions(ctx, text, await people.execute())
}
