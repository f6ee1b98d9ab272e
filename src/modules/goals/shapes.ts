import type { Id } from '../../kernel/ids.ts'
import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { datetimeString, unresolvedMentionsField } from '../../kernel/fields.ts'
import type { Row } from '../../records/resource.ts'
import { SectionCuts } from '../../records/section-cuts.ts'
import { iso } from '../../kernel/time/times.ts'
import { team } from '../directory/access.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { common, commonOf, Ref, Truncated } from '../../records/shapes.ts'
import { project } from '../portfolio/access.ts'
import { projectRef } from '../portfolio/shapes.ts'
import { goal, goalCheckin, goalProject, keyResult } from './access.ts'
import { inactiveUserIds } from './key-results/access-feeds.ts'
import { metricEnum } from './key-results/measures.ts'
import { isAtRisk, measuredProgress } from './goals/progress.ts'
import { goalProgress } from './key-results/progress-inputs.ts'
import { sourceKinds } from './key-results/sources.ts'

export const levelEnum = z.enum(['organization', 'team', 'personal'])
export const statusEnum = z.enum(['draft', 'active', 'achieved', 'missed', 'cancelled'])
export const confidenceEnum = z.enum(['high', 'medium', 'low'])

export const KeyResult = shape('KeyResult', {
  ...common,
  goal: Ref,
  title: z.string(),
  metric: metricEnum,
  start_value: z.number(),
  current_value: z.number(),
  target_value: z.number(),
  unit: z.string().optional(),
  source: z
    .strictObject({ kind: sourceKinds, params: z.record(z.string(), z.string()) })
    .describe(
      'source of the value; ids are visible only with access to the project, deal filters only with access to deals',
    ),
  owner: Ref,
  retired: z.boolean(),
  progress: z.number().describe('progress from start to target in percent, 0 to 100'),
  stale: z
    .strictObject({ since: datetimeString().optional(), reason: z.string() })
    .optional()
    .describe('its source is no longer counted: the value is frozen'),
})
export type KeyResultShape = z.infer<typeof KeyResult>

export const GoalCheckin = shape('GoalCheckin', {
  ...common,
  goal: Ref,
  values: z.record(z.string(), z.number()),
  confidence: confidenceEnum,
  note_markdown: z.string().optional(),
  author: Ref,
  unresolved_mentions: unresolvedMentionsField(),
})
export type GoalCheckinShape = z.infer<typeof GoalCheckin>

export const Goal = shape('Goal', {
  ...common,
  title: z.string(),
  description_markdown: z.string().optional(),
  period: z.string(),
  level: levelEnum,
  owner: Ref,
  team: Ref.optional(),
  parent: Ref.optional(),
  children: z.array(Ref),
  key_results: z.array(KeyResult),
  progress: z
    .number()
    .describe('percent: the mean of its active key results, else of its child goals'),
  confidence: confidenceEnum.optional().describe('at the last check-in'),
  at_risk: z
    .boolean()
    .describe(
      'active, and with low confidence or more than 20 points behind the elapsed share of the period',
    ),
  status: statusEnum,
  projects: z.array(Ref).describe('those visible to you'),
  checkins: z.array(GoalCheckin).describe('newest first; lists show only the latest'),
  checkins_cursor: z
    .string()
    .optional()
    .describe('there are earlier check-ins: get_goal lists them with it'),
  truncated: Truncated.optional(),
})
export type GoalShape = z.infer<typeof Goal>

function goalRef(row: Pick<Row<'goals'>, 'id' | 'title'>): Ref {
  return { id: row.id, title: row.title }
}

/** Child goals shown per goal in lists. */
const maxListedChildren = 50

