import { omitUndefined, omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import { isAdmin } from '../../../kernel/actor.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { markdown, pageOf, paging, shortText, title } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { denied, invalid } from '../../../kernel/refusal.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { person, team, teamMember } from '../../directory/access.ts'
import { project } from '../../portfolio/access.ts'
import { goal, goalCheckin, goalProject, keyResult } from '../access.ts'
import { addKeyResult, keyResultDraft, maxKeyResults, readDraft } from './drafts.ts'
import { readPeriod } from './periods.ts'
import { goalIdsAtRisk } from './risks.ts'
import {
  Goal,
  levelEnum,
  presentCheckins,
  presentGoals,
  statusEnum,
  type GoalShape,
} from '../shapes.ts'
import { requireStep } from './states.ts'
import { requireParent } from './trees.ts'

/** Maximum parts shown of a single goal; lists show fewer. */
const maxCheckins = 50
const maxChildren = 200

export const listGoals = operation({
  name: 'list_goals',
  searchHint: 'OKRs, objectives, quarterly targets, goals of the quarter',
  kind: 'read',
  rest: 'GET /api/goals',
  about: 'Goals by period, level, owner or confidence',
  on: {
    owner: person.see.maybe,
    team: team.see.maybe,
    parent: goal.see.maybe.describe('its child goals'),
  },
  input: {
    period: shortText(20).optional().describe('exact match: 2026, 2026-H2, 2026-Q4 or 2026-11'),
    level: levelEnum.optional(),
    status: z.array(statusEnum).max(5).optional(),
    at_risk: z
      .boolean()
      .optional()
      .describe(
        'active, and with low confidence at the last check-in or more than 20 points behind the elapsed share of the period',
      ),
    ...paging,
  },
  output: pageOf(Goal),
  async handle({ owner, team, parent, period, level, status, at_risk, limit, cursor }, ctx) {
    let query = goal.visibleTo(ctx)
    if (period !== undefined) query = query.where('goals.period', '=', readPeriod(period))
    if (level) query = query.where('goals.level', '=', level)
    if (owner) query = query.where('goals.owner_id', '=', owner.id)
    if (team) query = query.where('goals.team_id', '=', team.id)
    if (parent) query = query.where('goals.parent_id', '=', parent.id)
    if (status?.length) query = query.where('goals.status', 'in', status)
    if (at_risk !== undefined) query = await filterByRisk(ctx, query, at_risk)
    const page = await paged(
      query.selectAll('goals'),
      [
        { by: 'goals.period', as: 'period', dir: 'desc' },
        { by: 'goals.id', as: 'id', dir: 'desc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentGoals(ctx, page.items))
  },
})

async function filterByRisk(
  ctx: ReadContext,
  query: Scoped<'goals'>,
  wanted: boolean,
): Promise<Scoped<'goals'>> {
  const risky = await goalIdsAtRisk(
    ctx,
    await query.selectAll('goals').where('goals.status', '=', 'active').execute(),
    ctx.now,
  )
  return query.where('goals.id', wanted ? 'in' : 'not in', [...risky])
}

export const getGoal = operation({
  name: 'get_goal',
  searchHint: 'objective details, how far is the goal',
  kind: 'read',
  rest: 'GET /api/goals/{goal_id}',
  about: 'One goal with key results, check-ins, parent, children and linked projects',
  on: { goal: goal.see },
  input: {
    checkins_cursor: paging.cursor.describe('checkins_cursor of the last answer: earlier ones'),
  },
  output: Goal,
  async handle({ goal: row, checkins_cursor }, ctx) {
    return presentGoal(ctx, row, checkins_cursor)
  },
})

export const createGoal = operation({
  name: 'create_goal',
  searchHint: 'OKR, objective, target, set a goal',
  kind: 'write',
  rest: 'POST /api/goals',
  about: 'Create a goal with key results',
  on: {
    owner: person.see.maybe.describe('default: you'),
    team: team.see.maybe.describe('required for level team; must be your team'),
    parent: goal.see.maybe.describe('a goal of the same or a broader level'),
    projects: project.see.many.maybe.describe(
      'contributing projects; visible only to their members',
    ),
  },
  input: {
    title: title(),
    period: shortText(20).describe('2026, 2026-H2, 2026-Q4 or 2026-11'),
    level: levelEnum,
    description_markdown: markdown().optional(),
    key_results: z.array(keyResultDraft()).max(maxKeyResults).optional(),
  },
  output: Goal,
  async handle(
    {
      owner,
      team,
      parent,
      projects = [],
      title,
      period,
      level,
      description_markdown,
      key_results = [],
    },
    ctx,
  ) {
    const owner_id = owner?.id ?? ctx.actor.id
    if (owner) requireActivePerson(owner)
    await requireMatchingLevel(ctx, level, owner_id, team)
    if (parent) await requireParent(ctx, parent, { level, owner_id })
    const drafts = []
    for (const [i, draft] of key_results.entries())
      drafts.push(await readDraft(ctx, draft, `key_results[${i}].`))
    const createdGoal = await ctx.add('goals', {
      title: title.trim(),
      period: readPeriod(period),
      level,
      owner_id,
      team_id: team?.id ?? null,
      parent_id: parent?.id ?? null,
      status: 'draft',
      risk_told: 0,
      risk_check_at: ctx.now,
      description_markdown: description_markdown || null,
    })
    for (const draft of drafts) await addKeyResult(ctx, createdGoal, draft)
    for (const row of projects)
      await ctx.add('goal_projects', { goal_id: createdGoal.id, project_id: row.id })
    notifyGoalOwner(ctx, createdGoal)
    return presentGoal(ctx, createdGoal)
  },
})

export const updateGoal = operation({
  name: 'update_goal',
  searchHint: 'edit an objective, change a target, close a goal',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/goals/{goal_id}',
  about: 'Change a goal, its owner, state, parent or linked projects',
  on: {
    goal: goal.edit,
    owner: person.see.maybe,
    parent: goal.see.clearable.describe('null: no parent goal'),
    projects: project.see.many.maybe.describe('complete list; projects not visible to you stay'),
  },
  input: {
    title: title().optional(),
    description_markdown: markdown().nullable().optional(),
    status: statusEnum
      .optional()
      .describe('draft > active > achieved, missed or cancelled > active'),
  },
  output: Goal,
  revision: 'goal',
  async handle({ goal: row, owner, parent, projects, title, description_markdown, status }, ctx) {
    if (status) requireStep(row, status)
    if (owner && owner.id !== row.owner_id) await requireHandOver(ctx, row, owner)
    if (parent && parent.id !== row.parent_id) await requireParent(ctx, parent, row, row)
    const changed = await ctx.change(
      'goals',
      row,
      omitUndefined({
        title: title ? title.trim() : undefined,
        description_markdown:
          description_markdown === undefined ? undefined : description_markdown || null,
        status: status || undefined,
        owner_id: owner ? owner.id : undefined,
        parent_id: parent === undefined ? undefined : (parent?.id ?? null),
      }),
    )
    if (projects) await linkProjects(ctx, changed, projects)
    if (changed.owner_id !== row.owner_id) notifyGoalOwner(ctx, changed)
    return presentGoal(ctx, changed)
  },
})

export const deleteGoal = operation({
  name: 'delete_goal',
  searchHint: 'drop an objective, remove an OKR',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/goals/{goal_id}',
  about: 'Move a goal with its key results to the trash',
  on: { goal: goal.own },
  output: DeletedRef,
  dryRun: true,
  async handle({ goal: row }, ctx) {
    const results = await keyResult
      .of(ctx, [row.id])
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const checkins = await goalCheckin
      .of(ctx, [row.id])
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    await ctx.trash('goals', row)
    return deletedRef(
      ctx,
      goal.ref(row, ctx.baseUrl),
      [
        { type: 'key_result', ...results },
        { type: 'goal_checkin', ...checkins },
      ].filter((part) => part.count > 0),
    )
  },
})

async function presentGoal(
  ctx: ReadContext,
  { id }: Pick<Row<'goals'>, 'id'>,
  cursor?: string,
): Promise<GoalShape> {
  const row = await goal
    .visibleTo(ctx)
    .selectAll('goals')
    .where('goals.id', '=', id)
    .executeTakeFirst()
  if (!row) throw denied('You would lose access to this goal.')
  const [goalShape] = await presentGoals(ctx, [row], maxChildren)
  const page = await paged(
    goalCheckin.of(ctx, [id]).selectAll('goal_checkins'),
    [{ by: 'goal_checkins.id', as: 'id', dir: 'desc' }],
    { limit: maxCheckins, cursor },
  )
  return omitNullish({
    ...goalShape!,
    checkins: await presentCheckins(ctx, [row], page.items),
    checkins_cursor: page.next_cursor,
  })
}

/** @throws Refusal if the level does not match the owner or team, or the caller may not create such a goal */
async function requireMatchingLevel(
  ctx: ReadContext,
  level: GoalShape['level'],
  ownerId: Row<'users'>['id'],
  team: Row<'teams'> | undefined,
): Promise<void> {
  if (level === 'team' && !team) throw invalid('team_id', 'a goal with level team requires a team.')
  if (level !== 'team' && team)
    throw invalid(
      'team_id',
      `a goal with level ${level} cannot have a team.`,
      'Omit it, or use level team.',
    )
  if (level === 'personal' && ownerId !== ctx.actor.id)
    throw invalid(
      'owner_id',
      'you must be the owner of a personal goal.',
      'Omit owner_id, or use level team or organization.',
    )
  if (level === 'organization' && ctx.actor.role === 'guest')
    throw denied('Guests may not create organization goals.')
  if (team && !isAdmin(ctx.actor) && !(await isTeamMember(ctx, team)))
    throw denied(`Only members of ${team.name} may create goals for this team.`)
}

async function isTeamMember(ctx: ReadContext, teamRow: Row<'teams'>): Promise<boolean> {
  return (
    (await teamMember
      .of(ctx, [teamRow.id])
      .select('team_members.person_id')
      .where('team_members.person_id', '=', ctx.actor.id)
      .executeTakeFirst()) !== undefined
  )
}

/** A goal's owner may delete it, so only people with that right may hand over ownership. */
async function requireHandOver(
  ctx: ReadContext,
  { id, level }: Row<'goals'>,
  to: Row<'users'>,
): Promise<void> {
  if (level === 'personal')
    throw invalid(
      'owner_id',
      'the owner of a personal goal cannot be changed.',
      'Create a team goal instead.',
    )
  if (!(await goal.find(ctx, id, 'own')))
    throw denied(
      'Only the owner may hand over a goal; team leads may also hand over team goals, administrators organization goals.',
    )
  requireActivePerson(to)
}

function requireActivePerson({ status, display_name }: Row<'users'>): void {
  if (status !== 'active')
    throw invalid('owner_id', `${display_name} is ${status}; only active people can own a goal.`)
}

function notifyGoalOwner(ctx: WriteContext, goal: Row<'goals'>): void {
  ctx.notify(
    'assignment',
    [goal.owner_id],
    'goals',
    goal,
    `${ctx.actor.display_name} made you the owner of this goal`,
  )
}

/** Sets a goal's projects, among those visible to the caller. */
async function linkProjects(
  ctx: WriteContext,
  goalRow: Row<'goals'>,
  wanted: readonly Row<'projects'>[],
): Promise<void> {
  const links = await goalProject.of(ctx, [goalRow.id]).selectAll('goal_projects').execute()
  const visible = await project.among(
    ctx,
    links.map((link) => link.project_id),
  )
  for (const link of links)
    if (visible.has(link.project_id) && !wanted.some((row) => row.id === link.project_id))
      await ctx.remove('goal_projects', link)
  for (const row of wanted)
    if (!links.some((link) => link.project_id === row.id))
      await ctx.add('goal_projects', { goal_id: goalRow.id, project_id: row.id })
}
