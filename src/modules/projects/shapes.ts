import { z } from 'zod'
import { datetimeString, day } from '../../kernel/fields.ts'
import { shape } from '../../kernel/shape.ts'
import { iso } from '../../kernel/time/times.ts'
import type { ReadContext } from '../../operations/context.ts'
import type { Row } from '../../records/resource.ts'
import { Ref, common, commonOf } from '../../records/shapes.ts'
import { team } from '../directory/access.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { goal, goalProject } from '../goals/access.ts'
import {
  type CategoryCount,
  categoryCounts,
  customField,
  project,
  projectMember,
  sprint,
  status,
} from '../portfolio/access.ts'
import { categories, categoryEnum, projectRef } from '../portfolio/shapes.ts'
import { type PersonCount, personCounts } from './access-tasks.ts'

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
  /** Describes in words what a change of workflow or a move could not carry over. */
  notes: z.array(z.string()).optional(),
})
export type ProjectShape = z.infer<typeof Project>

type Counts = ProjectShape['task_counts']

/** Projects for answers. The rows are already visible, so their parts may be read by id. */
export async function presentProjects(
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
  const { statuses, fields, sprints } = await projectPartsOf(ctx, ids)
  const teams = await team.among(
    ctx,
    rows.flatMap((row) => row.team_id ?? []),
  )
  const goals = await goalsOf(ctx, ids)
  return rows.map((row) => {
    const projectMembers = members.filter((member) => member.project_id === row.id)
    const lead = projectMembers.find((item) => item.role === 'lead')
    const current = sprints.find((item) => item.project_id === row.id)
    const teamRow = row.team_id ? teams.get(row.team_id) : undefined
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
      members: projectMembers.map((item) => presentMember(item, people, open)),
      ...(teamRow ? { team: { id: teamRow.id, title: teamRow.name } } : {}),
      ...(row.starts_on === null ? {} : { starts_on: row.starts_on }),
      ...(row.ends_on === null ? {} : { ends_on: row.ends_on }),
      statuses: statuses.filter((item) => item.project_id === row.id).map(presentStatus),
      custom_fields: fields
        .filter((field) => field.project_id === row.id)
        .map((field) => presentField(field, projectRef(row), people, ctx.baseUrl)),
      ...(current ? { current_sprint: { id: current.id, title: current.name } } : {}),
      task_counts: taskCountsOf(counts.filter((count) => count.project_id === row.id)),
      goals: goals.get(row.id) ?? [],
    }
  })
}

/** Statuses, custom fields and active sprints of these projects. */
async function projectPartsOf(ctx: ReadContext, ids: readonly Row<'projects'>['id'][]) {
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

/** Visible goals of these projects. */
async function goalsOf(
  ctx: ReadContext,
  ids: readonly Row<'projects'>['id'][],
): Promise<Map<string, Ref[]>> {
  const links = await goalProject
    .of(ctx, ids, 'project_id')
    .selectAll('goal_projects')
    .orderBy('goal_projects.goal_id')
    .execute()
  const visibleGoals = await goal.among(
    ctx,
    links.map((link) => link.goal_id),
  )
  const visibleLinks = links.flatMap(({ project_id, goal_id }) => {
    const row = visibleGoals.get(goal_id)
    return row ? [{ project_id, ref: { id: row.id, title: row.title } }] : []
  })
  return new Map(
    [...Map.groupBy(visibleLinks, (item) => item.project_id)].map(([id, goalLinks]) => [
      id,
      goalLinks.map((item) => item.ref),
    ]),
  )
}

function presentStatus(row: Row<'statuses'>): z.infer<typeof Status> {
  return {
    name: row.name,
    category: row.category,
    color: row.color,
    position: row.position,
    ...(row.wip_limit === null ? {} : { wip_limit: row.wip_limit }),
  }
}

export function presentField(
  row: Row<'custom_fields'>,
  project: Ref,
  people: Map<string, Ref>,
  baseUrl: string,
): z.infer<typeof CustomField> {
  return {
    ...commonOf(row, customField.url(row, baseUrl), people),
    project,
    name: row.name,
    type: row.type,
    options: JSON.parse(row.options_json) as z.infer<typeof CustomField>['options'],
    required: row.required === 1,
    retired: row.retired === 1,
  }
}

function taskCountsOf(counts: readonly CategoryCount[]): Counts {
  const countOf = (category: CategoryCount['status_category']) =>
    counts.find((count) => count.status_category === category)?.count ?? 0
  const each = Object.fromEntries(
    categories.map((category) => [category, countOf(category)]),
  ) as Omit<Counts, 'total'>
  return { total: Object.values(each).reduce((sum, value) => sum + value, 0), ...each }
}

function presentMember(
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

export const ProjectUpdate = shape('ProjectUpdate', {
  ...common,
  project: Ref,
  health: healthEnum,
  body_markdown: z.string(),
  author: Ref,
})
export type ProjectUpdateShape = z.infer<typeof ProjectUpdate>

/** Updates of one visible project. */
export async function presentUpdates(
  ctx: ReadContext,
  projectRow: Row<'projects'>,
  rows: readonly Row<'project_updates'>[],
): Promise<ProjectUpdateShape[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) => ({
    ...commonOf(row, `${project.url(projectRow, ctx.baseUrl)}#${row.id}`, people),
    project: projectRef(projectRow),
    health: row.health,
    body_markdown: row.body_markdown,
    author: people.get(row.created_by) ?? { id: row.created_by, title: '' },
  }))
}
