import type { z } from 'zod'
import { omitNullish } from '../../../kernel/present.ts'
import { iso } from '../../../kernel/time/times.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { type Ref, commonOf } from '../../../records/shapes.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { project } from '../../portfolio/access.ts'
import { actionItem, decision, meeting, meetingNote } from '../access.ts'
import { presentActionItems } from '../action-items/presenter.ts'
import {
  type DecisionShape,
  type Meeting,
  type MeetingNote,
  meetingRef,
  presentMeetings,
} from '../shapes.ts'

/** One meeting in its current state, with notes, decisions and action items. */
export async function presentMeeting(
  ctx: ReadContext,
  row: Row<'meetings'>,
): Promise<z.infer<typeof Meeting>> {
  const [listed] = await presentMeetings(ctx, [row])
  const notes = await meetingNote
    .of(ctx, [row.id])
    .selectAll('meeting_notes')
    .orderBy('meeting_notes.id')
    .execute()
  const decisions = await decision
    .visibleTo(ctx)
    .selectAll('decisions')
    .where('decisions.meeting_id', '=', row.id)
    .orderBy('decisions.decided_at')
    .orderBy('decisions.id')
    .execute()
  const actions = await actionItem
    .of(ctx, [row.id])
    .selectAll('action_items')
    .orderBy('action_items.id')
    .execute()
  return omitNullish({
    ...listed!,
    notes_markdown: row.notes_markdown,
    notes: await presentNotes(ctx, row, notes),
    decisions: await presentDecisions(ctx, decisions),
    action_items: await presentActionItems(ctx, actions),
  })
}

export async function presentNotes(
  ctx: ReadContext,
  meetingRow: Row<'meetings'>,
  rows: readonly Row<'meeting_notes'>[],
): Promise<z.infer<typeof MeetingNote>[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) =>
    omitNullish({
      ...commonOf(row, `${meeting.url(meetingRow, ctx.baseUrl)}#${row.id}`, people),
      meeting: meetingRef(meetingRow),
      body_markdown: row.body_markdown,
      at_second: row.at_second,
      author: people.get(row.created_by) ?? { id: row.created_by, title: '' },
    }),
  )
}

/** Decisions for results, with references only to items that the reader can see. */
export async function presentDecisions(
  ctx: ReadContext,
  rows: readonly Row<'decisions'>[],
): Promise<DecisionShape[]> {
  if (rows.length === 0) return []
  const deciders = new Map(rows.map((row) => [row.id, JSON.parse(row.decided_by_json) as string[]]))
  const people = await peopleRefs(ctx, [
    ...rows.map((row) => row.created_by),
    ...[...deciders.values()].flat(),
  ])
  const meetings = await meeting.among(
    ctx,
    rows.flatMap((row) => row.meeting_id ?? []),
  )
  const projects = await project.among(
    ctx,
    rows.flatMap((row) => row.project_id ?? []),
  )
  const successors = await decision.among(
    ctx,
    rows.flatMap((row) => row.superseded_by_id ?? []),
  )
  const earlier = await decision
    .visibleTo(ctx)
    .selectAll('decisions')
    .where(
      'decisions.superseded_by_id',
      'in',
      rows.map((row) => row.id),
    )
    .execute()
  const ref = (row: Row<'decisions'> | undefined): Ref | undefined =>
    row && { id: row.id, title: row.title }
  return rows.map((row) => {
    const meetingRow = row.meeting_id === null ? undefined : meetings.get(row.meeting_id)
    const projectRow = row.project_id === null ? undefined : projects.get(row.project_id)
    const supersedes = ref(earlier.find((item) => item.superseded_by_id === row.id))
    const superseded_by =
      row.superseded_by_id === null ? undefined : ref(successors.get(row.superseded_by_id))
    return omitNullish({
      ...commonOf(row, decision.url(row, ctx.baseUrl), people),
      title: row.title,
      decision_markdown: row.decision_markdown,
      alternatives: JSON.parse(row.alternatives_json) as string[],
      decided_by: deciders.get(row.id)!.flatMap((id) => people.get(id) ?? []),
      decided_at: iso(row.decided_at),
      meeting: meetingRow ? meetingRef(meetingRow) : undefined,
      project: projectRow
        ? { id: projectRow.id, title: projectRow.name, key: projectRow.key }
        : undefined,
      status: row.superseded_by_id === null ? 'accepted' : 'superseded',
      supersedes,
      superseded_by,
    })
  })
}
