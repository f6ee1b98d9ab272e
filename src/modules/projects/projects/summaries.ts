import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { date, day } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { SectionCuts } from '../../../records/section-cuts.ts'
import { dayLength, addDays, dayAt, daysBetween, parseInstant } from '../../../kernel/time/times.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { Ref, Truncated } from '../../../records/shapes.ts'
import { ListedTask, presentTasks, taskRef } from '../../tasks/shapes.ts'
import {
  milestone,
  project,
  projectUpdate,
  categoryCounts,
  type CategoryCount,
} from '../../portfolio/access.ts'
import { assignedCount, scopeChange, personCounts, type PersonCount } from '../access-tasks.ts'
import {
  blockedTasks,
  overdueTasks,
  tasksDueSoon,
  throughputOf,
  type CountedTasks,
} from './outlook.ts'
import { blockedDays, risksOf } from './risks.ts'
import { projectRef } from '../../portfolio/shapes.ts'
import { Milestone, type MilestoneShape, presentMilestones } from '../milestones/shapes.ts'
import { ProjectUpdate, presentUpdates } from '../shapes.ts'

/** Maximum items per list; `counts` has the totals. */
const maxTasks = 50
const defaultPeriodDays = 30
const maxPeriodDays = 731
/** Earliest last day, so that the default period does not begin before the calendar does. */
const earliestLastDay = '0001-02-01'

const ProjectSummary = shape('ProjectSummary', {
  project: Ref,
  from: day(),
  to: day(),
  /** Without cancelled tasks. */
  progress: z.strictObject({ done: z.int(), total: z.int(), percent: z.int() }),
  overdue: z.array(ListedTask),
  blocked: z.array(ListedTask),
  /** Due within 7 days. */
  due_soon: z.array(ListedTask),
  /** Totals of the lists; a list shows at most 50. */
  counts: z.strictObject({ open: z.int(), overdue: z.int(), blocked: z.int(), due_soon: z.int() }),
  unassigned: z.int(),
  /** Within the period: created tasks; cancelled or deleted tasks. */
  scope_change: z.strictObject({ added: z.int(), removed: z.int() }),
  throughput: z.array(z.strictObject({ week: z.string(), done: z.int() })),
  workload: z.array(z.strictObject({ person: Ref, open: z.int() })),
  milestones: z.array(Milestone),
  truncated: Truncated.optional(),
  last_update: ProjectUpdate.optional(),
  risks: z.array(z.strictObject({ kind: z.string(), detail: z.string(), items: z.array(Ref) })),
})

export type ProjectSummaryShape = z.infer<typeof ProjectSummary>

export const getProjectSummary = operation({
  name: 'get_project_summary',
  searchHint:
    'how is it going, progress report, project health, status report, weekly report, risks, ' +
    'on track',
  kind: 'read',
  rest: 'GET /api/projects/{project_id}/summary',
  about:
    'Progress, overdue and blocked work, scope change, workload, last update and risks for a period',
  on: { project: project.see },
  input: {
    from: date().optional().describe('default: 30 days up to `to`'),
    to: date().optional().describe('default: today'),
  },
  output: ProjectSummary,
  async handle({ project, ...requested }, ctx) {
    const { from, to, start, end } = summarySpan(ctx, requested.from, requested.to)
    const progress = projectProgressOf(await categoryCounts(ctx, [project.id]))
    const overdue = await overdueTasks(ctx, project, maxTasks)
    const soon = await tasksDueSoon(ctx, project, 7, maxTasks)
    const blocked = await blockedTasks(ctx, project)
    const unassigned = progress.open - (await assignedCount(ctx, project.id))
    const scope_change = await scopeChange(ctx, project.id, start, end)
    const throughput = await throughputOf(ctx, project, from, to, start, end)
    const workload = await workloadOf(ctx, await personCounts(ctx, [project.id]))
    const counts = {
      open: progress.open,
      overdue: overdue.count,
      blocked: blocked.length,
      due_soon: soon.count,
    }
    const cuts = taskCuts(counts)
    const milestones = await milestonesOf(ctx, project, start, cuts)
    const update = await lastUpdateOf(ctx, project)
    const longBlocked = rowsOf(
      blocked.filter((item) => ctx.now - item.since >= blockedDays * dayLength),
    )
    const risks = risksOf({
      project,
      today: dayAt(ctx.now, ctx.actor.timezone),
      open: progress.open,
      overdue: presentTaskCount(overdue),
      longBlocked: presentTaskCount({ count: longBlocked.length, rows: longBlocked }),
      unassigned,
      workload,
      milestones: milestones.map(riskOfMilestone),
      scope: scope_change,
      isNew: project.created_at >= start,
      done: throughput.reduce((sum, item) => sum + item.done, 0),
      quietDays: Math.floor((ctx.now - (update?.created_at ?? project.created_at)) / dayLength),
    })
    return omitNullish({
      project: projectRef(project),
      from,
      to,
      progress: shareDone(progress),
      overdue: await presentTasks(ctx, overdue.rows),
      blocked: await presentTasks(ctx, rowsOf(blocked.slice(0, maxTasks))),
      due_soon: await presentTasks(ctx, soon.rows),
      counts,
      unassigned,
      scope_change,
      throughput,
      workload,
      milestones,
      ...cuts.report(),
      last_update: update ? (await presentUpdates(ctx, project, [update]))[0]! : undefined,
      risks,
    })
  },
})

