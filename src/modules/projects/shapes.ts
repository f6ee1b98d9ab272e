import { shape } from '../../kernel/shape.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { day, datetimeString } from '../../kernel/fields.ts'
import type { Row } from '../../records/resource.ts'
import { dayAt, daysBetween, iso } from '../../kernel/time/times.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { common, commonOf, Ref } from '../../records/shapes.ts'
import { goal, goalProject } from '../goals/access.ts'
import { team } from '../directory/access.ts'
import { task } from '../tasks/access.ts'
import {
  customField,
  milestone,
  project,
  projectMember,
  sprint,
  sprintMove,
  status,
  categoryCounts,
  type CategoryCount,
} from '../portfolio/access.ts'
import { personCounts, type PersonCount } from './access-tasks.ts'
import { categories, categoryEnum, projectRef } from '../portfolio/shapes.ts'

export const healthEnum = z.enum(['on_track', 'at_risk', 'off_track'])
export const fieldTypes = z.enum([
  'text',
  'number',
  'date',
  'boolean',
  'select',
  'multi_select',
  'person',
  'url',
])

export const ProjectMember = shape('ProjectMember', {
  person: Ref,
  role: z.enum(['lead', 'member']),
  added_at: datetimeString(),
  open_task_count: z.int(),
})

export const CustomField = shape('CustomField', {
  ...common,
  project: Ref,
  name: z.string(),
  type: fieldTypes,
  options: z.array(z.strictObject({ id: z.string(), name: z.string(), color: z.string() })),
  required: z.boolean(),
  retired: z.boolean(),
})

const Status = shape('ProjectStatus', {
  name: z.string(),
  category: categoryEnum,
  color: z.string(),
  position: z.int(),
  wip_limit: z.int().optional(),
})

export const Project = shape('Project', {
  ...common,
  key: z.string(),
  name: z.string(),
  description_markdown: z.string().optional(),
  status: z.enum(['planned', 'active', 'paused', 'completed', 'archived']),
  health: healthEnum.optional(),
  lead: Ref,
  members: z.array(ProjectMember),
  team: Ref.optional(),
  starts_on: day().optional(),
  ends_on: day().optional(),
  statuses: z.array(Status),
  custom_fields: z.array(CustomField),
  current_sprint: Ref.optional(),
  task_counts: z.strictObject({
    total: z.int(),
    triage: z.int(),
    backlog: z.int(),
    todo: z.int(),
    in_progress: z.int(),
    done: z.int(),
    cancelled: z.int(),
  }),
  goals: z.array(Ref),
  /** What a change of workflow or a move could not carry over, in words. */
  notes: z.array(z.string()).optional(),
})
export type ProjectShape = z.infer<typeof Project>

type Counts = ProjectShape['task_counts']

/** Projects as answers show them. The rows were seen, so their parts may be read by their ids. */
export async function showProjects(
  ctx: ReadContext,
  rows: readonly Row<'projects'>[],
): Promise<ProjectShape[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const counts = await categoryCounts(ctx, ids)
  const openCounts = await personCounts(ctx, ids)
  const members = await projectMember
    .of(ctx, ids)
    .selectAll('project_members')
    .orderBy('project_members.added_at')
    .execute()
  const people = await peopleRefs(ctx, [
    ...rows.map((row) => row.created_by),
    ...members.map((member) => member.person_id),
  ])
  const { statuses, fields, sprints } = await partsOf(ctx, ids)
  const teams = await team.among(
    ctx,
    rows.flatMap((row) => row.team_id ?? []),
  )
  const goals = await goalsOf(ctx, ids)
  return rows.map((row) => {
    const mine = members.filter((member) => member.project_id === row.id)
    const lead = mine.find((item) => item.role === 'lead')
    const current = sprints.find((item) => item.project_id === row.id)
    const ofTeam = row.team_id ? teams.get(row.team_id) : undefined
    const open = openCounts.filter((count) => count.project_id === row.id)
    return {
      ...commonOf(row, project.url(row, ctx.baseUrl), people),
      key: row.key,
      name: row.name,
      ...(row.description_markdown === null
        ? {}
        : { description_markdown: row.description_markdown }),
      status: row.status,
      ...(row.health === null ? {} : { health: row.health }),
      lead: people.get(lead?.person_id ?? '') ?? { id: '', title: '' },
      members: mine.map((item) => showMember(item, people, open)),
      ...(ofTeam ? { team: { id: ofTeam.id, title: ofTeam.name } } : {}),
      ...(row.starts_on === null ? {} : { starts_on: row.starts_on }),
      ...(row.ends_on === null ? {} : { ends_on: row.ends_on }),
      statuses: statuses.filter((item) => item.project_id === row.id).map(showStatus),
      custom_fields: fields
        .filter((field) => field.project_id === row.id)
        .map((field) => showField(field, projectRef(row), people, ctx.baseUrl)),
      ...(current ? { current_sprint: { id: current.id, title: current.name } } : {}),
      task_counts: countsOf(counts.filter((count) => count.project_id === row.id)),
      goals: goals.get(row.id) ?? [],
    }
  })
}

