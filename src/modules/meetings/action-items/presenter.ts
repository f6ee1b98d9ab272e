import { omitNullish } from '../../../kernel/present.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { type Ref, commonOf } from '../../../records/shapes.ts'
import { contactsByEmail } from '../../contacts/access.ts'
import { person } from '../../directory/access.ts'
import { taskRefs } from '../../tasks/shapes.ts'
import { actionItem, meeting } from '../access.ts'
import { type ActionItemShape, meetingAddressOf, meetingRef } from '../shapes.ts'
import { type ActionStatus, actionStatesOf } from './access.ts'

/** Action items for results; their status is that of their task, which is included if visible. */
export async function presentActionItems(
  ctx: ReadContext,
  rows: readonly Row<'action_items'>[],
): Promise<ActionItemShape[]> {
  if (rows.length === 0) return []
  const states = await actionStatesOf(
    ctx,
    rows.map((row) => row.id),
  )
  const tasks = await taskRefs(
    ctx,
    [...states.values()].map((state) => state.task_id),
  )
  const people = await person.among(
    ctx,
    rows.flatMap((row) => [row.created_by, ...(row.owner_id === null ? [] : [row.owner_id])]),
  )
  const refs = new Map(
    [...people].map(([id, row]): [string, Ref] => [id, { id, title: row.display_name }]),
  )
  const contacts = await contactsByEmail(
    ctx,
    rows.flatMap((row) => row.owner_email ?? []),
  )
  const meetings = await meeting.among(
    ctx,
    rows.map((row) => row.meeting_id),
  )
  return rows.map((row) => {
    const state = states.get(row.id)
    const taskRef = state && tasks.get(state.task_id)
    const owner = meetingAddressOf(
      { person_id: row.owner_id, email: row.owner_email, name: row.owner_name },
      people,
      contacts,
    )
    return omitNullish({
      ...commonOf(row, actionItem.url(row, ctx.baseUrl), refs),
      meeting: meetingRef(meetings.get(row.meeting_id)!),
      text: row.text,
      owner: Object.keys(owner).length > 0 ? owner : undefined,
      due_on: row.due_on,
      quote: row.quote,
      at_second: row.at_second,
      status: (state?.status ?? 'open') satisfies ActionStatus,
      task: taskRef,
    })
  })
}
