import { omitNullish } from '../../kernel/present.ts'
import { isAdmin } from '../../kernel/actor.ts'
import type { Id } from '../../kernel/ids.ts'
import { part } from '../../records/part.ts'
import { extend } from '../../records/resource-extensions.ts'
import { type Row, resource } from '../../records/resource.ts'
import { withTrash, type Viewer, type AccessScope } from '../../records/access-scope.ts'

const organizationGoals = (scope: AccessScope) =>
  scope.all.selectFrom('goals').where('goals.org_id', '=', scope.actor.org_id)
const directReportIds = (scope: AccessScope) =>
  scope.all.selectFrom('users').select('users.id').where('users.manager_id', '=', scope.actor.id)
const ownTeamIds = (scope: AccessScope) =>
  scope.all
    .selectFrom('team_members')
    .select('team_members.team_id')
    .where('team_members.person_id', '=', scope.actor.id)

/**
 * Goals: the organization's and teams' are readable by all; personal ones by their owner and the owner's manager.
 * Changed by the owner, a team's also by its members, the organization's also by administrators.
 */
export const goal = resource(
  'goals',
  {
    type: 'goal',
    prefix: 'gol',
    see: (s) =>
      organizationGoals(s).where((eb) =>
        eb.or([
          eb('goals.level', '<>', 'personal'),
          eb('goals.owner_id', '=', s.actor.id),
          eb('goals.owner_id', 'in', directReportIds(s)),
        ]),
      ),
    edit: (s) =>
      organizationGoals(s).where((eb) =>
        eb.or([
          eb('goals.owner_id', '=', s.actor.id),
          eb.and([eb('goals.level', '=', 'team'), eb('goals.team_id', 'in', ownTeamIds(s))]),
          ...(isAdmin(s.actor) ? [eb('goals.level', '=', 'organization')] : []),
        ]),
      ),
    own: (s) =>
      organizationGoals(s).where((eb) =>
        eb.or([
          eb('goals.owner_id', '=', s.actor.id),
          eb.and([
            eb('goals.level', '=', 'team'),
            eb('goals.team_id', 'in', ownTeamIds(s).where('team_members.role', '=', 'lead')),
          ]),
          ...(isAdmin(s.actor) ? [eb('goals.level', '=', 'organization')] : []),
        ]),
      ),
    rule: {
      edit: 'Only the owner may change a goal; team members may also change team goals, administrators organization goals.',
      own: 'Only the owner may delete a goal; team leads may also delete team goals, administrators organization goals.',
    },
    names: {
      columns: ['title'],
      details: (row) => ({ level: row.level, period: row.period, status: row.status }),
    },
    list: { tool: 'list_goals' },
    title: (row) => row.title,
    path: (row) => `goals/${row.id}`,
    unaudited: ['risk_told', 'risk_check_at'],
    search: async (row) => ({
      title: row.title,
      body: row.description_markdown ?? '',
      container: row.level === 'personal' ? row.owner_id : row.org_id,
      part: 'item',
      item_id: row.id,
      item_type: 'goal',
      at: row.updated_at,
    }),
  },
  { trash: true },
)

extend(goal, 'trash', {
  restoredWith: keyResultsOf,
})

/**
 * Key results of goals. Activity shows their values, never their source: the reader of a goal may not see its
 * project.
 */
export const keyResult = resource('key_results', {
  type: 'key_result',
  prefix: 'kre',
  see: (s) => s.all.selectFrom('key_results').where(goal.holds(s, 'key_results.goal_id')),
  inheritsVisibilityFrom: 'goal_id',
  edit: (s) => s.all.selectFrom('key_results').where(goal.holds(s, 'key_results.goal_id', 'edit')),
  rule: { edit: 'Only people who may change the goal may change its key results.' },
  names: {
    columns: ['title'],
    within: { column: 'goal_id', table: 'goals' },
    details: (row) => ({ goal_id: row.goal_id }),
  },
  list: { tool: 'get_goal', by: 'container' },
  title: (row) => row.title,
  path: (row) => `goals/${row.goal_id}#${row.id}`,
  partOf: {
    table: 'goals',
    by: 'goal_id',
    field: 'key_results',
    value: ({ title, current_value, target_value, retired }) =>
      omitNullish({
        title,
        value: current_value,
        target: target_value,
        retired: retired ? true : undefined,
      }),
    touch: 'time',
  },
})

/** Progress reports on goals; never changed. */
export const goalCheckin = resource('goal_checkins', {
  type: 'goal_checkin',
  prefix: 'gci',
  see: (s) => s.all.selectFrom('goal_checkins').where(goal.holds(s, 'goal_checkins.goal_id')),
  inheritsVisibilityFrom: 'goal_id',
  title: (row) => `Check-in: ${row.confidence} confidence`,
  path: (row) => `goals/${row.goal_id}#${row.id}`,
  partOf: {
    table: 'goals',
    by: 'goal_id',
    field: 'checkins',
    value: (row) => row.confidence,
    touch: 'time',
  },
})

/** Projects that work towards goals. */
export const goalProject = part('goal_projects', {
  table: 'goals',
  by: 'goal_id',
  unique: ['goal_id', 'project_id'],
  field: 'projects',
  value: (row) => row.project_id,
  touch: 'revision',
})

/**
 * A visible goal and its parents, visible to the same people; includes those in the trash, so that restoring one
 * cannot create a cycle. At most `limit` levels.
 */
export async function goalWithAncestors(
  viewer: Viewer,
  first: Row<'goals'>,
  limit: number,
): Promise<Row<'goals'>[]> {
  const ancestors = [first]
  for (let next = first.parent_id; next !== null && ancestors.length <= limit; ) {
    const row = (await goal.among(withTrash(viewer), [next])).get(next)
    if (!row) break
    ancestors.push(row)
    next = row.parent_id
  }
  return ancestors
}

/** The key results of a goal come back with it from the trash. */
async function keyResultsOf(
  id: string,
  { all }: AccessScope,
): Promise<{ type: string; count: number }[]> {
  const { count } = await all
    .selectFrom('key_results')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('goal_id', '=', id as Id<'goals'>)
    .executeTakeFirstOrThrow()
  return [{ type: 'key_result', count }]
}
