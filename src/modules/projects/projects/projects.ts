import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { date, fields, markdown, pageOf, paging, shortText, title } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { denied, invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { createProjectFolder, renameProjectFolder } from '../../drive/access.ts'
import { person, team } from '../../directory/access.ts'
import { task } from '../../tasks/access.ts'
import { milestone, project, projectMember, sprint } from '../../portfolio/access.ts'
import { requireActiveMember, makeLead, joinProject } from './memberships.ts'
import { chooseKey, addStatusesAndFields } from './creation.ts'
import { healthEnum, Project, presentProjects, type ProjectShape } from '../shapes.ts'
import { requireSpan, requireStep, requireUnarchived } from './states.ts'

const statusEnum = z.enum(['planned', 'active', 'paused', 'completed', 'archived'])
const key = () => z.string().min(1).max(20)

export const listProjects = operation({
  name: 'list_projects',
  searchHint: 'my projects, all boards',
  kind: 'read',
  rest: 'GET /api/projects',
  about: 'Projects you lead or belong to',
  on: { lead: person.see.maybe, team: team.see.maybe },
  input: {
    status: z.array(statusEnum).max(5).optional().describe('default: all except archived projects'),
    health: z.array(healthEnum).max(3).optional(),
    query: shortText(200).optional().describe('part of the name or key'),
    fields: fields(),
    ...paging,
  },
  output: pageOf(Project),
  async handle({ lead, team, status, health, query, limit, cursor }, ctx) {
    let projectQuery = project.visibleTo(ctx).selectAll('projects')
    projectQuery = status?.length
      ? projectQuery.where('projects.status', 'in', status)
      : projectQuery.where('projects.status', '<>', 'archived')
    if (health?.length) projectQuery = projectQuery.where('projects.health', 'in', health)
    if (team) projectQuery = projectQuery.where('projects.team_id', '=', team.id)
    if (lead)
      projectQuery = projectQuery.where(
        'projects.id',
        'in',
        projectMember
          .of(ctx, [lead.id], 'person_id')
          .where('project_members.role', '=', 'lead')
          .select('project_members.project_id'),
      )
    if (query?.trim())
      projectQuery = projectQuery.where('projects.id', 'in', await projectIdsMatching(ctx, query))
    const page = await paged(
      projectQuery,
      [
        { by: 'projects.updated_at', as: 'updated_at', dir: 'desc' },
        { by: 'projects.id', as: 'id', dir: 'desc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentProjects(ctx, page.items))
  },
})

export const getProject = operation({
  name: 'get_project',
  searchHint: 'project details, who is in the project, board columns, statuses',
  kind: 'read',
  rest: 'GET /api/projects/{project_id}',
  about:
    'One project by id or key with members, ordered statuses, custom fields and current sprint',
  on: { project: project.see },
  output: Project,
  async handle({ project: row }, ctx) {
    return presentProject(ctx, row)
  },
})

export const createProject = operation({
  name: 'create_project',
  searchHint: 'new project, start a project, new board',
  kind: 'write',
  rest: 'POST /api/projects',
  about: 'Create a project; you become its lead unless you name another person',
  on: {
    lead: person.see.maybe.describe('default: you; if someone else leads, you become a member'),
    members: person.see.many.maybe,
    team: team.see.maybe,
    template_project: project.see.maybe.describe('project to copy statuses and custom fields from'),
  },
  input: {
    name: title(),
    key: key()
      .optional()
      .describe('2 to 10 letters and digits, such as ENG; default: derived from the name'),
    description_markdown: markdown().optional(),
    starts_on: date().optional(),
    ends_on: date().optional(),
  },
  output: Project,
  async handle(
    { lead, members, team, template_project, name, key, description_markdown, starts_on, ends_on },
    ctx,
  ) {
    if (ctx.actor.role === 'guest')
      throw denied('Guests may not create projects.', 'Ask a colleague to create it and add you.')
    requireSpan(starts_on ?? null, ends_on ?? null)
    if (lead) requireActiveMember(lead, 'lead_id')
    for (const [i, member] of (members ?? []).entries())
      requireActiveMember(member, `member_ids[${i}]`)
    const created = await ctx.add('projects', {
      key: await chooseKey(ctx, key, name),
      name: name.trim(),
      description_markdown: description_markdown || null,
      status: 'planned',
      team_id: team?.id ?? null,
      starts_on: starts_on ?? null,
      ends_on: ends_on ?? null,
      next_task_number: 1,
    })
    const leader = lead ?? ctx.actor
    await joinProject(ctx, created, leader, 'lead')
    const others = new Map([ctx.actor, ...(members ?? [])].map((member) => [member.id, member]))
    others.delete(leader.id)
    for (const member of others.values()) await joinProject(ctx, created, member, 'member')
    await addStatusesAndFields(ctx, created, template_project)
    await createProjectFolder(ctx, created)
    return presentProject(ctx, created)
  },
})

export const updateProject = operation({
  name: 'update_project',
  searchHint: 'rename a project, new project lead, project dates, pause a project',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/projects/{project_id}',
  about: 'Change name, description, lead, dates or state of a project',
  on: {
    project: project.own,
    lead: person.see.maybe.describe('the previous lead stays as a member'),
  },
  input: {
    name: title().optional(),
    description_markdown: markdown().nullable().optional(),
    status: z
      .enum(['planned', 'active', 'paused', 'completed'])
      .optional()
      .describe(
        'planned > active, active <> paused, active or paused > completed, completed > active',
      ),
    starts_on: date().nullable().optional(),
    ends_on: date().nullable().optional(),
  },
  output: Project,
  revision: 'project',
  async handle(
    { project: row, lead, name, description_markdown, status, starts_on, ends_on },
    ctx,
  ) {
    requireUnarchived(row)
    if (status) requireStep(row, status)
    requireSpan(
      starts_on === undefined ? row.starts_on : starts_on,
      ends_on === undefined ? row.ends_on : ends_on,
    )
    if (lead) requireActiveMember(lead, 'lead_id')
    const changed = await ctx.change(
      'projects',
      row,
      omitUndefined({
        name: name ? name.trim() : undefined,
        description_markdown:
          description_markdown === undefined ? undefined : description_markdown || null,
        status: status || undefined,
        starts_on,
        ends_on,
      }),
    )
    if (changed.name !== row.name) await renameProjectFolder(ctx, changed)
    if (lead) await makeLead(ctx, changed, lead)
    return presentProject(ctx, changed)
  },
})

export const archiveProject = operation({
  name: 'archive_project',
  searchHint: 'close a project, shut down, finish, wind down, unarchive',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/projects/{project_id}/archive',
  about: 'Make a project read-only and hide it from lists, or restore it with archived=false',
  on: { project: project.own },
  input: { archived: z.boolean().optional().describe('default true') },
  output: Project,
  async handle({ project: row, archived = true }, ctx) {
    if (archived === (row.status === 'archived')) return presentProject(ctx, row)
    if (!archived)
      return presentProject(
        ctx,
        await ctx.change('projects', row, {
          status: row.status_before_archive ?? 'active',
          status_before_archive: null,
        }),
      )
    const before = row.status as Exclude<Row<'projects'>['status'], 'archived'>
    const changed = await ctx.change('projects', row, {
      status: 'archived',
      status_before_archive: before,
    })
    ctx.event('project.archived', 'projects', changed)
    return presentProject(ctx, changed)
  },
})

export const deleteProject = operation({
  name: 'delete_project',
  searchHint: 'trash a project, throw a project away',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/projects/{project_id}',
  about: 'Move a project with its tasks to the trash (lead only); repeat its key to confirm',
  on: { project: project.own },
  input: { confirm_key: key().describe("the project's key, as confirmation") },
  output: DeletedRef,
  dryRun: true,
  async handle({ project: row, confirm_key }, ctx) {
    if (confirm_key.trim().toUpperCase() !== row.key)
      throw invalid(
        'confirm_key',
        `this is not the key of "${row.name}".`,
        `Send ${row.key} to delete this project.`,
      )
    const deletedParts = await countProjectParts(ctx, row)
    await ctx.trash('projects', row)
    return deletedRef(ctx, project.ref(row, ctx.baseUrl), deletedParts)
  },
})

async function presentProject(
  ctx: ReadContext,
  { id }: Pick<Row<'projects'>, 'id'>,
): Promise<ProjectShape> {
  const row = await project
    .visibleTo(ctx)
    .selectAll('projects')
    .where('projects.id', '=', id)
    .executeTakeFirstOrThrow()
  return (await presentProjects(ctx, [row]))[0]!
}

/** The caller's projects with the text in name or key, compared here: the database folds only ASCII letters. */
async function projectIdsMatching(
  ctx: ReadContext,
  query: string,
): Promise<Row<'projects'>['id'][]> {
  const text = query.trim().toLowerCase()
  const all = await project
    .visibleTo(ctx)
    .select(['projects.id', 'projects.name', 'projects.key'])
    .execute()
  return all
    .filter((row) => row.name.toLowerCase().includes(text) || row.key.toLowerCase().includes(text))
    .map((row) => row.id)
}

/** Counts the parts that are trashed together with a project. */
async function countProjectParts(
  ctx: ReadContext,
  { id }: Row<'projects'>,
): Promise<{ type: string; count: number }[]> {
  const [tasks, sprints, milestones] = [
    await task
      .visibleTo(ctx)
      .where('tasks.project_id', '=', id)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    await sprint
      .visibleTo(ctx)
      .where('sprints.project_id', '=', id)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    await milestone
      .visibleTo(ctx)
      .where('milestones.project_id', '=', id)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]
  return [
    { type: 'task', ...tasks },
    { type: 'sprint', ...sprints },
    { type: 'milestone', ...milestones },
  ].filter((part) => part.count > 0)
}
