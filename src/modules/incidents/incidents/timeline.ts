import { omitNullish } from '../../../kernel/present.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { message } from '../../chat/access.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { commonOf } from '../../../records/shapes.ts'
import { timelineEntry } from '../access.ts'
import { incidentRef, type TimelineEntryShape } from '../shapes.ts'

/** An event in an incident. */
export interface TimelineEvent {
  kind: Row<'timeline_entries'>['kind']
  text: string
  from?: string | null
  to?: string | null
  /** In milliseconds; default now. */
  at?: number | undefined
  messageId?: Id<'messages'> | undefined
}

/** Records an event in its transaction. */
export function addTimelineEntry(
  ctx: WriteContext,
  row: Pick<Row<'incidents'>, 'id'>,
  { kind, text, from, to, at, messageId }: TimelineEvent,
): Promise<Row<'timeline_entries'>> {
  return ctx.add('timeline_entries', {
    incident_id: row.id,
    kind,
    occurred_at: at ?? ctx.now,
    from_value: from ?? null,
    to_value: to ?? null,
    message_id: messageId ?? null,
    body_markdown: text,
  })
}

/** Timeline entries of a visible incident, for answers. */
export async function presentTimeline(
  ctx: ReadContext,
  incident: Row<'incidents'>,
  rows: readonly Row<'timeline_entries'>[],
): Promise<TimelineEntryShape[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const messages = await message.among(
    ctx,
    rows.flatMap((row) => row.message_id ?? []),
  )
  return rows.map((row) => {
    const actor = people.get(row.created_by)
    const quotedMessage = messages.get(row.message_id ?? '')
    return omitNullish({
      ...commonOf(row, `${ctx.baseUrl}/incidents/${incident.key}#${row.id}`, people),
      incident: incidentRef(incident),
      kind: row.kind,
      occurred_at: iso(row.occurred_at),
      actor,
      via: row.created_via,
      body_markdown: row.body_markdown,
      from: row.from_value,
      to: row.to_value,
      message: quotedMessage
        ? { id: quotedMessage.id, url: message.url(quotedMessage, ctx.baseUrl) }
        : undefined,
    })
  })
}

/** The last entries of a visible incident, in order, and whether there are earlier ones. */
export async function lastEntries(
  ctx: ReadContext,
  incidentRow: Row<'incidents'>,
  limit: number,
): Promise<{ entries: TimelineEntryShape[]; hasMore: boolean }> {
  const rows = await timelineEntry
    .of(ctx, [incidentRow.id])
    .selectAll('timeline_entries')
    .orderBy('timeline_entries.occurred_at', 'desc')
    .orderBy('timeline_entries.id', 'desc')
    .limit(limit + 1)
    .execute()
  const entries = await presentTimeline(ctx, incidentRow, rows.slice(0, limit).reverse())
  return { entries, hasMore: rows.length > limit }
}