/** Goals for lists, with their last check-ins. The rows are already visible. */
export async function presentGoals(
  ctx: ReadContext,
  rows: readonly Row<'goals'>[],
  maxChildren = maxListedChildren,
): Promise<GoalShape[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const progress = await goalProgress(ctx, rows)
  const checkins = await lastCheckins(ctx, rows)
  const children = await childrenOf(ctx, ids)
  const parents = await goal.among(
    ctx,
    rows.flatMap((row) => row.parent_id ?? []),
  )
  const teams = await team.among(
    ctx,
    rows.flatMap((row) => row.team_id ?? []),
  )
  const projects = await projectsOf(ctx, ids)
  const people = await peopleRefs(
    ctx,
    rows.flatMap((row) => [row.created_by, row.owner_id]),
  )
  const keyResults = await keyResultsOf(ctx, rows)
  return rows.map((row) => {
    const goalCheckins = checkins.get(row.id) ?? []
    const measuredValue = progress.get(row.id)
    const cuts = new SectionCuts()
    const childRows = children.get(row.id) ?? []
    const byParent = `list_goals with parent_id ${row.id}`
    const [parent, teamRow] = [parents.get(row.parent_id ?? ''), teams.get(row.team_id ?? '')]
    return omitNullish({
      ...commonOf(row, goal.url(row, ctx.baseUrl), people),
      title: row.title,
      description_markdown: row.description_markdown,
      period: row.period,
      level: row.level,
      owner: people.get(row.owner_id)!,
      team: teamRow ? { id: teamRow.id, title: teamRow.name } : undefined,
      parent: parent ? goalRef(parent) : undefined,
      children: cuts.take('children', childRows, maxChildren, byParent).map(goalRef),
      key_results: keyResults.get(row.id) ?? [],
      progress: measuredValue ?? (row.status === 'achieved' ? 100 : 0),
      confidence: goalCheckins[0] ? goalCheckins[0].confidence : undefined,
      at_risk: isAtRisk(
        { ...row, confidence: goalCheckins[0]?.confidence, measured: measuredValue },
        ctx.now,
      ),
      status: row.status,
      projects: projects.get(row.id) ?? [],
      checkins: goalCheckins,
      ...cuts.report(),
    })
  })
}

/** Visible subgoals, by parent. */
async function childrenOf(ctx: ReadContext, ids: readonly Row<'goals'>['id'][]) {
  const children = await goal
    .visibleTo(ctx)
    .select(['goals.id', 'goals.title', 'goals.parent_id'])
    .where('goals.parent_id', 'in', ids)
    .orderBy('goals.id')
    .execute()
  return Map.groupBy(children, (child) => String(child.parent_id))
}

async function keyResultsOf(ctx: ReadContext, goals: readonly Row<'goals'>[]) {
  const ids = goals.map((row) => row.id)
  const rows = await keyResult
    .of(ctx, ids)
    .selectAll('key_results')
    .orderBy('key_results.id')
    .execute()
  return Map.groupBy(await presentKeyResults(ctx, goals, rows), (result) => result.goal.id)
}

/** Key results for answers, of visible goals. */
export async function presentKeyResults(
  ctx: ReadContext,
  goals: readonly Row<'goals'>[],
  rows: readonly Row<'key_results'>[],
): Promise<KeyResultShape[]> {
  const people = await peopleRefs(
    ctx,
    rows.flatMap((row) => [row.created_by, row.owner_id]),
  )
  const projects = await project.among(
    ctx,
    rows.flatMap((row) => row.source_project_id ?? []),
  )
  const inactive = await inactiveUserIds(
    ctx,
    rows.map((row) => row.source_by),
  )
  const refs = new Map(goals.map((row) => [row.id as string, goalRef(row)]))
  return rows.map((row) =>
    omitNullish({
      ...commonOf(row, `${ctx.baseUrl}/goals/${row.goal_id}#${row.id}`, people),
      goal: refs.get(row.goal_id)!,
      title: row.title,
      metric: row.metric,
      start_value: row.start_value,
      current_value: row.current_value,
      target_value: row.target_value,
      unit: row.unit,
      source: keyResultSource(
        row,
        row.source_kind === 'tasks'
          ? projects.has(row.source_project_id ?? '')
          : ctx.actor.role !== 'guest',
      ),
      owner: people.get(row.owner_id)!,
      retired: row.retired === 1,
      progress: measuredProgress(row),
      ...staleness(row, inactive),
    }),
  )
}

