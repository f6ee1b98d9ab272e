import { chunks } from '../../kernel/chunks.ts'
import { shape } from '../../kernel/shape.ts'
import { z } from 'zod'
import { Truncated } from '../../records/shapes.ts'
import type { ReadContext } from '../../operations/context.ts'
import { date, day } from '../../kernel/fields.ts'
import { operation } from '../../operations/operation.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { Row } from '../../records/resource.ts'
import { addDays, daysBetween, weekday } from '../../kernel/time/times.ts'
import { label } from '../labels/access.ts'
import { person } from '../directory/access.ts'
import { project } from '../portfolio/access.ts'
import { task, taskLabel } from '../tasks/access.ts'
import { ofProject, tally, timeEntry, type Tally } from './access.ts'

const groupEnum = z.enum(['person', 'project', 'task', 'label', 'day', 'week'])
type Grouping = z.infer<typeof groupEnum>

const TimeReport = shape('TimeReport', {
  from: day(),
  to: day(),
  group_by: z.string(),
  total_minutes: z
    .int()
    .describe(
      'of entries visible to you: your own and those of projects you lead; running timers are not counted',
    ),
  groups: z
    .array(
      z.strictObject({
        key: z.string(),
        label: z.string(),
        minutes: z.int(),
        billable_minutes: z.int(),
        estimate_minutes: z.int().optional(),
      }),
    )
    .describe(
      'label: an entry counts in each label of its task, and once in the total. estimate_minutes: of the tasks with logged time, for project, task and label',
    ),
  truncated: Truncated.optional(),
})

const maxDays = 731
const maxGroups = 1000

export const getTimeReport = operation({
  name: 'get_time_report',
  searchHint:
    'hours spent, billing, billable, how much time, utilization, timesheet totals, ' +
    'how long did it take',
  kind: 'read',
  rest: 'GET /api/time-reports',
  about:
    'Time totals by person, project, task, label or day against estimates, from entries visible to you',
  on: { project: project.see.maybe, person: person.see.maybe },
  input: {
    from: date().describe('the first day'),
    to: date().describe('the last day, at most two years later'),
    group_by: groupEnum,
    billable: z.boolean().optional().describe('only these, or only the others'),
  },
  output: TimeReport,
  async handle({ project, person: who, from, to, group_by, billable }, ctx) {
    if (to < from) throw invalid('to', `${to} is before from (${from}).`)
    if (daysBetween(from, to) >= maxDays)
      throw invalid('to', `${from} to ${to} is longer than two years.`)
    let query = timeEntry
      .visibleTo(ctx)
      .where('time_entries.spent_on', '>=', from)
      .where('time_entries.spent_on', '<=', to)
    if (project) query = ofProject(ctx, query, project.id)
    if (who) query = query.where('time_entries.person_id', '=', who.id)
    if (billable !== undefined) query = query.where('time_entries.billable', '=', billable ? 1 : 0)
    const by = tallyBy(group_by)
    const tallies = await tally(query, by, group_by === 'project')
    const groups = await timeGroupsOf(ctx, group_by, tallies)
    const total_minutes = tallies.reduce((sum, item) => sum + item.minutes, 0)
    const truncation =
      groups.length > maxGroups
        ? {
            truncated: {
              reason: `Only the first ${maxGroups} of ${groups.length} groups are shown.`,
              how_to_continue: 'Request a shorter period, or one project.',
            },
          }
        : {}
    return { from, to, group_by, total_minutes, groups: groups.slice(0, maxGroups), ...truncation }
  },
})

interface Group {
  key: string
  label: string
  minutes: number
  billable_minutes: number
  estimate_minutes?: number
}

/** Groups that a tally counts in, with their names: several for labels. */
type GroupsOfTally = (item: Tally) => readonly { key: string; label: string }[]

const groupWithout = (what: string) => [{ key: 'none', label: `Without a ${what}` }]
/** The caller's own time on items they have left, or that were moved out of view or deleted. */
const hiddenGroup = [{ key: 'hidden', label: 'No longer visible to you' }]

async function personGroups(ctx: ReadContext, tallies: readonly Tally[]): Promise<Group[]> {
  const people = await rowsInBatches(
    ctx,
    tallies.flatMap((item) => item.key ?? []),
    (from, ids) => person.among(from, ids),
  )
  return sortedByMinutes(
    sumByGroup(tallies, ({ key }) => rowGroup(people.get(key!), (row) => row.display_name)),
  )
}

