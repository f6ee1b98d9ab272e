import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { day, datetimeString } from '../../kernel/fields.ts'
import type { Row } from '../../records/resource.ts'
import { iso } from '../../kernel/time/times.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { common, commonOf, Ref } from '../../records/shapes.ts'
import { project } from '../portfolio/access.ts'
import { projectRef } from '../portfolio/shapes.ts'
import { task } from '../tasks/access.ts'
import { taskRef } from '../tasks/shapes.ts'
import { timeEntry } from './access.ts'
import { roundedMinutes } from './durations.ts'

const entryFields = {
  ...common,
  person: Ref,
  task: Ref.optional(),
  project: Ref.optional().describe("the task's current one"),
  spent_on: day().describe('for timers, their start day in the time zone of the person'),
  duration_minutes: z.int().describe('for a running timer, the time so far'),
  note: z.string().optional(),
  billable: z.boolean(),
  running_since: datetimeString().optional().describe('set while the timer runs'),
}

/** An entry in lists. */
export const ListedEntry = shape('ListedEntry', entryFields)

export const TimeEntry = shape('TimeEntry', {
  ...entryFields,
  stopped: ListedEntry.optional().describe('start_timer: the timer that was running before'),
  notes: z.array(z.string()).optional().describe('warnings about this entry'),
})
export type ListedEntryShape = z.infer<typeof ListedEntry>

/** Presents entries, with tasks and projects that the caller can (still) see. */
export async function presentEntries(
  ctx: ReadContext,
  rows: readonly Row<'time_entries'>[],
): Promise<ListedEntryShape[]> {
  const tasks = await task.among(
    ctx,
    rows.flatMap((row) => row.task_id ?? []),
  )
  const projectOf = (row: Row<'time_entries'>) =>
    row.task_id === null ? row.project_id : (tasks.get(row.task_id)?.project_id ?? null)
  const projects = await project.among(
    ctx,
    rows.flatMap((row) => projectOf(row) ?? []),
  )
  const people = await peopleRefs(
    ctx,
    rows.flatMap((row) => [row.created_by, row.person_id]),
  )
  return rows.map((row) => {
    const [taskRow, projectRow] = [tasks.get(row.task_id ?? ''), projects.get(projectOf(row) ?? '')]
    return omitNullish({
      ...commonOf(row, timeEntry.url(row, ctx.baseUrl), people),
      person: people.get(row.person_id)!,
      task: taskRow ? taskRef(taskRow) : undefined,
      project: projectRow ? projectRef(projectRow) : undefined,
      spent_on: row.spent_on,
      duration_minutes:
        row.running_since_at === null
          ? row.duration_minutes
          : roundedMinutes(ctx.now - row.running_since_at),
      note: row.note,
      billable: row.billable === 1,
      running_since: row.running_since_at === null ? undefined : iso(row.running_since_at),
    })
  })
}