/** Statuses, custom fields and active sprints of these projects. */
async function partsOf(ctx: ReadContext, ids: readonly Row<'projects'>['id'][]) {
  const statuses = await status
    .visibleTo(ctx)
    .selectAll('statuses')
    .where('statuses.project_id', 'in', ids)
    .orderBy('statuses.position')
    .execute()
  const fields = await customField
    .visibleTo(ctx)
    .selectAll('custom_fields')
    .where('custom_fields.project_id', 'in', ids)
    .orderBy('custom_fields.id')
    .execute()
  const sprints = await sprint
    .visibleTo(ctx)
    .selectAll('sprints')
    .where('sprints.project_id', 'in', ids)
    .where('sprints.status', '=', 'active')
    .execute()
  return { statuses, fields, sprints }
}

/** Goals that these projects work towards, of those that the caller sees. */
async function goalsOf(
  ctx: ReadContext,
  ids: readonly Row<'projects'>['id'][],
): Promise<Map<string, Ref[]>> {
  const links = await goalProject
    .of(ctx, ids, 'project_id')
    .selectAll('goal_projects')
    .orderBy('goal_projects.goal_id')
    .execute()
  const seen = await goal.among(
    ctx,
    links.map((link) => link.goal_id),
  )
  const shown = links.flatMap(({ project_id, goal_id }) => {
    const row = seen.get(goal_id)
    return row ? [{ project_id, ref: { id: row.id, title: row.title } }] : []
  })
  return new Map(
    [...Map.groupBy(shown, (item) => item.project_id)].map(([id, some]) => [
      id,
      some.map((item) => item.ref),
    ]),
  )
}

function showStatus(row: Row<'statuses'>): z.infer<typeof Status> {
  return {
    name: row.name,
    category: row.category,
    color: row.color,
    position: row.position,
    ...(row.wip_limit === null ? {} : { wip_limit: row.wip_limit }),
  }
}

export function showField(
  row: Row<'custom_fields'>,
  of: Ref,
  people: Map<string, Ref>,
  baseUrl: string,
): z.infer<typeof CustomField> {
  return {
    ...commonOf(row, customField.url(row, baseUrl), people),
    project: of,
    name: row.name,
    type: row.type,
    options: JSON.parse(row.options_json) as z.infer<typeof CustomField>['options'],
    required: row.required === 1,
    retired: row.retired === 1,
  }
}

function countsOf(counts: readonly CategoryCount[]): Counts {
  const of = (category: CategoryCount['status_category']) =>
    counts.find((count) => count.status_category === category)?.count ?? 0
  const each = Object.fromEntries(categories.map((category) => [category, of(category)])) as Omit<
    Counts,
    'total'
  >
  return { total: Object.values(each).reduce((sum, value) => sum + value, 0), ...each }
}

function showMember(
  row: Row<'project_members'>,
  people: Map<string, Ref>,
  counts: readonly PersonCount[],
): z.infer<typeof ProjectMember> {
  const open = counts.find((count) => count.person_id === row.person_id)?.count ?? 0
  return {
    person: people.get(row.person_id) ?? { id: row.person_id, title: '' },
    role: row.role,
    added_at: iso(row.added_at),
    open_task_count: open,
  }
}