async function timeGroupsOf(
  ctx: ReadContext,
  by: Grouping,
  tallies: readonly Tally[],
): Promise<Group[]> {
  if (by === 'day')
    return sortedByKey(sumByGroup(tallies, ({ key }) => [{ key: key!, label: key! }]))
  if (by === 'week') return sortedByKey(sumByGroup(tallies, ({ key }) => [weekGroupOf(key!)]))
  if (by === 'person') return personGroups(ctx, tallies)
  const tasks = await rowsInBatches(
    ctx,
    tallies.flatMap((item) => (by === 'project' ? item.task : item.key) ?? []),
    (from, ids) => task.among(from, ids),
  )
  if (by === 'task')
    return sortedByMinutes(
      sumByGroup(
        tallies,
        ({ key }) =>
          key === null
            ? groupWithout('task')
            : rowGroup(tasks.get(key), (row) => `${row.key} ${row.title}`),
        tasks,
      ),
    )
  if (by === 'label') {
    const labels = await labelsByTask(ctx, tasks)
    return sortedByMinutes(
      sumByGroup(
        tallies,
        ({ key }) =>
          key !== null && !tasks.has(key)
            ? hiddenGroup
            : (labels.get(key ?? '') ?? groupWithout('label')),
        tasks,
      ),
    )
  }
  const projects = await rowsInBatches(
    ctx,
    tallies.flatMap((item) => item.key ?? []),
    (from, ids) => project.among(from, ids),
  )
  return sortedByMinutes(
    sumByGroup(
      tallies,
      ({ key }) =>
        key === null ? groupWithout('project') : rowGroup(projects.get(key), (row) => row.name),
      tasks,
    ),
  )
}

function rowGroup<R extends { id: string }>(row: R | undefined, label: (row: R) => string) {
  return row ? [{ key: row.id, label: label(row) }] : hiddenGroup
}

/** Sums by group; estimates are those of its distinct tasks that the caller can see. */
function sumByGroup(
  tallies: readonly Tally[],
  places: GroupsOfTally,
  tasks?: ReadonlyMap<string, Row<'tasks'>>,
): Group[] {
  const groups = new Map<string, Group>()
  for (const item of tallies) {
    const estimate = tasks?.get(item.task ?? item.key ?? '')?.estimate_minutes
    for (const { key, label } of places(item)) {
      const group = groups.get(key) ?? { key, label, minutes: 0, billable_minutes: 0 }
      groups.set(key, group)
      group.minutes += item.minutes
      group.billable_minutes += item.billable
      if (estimate != null && key !== 'hidden')
        group.estimate_minutes = (group.estimate_minutes ?? 0) + estimate
    }
  }
  return [...groups.values()]
}

function sortedByKey(groups: Group[]): Group[] {
  return groups.sort((a, b) => (a.key < b.key ? -1 : 1))
}

function sortedByMinutes(groups: Group[]): Group[] {
  return groups.sort((a, b) => b.minutes - a.minutes || (a.key < b.key ? -1 : 1))
}

/** The ISO 8601 week of a day, which belongs to the year of its Thursday. */
function weekGroupOf(day: string): { key: string; label: string } {
  const monday = addDays(day, 1 - weekday(day))
  const year = addDays(monday, 3).slice(0, 4)
  const number = Math.floor(daysBetween(`${year}-01-01`, addDays(monday, 3)) / 7) + 1
  return {
    key: `${year}-W${String(number).padStart(2, '0')}`,
    label: `${monday} to ${addDays(monday, 6)}`,
  }
}

const idsPerQuery = 500

/** Rows by id, for any number of ids. */
async function rowsInBatches<R>(
  ctx: ReadContext,
  ids: readonly string[],
  among: (readContext: ReadContext, ids: string[]) => Promise<Map<string, R>>,
): Promise<Map<string, R>> {
  const uniqueIds = [...new Set(ids)]
  const rowsById = new Map<string, R>()
  for (const batch of chunks(uniqueIds, idsPerQuery))
    for (const [id, row] of await among(ctx, batch)) rowsById.set(id, row)
  return rowsById
}

async function labelsByTask(
  ctx: ReadContext,
  tasks: ReadonlyMap<string, Row<'tasks'>>,
): Promise<Map<string, { key: string; label: string }[]>> {
  const ids = [...tasks.values()].map((row) => row.id)
  const labelLinks: { task_id: string; label_id: string }[] = []
  for (const batch of chunks(ids, idsPerQuery))
    labelLinks.push(
      ...(await taskLabel
        .of(ctx, batch)
        .select(['task_labels.task_id', 'task_labels.label_id'])
        .execute()),
    )
  const labels = await rowsInBatches(
    ctx,
    labelLinks.map((item) => item.label_id),
    (from, ids) => label.among(from, ids),
  )
  const visibleLabels = labelLinks.flatMap(({ task_id, label_id }) =>
    labels.has(label_id) ? [{ task_id, key: label_id, label: labels.get(label_id)!.name }] : [],
  )
  return Map.groupBy(visibleLabels, (item) => item.task_id)
}

/** Key by which the database sums time; labels and weeks are aggregated from it. */
function tallyBy<T extends string>(groupBy: T): Exclude<T, 'label' | 'week'> | 'task' | 'day' {
  if (groupBy === 'label') return 'task'
  return groupBy === 'week' ? 'day' : (groupBy as Exclude<T, 'label' | 'week'>)
}