function keyResultSource(row: Row<'key_results'>, maySeeSource: boolean): KeyResultShape['source'] {
  if (row.source_kind === null) return { kind: 'manual', params: {} }
  if (row.source_params_json !== null)
    return {
      kind: row.source_kind,
      params: maySeeSource ? (JSON.parse(row.source_params_json) as Record<string, string>) : {},
    }
  const {
    source_project_id: project_id,
    source_milestone_id: milestone_id,
    source_label_id: label_id,
  } = row
  const ids = maySeeSource
    ? Object.entries({ project_id, milestone_id, label_id }).filter(
        (item): item is [string, string] => item[1] !== null,
      )
    : []
  return { kind: 'tasks', params: { measure: row.source_measure!, ...Object.fromEntries(ids) } }
}

function staleness(
  { source_by, stale_since_at }: Row<'key_results'>,
  inactive: ReadonlySet<string>,
): Pick<KeyResultShape, 'stale'> {
  const since = stale_since_at === null ? {} : { since: iso(stale_since_at) }
  if (inactive.has(source_by ?? ''))
    return { stale: { ...since, reason: 'The person who set the source is no longer active.' } }
  return stale_since_at === null
    ? {}
    : { stale: { ...since, reason: 'The person who set the source no longer has access to it.' } }
}

/** The last check-in of each of these visible goals. */
async function lastCheckins(
  ctx: ReadContext,
  rows: readonly Row<'goals'>[],
): Promise<Map<string, GoalCheckinShape[]>> {
  const ids = rows.map((row) => row.id)
  const last = goalCheckin
    .of(ctx, ids)
    .select((eb) => eb.fn.max('goal_checkins.id').as('id'))
    .groupBy('goal_checkins.goal_id')
  const checkins = await goalCheckin
    .of(ctx, ids)
    .selectAll('goal_checkins')
    .where('goal_checkins.id', 'in', last.$castTo<{ id: Id<'goal_checkins'> }>())
    .execute()
  return Map.groupBy(await presentCheckins(ctx, rows, checkins), (checkin) => checkin.goal.id)
}

/** Check-ins for answers, of visible goals. */
export async function presentCheckins(
  ctx: ReadContext,
  goals: readonly Row<'goals'>[],
  rows: readonly Row<'goal_checkins'>[],
): Promise<GoalCheckinShape[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const refs = new Map(goals.map((row) => [row.id as string, goalRef(row)]))
  return rows.map((row) =>
    omitNullish({
      ...commonOf(row, `${ctx.baseUrl}/goals/${row.goal_id}#${row.id}`, people),
      goal: refs.get(row.goal_id)!,
      values: JSON.parse(row.values_json) as Record<string, number>,
      confidence: row.confidence,
      note_markdown: row.note_markdown,
      author: people.get(row.created_by)!,
    }),
  )
}

/** Projects of visible goals, as far as visible to the caller. */
async function projectsOf(
  ctx: ReadContext,
  ids: readonly Row<'goals'>['id'][],
): Promise<Map<string, Ref[]>> {
  const links = await goalProject
    .of(ctx, ids)
    .selectAll('goal_projects')
    .orderBy('goal_projects.added_at')
    .orderBy('goal_projects.project_id')
    .execute()
  const rows = await project.among(
    ctx,
    links.map((link) => link.project_id),
  )
  const projectsByGoal = new Map<string, Ref[]>()
  for (const { goal_id, project_id } of links) {
    const row = rows.get(project_id)
    if (row) projectsByGoal.set(goal_id, [...(projectsByGoal.get(goal_id) ?? []), projectRef(row)])
  }
  return projectsByGoal
}