function shareDone({ done, total }: { done: number; total: number }) {
  return { done, total, percent: total === 0 ? 0 : Math.floor((100 * done) / total) }
}

function lastUpdateOf(
  ctx: ReadContext,
  { id }: Row<'projects'>,
): Promise<Row<'project_updates'> | undefined> {
  return projectUpdate
    .visibleTo(ctx)
    .selectAll('project_updates')
    .where('project_updates.project_id', '=', id)
    .orderBy('project_updates.created_at', 'desc')
    .orderBy('project_updates.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The period in the caller's local days, with its first and last moment. */
function summarySpan(ctx: ReadContext, from: string | undefined, to: string | undefined) {
  const zone = ctx.actor.timezone
  const last =
    to ?? (from !== undefined && from > dayAt(ctx.now, zone) ? from : dayAt(ctx.now, zone))
  if (last < earliestLastDay) throw invalid('to', `${last} is too far in the past.`)
  const first = from ?? addDays(last, 1 - defaultPeriodDays)
  if (last < first) throw invalid('to', `${last} is before the start of the period, ${first}.`)
  if (daysBetween(first, last) >= maxPeriodDays)
    throw invalid(
      'from',
      `the period must not exceed ${maxPeriodDays} days.`,
      'Request at most two years.',
    )
  return {
    from: first,
    to: last,
    start: parseInstant(first, zone, 'start', 'from'),
    end: parseInstant(last, zone, 'end', 'to') + 999,
  }
}

function projectProgressOf(counts: readonly CategoryCount[]) {
  const total = counts
    .filter((count) => count.status_category !== 'cancelled')
    .reduce((sum, count) => sum + count.count, 0)
  const done = counts.find((count) => count.status_category === 'done')?.count ?? 0
  return { total, done, open: total - done }
}

/** Open tasks by assignee, highest count first. */
async function workloadOf(
  ctx: ReadContext,
  counts: readonly PersonCount[],
): Promise<{ person: Ref; open: number }[]> {
  const people = await peopleRefs(
    ctx,
    counts.map((count) => count.person_id),
  )
  return counts
    .map(({ person_id: id, count }) => ({
      person: people.get(id) ?? { id, title: '' },
      open: count,
    }))
    .sort((a, b) => b.open - a.open)
}

const rowsOf = (items: readonly { row: Row<'tasks'> }[]) => items.map((item) => item.row)

function taskCuts(counts: { overdue: number; blocked: number; due_soon: number }): SectionCuts {
  const cuts = new SectionCuts()
  cuts.note('overdue', counts.overdue > maxTasks, 'list_tasks with overdue')
  cuts.note('blocked', counts.blocked > maxTasks, 'list_tasks with blocked')
  cuts.note('due_soon', counts.due_soon > maxTasks, 'list_tasks with due_before')
  return cuts
}

/** Open or missed milestones, and those reached since the period began. */
async function milestonesOf(
  ctx: ReadContext,
  project: Row<'projects'>,
  since: number,
  cuts: SectionCuts,
): Promise<MilestoneShape[]> {
  const rows = await milestone
    .visibleTo(ctx)
    .selectAll('milestones')
    .where('milestones.project_id', '=', project.id)
    .where((eb) =>
      eb.or([
        eb('milestones.status', 'in', ['open', 'missed']),
        eb('milestones.reached_at', '>=', since),
      ]),
    )
    .orderBy((eb) => eb.fn.coalesce('milestones.due_on', eb.val('9999-12-31')))
    .orderBy('milestones.id')
    .limit(maxTasks + 1)
    .execute()
  return presentMilestones(ctx, cuts.take('milestones', rows, maxTasks, 'list_milestones'))
}

function presentTaskCount({ count, rows }: CountedTasks): { count: number; items: Ref[] } {
  return { count, items: rows.slice(0, 10).map(taskRef) }
}

function riskOfMilestone({ id, name, status, slip_days, due_on, progress }: MilestoneShape) {
  return {
    item: { id, title: name },
    status,
    slip_days,
    due_on,
    left: progress.total - progress.done,
  }
}