/** References to sprints or milestones among those that the caller sees. */
export async function sprintRefs(
  ctx: ReadContext,
  ids: readonly string[],
): Promise<Map<string, Ref>> {
  return new Map(
    [...(await sprint.among(ctx, ids))].map(([id, row]) => [id, { id, title: row.name }]),
  )
}

/** So many tasks, and the sum of their points. */
export const Amount = shape('TaskAmount', { tasks: z.int(), points: z.number() })
export type Amount = z.infer<typeof Amount>

export const Sprint = shape('Sprint', {
  ...common,
  project: Ref,
  name: z.string(),
  goal: z.string().optional(),
  starts_on: day(),
  ends_on: day(),
  status: z.enum(['planned', 'active', 'completed', 'cancelled']),
  started_at: datetimeString().optional(),
  completed_at: datetimeString().optional(),
  /** What is planned for it; from its start on, what was in it then. */
  committed: Amount,
  done: Amount,
})
export type SprintShape = z.infer<typeof Sprint>

/** Sprints as answers show them. Amounts of completed ones are those of the day they were closed. */
export async function showSprints(
  ctx: ReadContext,
  rows: readonly Row<'sprints'>[],
): Promise<SprintShape[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const projects = await project.among(
    ctx,
    rows.map((row) => row.project_id),
  )
  const now = await presentAmounts(ctx, ids)
  const atStart = await committedAmounts(ctx, ids)
  const none: Amount = { tasks: 0, points: 0 }
  return rows.map((row) => {
    const kept =
      row.report_json === null
        ? undefined
        : (JSON.parse(row.report_json) as { committed: Amount; done: Amount })
    const present = now.get(row.id)
    return {
      ...commonOf(row, sprint.url(row, ctx.baseUrl), people),
      project: projectRef(projects.get(row.project_id)!),
      name: row.name,
      ...(row.goal === null ? {} : { goal: row.goal }),
      starts_on: row.starts_on,
      ends_on: row.ends_on,
      status: row.status,
      ...(row.started_at === null ? {} : { started_at: iso(row.started_at) }),
      ...(row.completed_at === null ? {} : { completed_at: iso(row.completed_at) }),
      committed:
        kept?.committed ?? (row.status === 'active' ? atStart.get(row.id) : present?.all) ?? none,
      done: kept?.done ?? present?.done ?? none,
    }
  })
}

/** What is in these sprints now. */
async function presentAmounts(
  ctx: ReadContext,
  ids: readonly Row<'sprints'>['id'][],
): Promise<Map<string, { all: Amount; done: Amount }>> {
  const rows = await task
    .visibleTo(ctx)
    .where('tasks.sprint_id', 'in', ids)
    .select((eb) => {
      const done = eb('tasks.status_category', '=', 'done')
      return [
        'tasks.sprint_id',
        eb.fn.countAll<number>().as('tasks'),
        eb.fn.sum<number | null>('tasks.points').as('points'),
        eb.fn.sum<number>(eb.case().when(done).then(1).else(0).end()).as('done_tasks'),
        eb.fn
          .sum<number | null>(eb.case().when(done).then(eb.ref('tasks.points')).end())
          .as('done_points'),
      ]
    })
    .groupBy('tasks.sprint_id')
    .execute()
  return new Map(
    rows.map((row) => [
      row.sprint_id!,
      {
        all: { tasks: row.tasks, points: row.points ?? 0 },
        done: { tasks: row.done_tasks, points: row.done_points ?? 0 },
      },
    ]),
  )
}

/** What was in these sprints when they started. */
async function committedAmounts(
  ctx: ReadContext,
  ids: readonly Row<'sprints'>['id'][],
): Promise<Map<string, Amount>> {
  const rows = await sprintMove
    .visibleTo(ctx)
    .innerJoin('sprints', 'sprints.id', 'sprint_moves.sprint_id')
    .whereRef('sprint_moves.at', '=', 'sprints.started_at')
    .where('sprint_moves.op', '=', 'added')
    .where('sprint_moves.sprint_id', 'in', ids)
    .select((eb) => [
      'sprint_moves.sprint_id',
      eb.fn.countAll<number>().as('tasks'),
      eb.fn.sum<number | null>('sprint_moves.points').as('points'),
    ])
    .groupBy('sprint_moves.sprint_id')
    .execute()
  return new Map(rows.map((row) => [row.sprint_id, { tasks: row.tasks, points: row.points ?? 0 }]))
}

export const Milestone = shape('Milestone', {
  ...common,
  project: Ref,
  name: z.string(),
  description_markdown: z.string().optional(),
  due_on: day().optional(),
  status: z.enum(['open', 'reached', 'missed', 'cancelled']),
  reached_at: datetimeString().optional(),
  /** Its tasks, cancelled ones left out. */
  progress: z.strictObject({ done: z.int(), total: z.int() }),
  /** Days behind the date it was first planned for; negative: ahead of it. */
  slip_days: z.int(),
})
export type MilestoneShape = z.infer<typeof Milestone>

export async function showMilestones(
  ctx: ReadContext,
  rows: readonly Row<'milestones'>[],
): Promise<MilestoneShape[]> {
  if (rows.length === 0) return []
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const projects = await project.among(
    ctx,
    rows.map((row) => row.project_id),
  )
  const progress = await progressOf(
    ctx,
    rows.map((row) => row.id),
  )
  return rows.map((row) => ({
    ...commonOf(row, milestone.url(row, ctx.baseUrl), people),
    project: projectRef(projects.get(row.project_id)!),
    name: row.name,
    ...(row.description_markdown === null
      ? {}
      : { description_markdown: row.description_markdown }),
    ...(row.due_on === null ? {} : { due_on: row.due_on }),
    status: row.status,
    ...(row.reached_at === null ? {} : { reached_at: iso(row.reached_at) }),
    progress: progress.get(row.id) ?? { done: 0, total: 0 },
    slip_days: slipOf(row, ctx),
  }))
}

async function progressOf(
  ctx: ReadContext,
  ids: readonly Row<'milestones'>['id'][],
): Promise<Map<string, { done: number; total: number }>> {
  const rows = await task
    .visibleTo(ctx)
    .where('tasks.milestone_id', 'in', ids)
    .where('tasks.status_category', '<>', 'cancelled')
    .select((eb) => [
      'tasks.milestone_id',
      eb.fn.countAll<number>().as('total'),
      eb.fn
        .sum<number>(eb.case().when('tasks.status_category', '=', 'done').then(1).else(0).end())
        .as('done'),
    ])
    .groupBy('tasks.milestone_id')
    .execute()
  return new Map(rows.map((row) => [row.milestone_id!, { done: row.done, total: row.total }]))
}

/** From the first date planned to the day it was reached, today where it was missed, else the date planned now. */
function slipOf(
  row: Row<'milestones'>,
  { now, actor }: Pick<ReadContext, 'now' | 'actor'>,
): number {
  if (row.first_due_on === null) return 0
  if (row.reached_at !== null)
    return daysBetween(row.first_due_on, dayAt(row.reached_at, actor.timezone))
  if (row.status === 'missed')
    return Math.max(0, daysBetween(row.first_due_on, dayAt(now, actor.timezone)))
  return row.due_on === null ? 0 : daysBetween(row.first_due_on, row.due_on)
}

export const ProjectUpdate = shape('ProjectUpdate', {
  ...common,
  project: Ref,
  health: healthEnum,
  body_markdown: z.string(),
  author: Ref,
})
export type ProjectUpdateShape = z.infer<typeof ProjectUpdate>

/** Updates of one project that was seen. */
export async function showUpdates(
  ctx: ReadContext,
  of: Row<'projects'>,
  rows: readonly Row<'project_updates'>[],
): Promise<ProjectUpdateShape[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) => ({
    ...commonOf(row, `${project.url(of, ctx.baseUrl)}#${row.id}`, people),
    project: projectRef(of),
    health: row.health,
    body_markdown: row.body_markdown,
    author: people.get(row.created_by) ?? { id: row.created_by, title: '' },
  }))
}
