import type { Id } from '../../kernel/ids.ts'
import { part } from '../../records/part.ts'
import { type Row, resource } from '../../records/resource.ts'
import { type AccessScope, accessScopeOf, type Viewer } from '../../records/access-scope.ts'
import { automationsOfRuns } from '../activity/access.ts'
import { project } from '../portfolio/access.ts'

type AutomationRow = Row<'automations'>

/** Whether an automation is enabled, not deleted, and sends something outside. */
const isSending = (row: AutomationRow) =>
  row.status === 'enabled' && row.outbound === 1 && row.deleted_at === null

/** Automations: visible to their owner; if shared, also to members of the project or, without one, to everyone. */
export const automation = resource(
  'automations',
  {
    type: 'automation',
    prefix: 'aut',
    see: (s) =>
      s.all
        .selectFrom('automations')
        .where('automations.org_id', '=', s.actor.org_id)
        .where((eb) =>
          eb.or([
            eb('automations.owner_id', '=', s.actor.id),
            eb.and([
              eb('automations.shared', '=', 1),
              eb.or([
                eb('automations.project_id', 'is', null),
                project.holds(s, 'automations.project_id'),
              ]),
            ]),
          ]),
        ),
    edit: (s) => s.all.selectFrom('automations').where('automations.owner_id', '=', s.actor.id),
    own: (s) => s.all.selectFrom('automations').where('automations.owner_id', '=', s.actor.id),
    rule: {
      edit: 'Only the owner may change or run an automation.',
      own: 'Only the owner may delete an automation.',
    },
    isOutbound: (row, before) =>
      isSending(row) && (!before || !isSending(before) || row.plan_id !== before.plan_id),
    names: { columns: ['name'], details: (row) => ({ status: row.status }) },
    list: { tool: 'list_automations' },
    title: (row) => row.name,
    project: (row) => row.project_id,
    path: (row) => `automations/${row.id}`,
    unaudited: [
      'owner_id',
      'plan_id',
      'hook_hash',
      'key_id',
      'since_seq',
      'failures',
      'runs_succeeded',
      'runs_failed',
      'runs_skipped',
      'last_run_id',
    ],
  },
  { trash: true },
)

/**
 * Runs are visible to their owner, even after the automation is gone, and to anyone who sees the automation. Only
 * runs/access.ts writes them.
 */
export const automationRun = resource('automation_runs', {
  type: 'automation_run',
  prefix: 'run',
  see: (s) =>
    s.all
      .selectFrom('automation_runs')
      .where('automation_runs.org_id', '=', s.actor.org_id)
      .where((eb) =>
        eb.or([
          eb('automation_runs.owner_id', '=', s.actor.id),
          automation.holds(s, 'automation_runs.automation_id'),
        ]),
      ),
  title: (row) => row.automation_name,
  path: (row) => `automations/${row.automation_id}/runs/${row.id}`,
})

automationsOfRuns.register(async (ctx, runs) => {
  const runsById = await automationRun.among(ctx, runs)
  return new Map(
    [...runsById].map(([id, run]) => [
      id,
      {
        id: run.automation_id,
        title: run.automation_name,
        url: `${ctx.baseUrl}/automations/${run.automation_id}`,
      },
    ]),
  )
})

export const automationStep = part('automation_steps', {
  table: 'automation_runs',
  by: 'run_id',
  field: 'steps',
  touch: 'time',
  unique: ['run_id', 'path'],
})

const erasedStepColumns = {
  input_json: '{}',
  output_json: null,
  params_json: null,
  value_json: null,
  error_json: null,
}

/**
 * Erases the data of runs triggered by an item: their steps, their calls in the call log, and their approvals.
 * Unfinished runs are resumed now and end, since the item no longer exists. The steps of ended runs in the same chains
 * are erased, too.
 */
export async function eraseRunsOfItem(viewer: Viewer, itemId: string): Promise<void> {
  const { all, actor, now } = accessScopeOf(viewer)
  const itemRuns = all
    .selectFrom('automation_runs')
    .where('org_id', '=', actor.org_id)
    .where('item_id', '=', itemId)
  const approvalIds = all
    .selectFrom('automation_steps')
    .select('approval_id')
    .where('run_id', 'in', itemRuns.select('id'))
    .where('approval_id', 'is not', null)
  await all
    .deleteFrom('approvals')
    .where('id', 'in', approvalIds.$castTo<{ approval_id: Id<'approvals'> }>())
    .execute()
  const runs = await itemRuns.select(['id', 'owner_id', 'created_at']).execute()
  for (const run of runs) await eraseCallsOfRun(all, run)
  await all
    .updateTable('automation_steps')
    .set(erasedStepColumns)
    .where('run_id', 'in', itemRuns.select('id'))
    .execute()
  await all
    .updateTable('automation_runs')
    .set({ reason: null, payload_json: null })
    .where('id', 'in', itemRuns.select('id'))
    .execute()
  await all
    .updateTable('automation_runs')
    .set({ resume_at: now })
    .where('id', 'in', itemRuns.select('id'))
    .where('ended_at', 'is', null)
    .execute()
  const endedRunsInChain = all
    .selectFrom('automation_runs')
    .select('id')
    .where('root_id', 'in', itemRuns.select('root_id'))
    .where('ended_at', 'is not', null)
  await all
    .updateTable('automation_steps')
    .set(erasedStepColumns)
    .where('run_id', 'in', endedRunsInChain)
    .execute()
}

/** Erases what the calls of a run contain. The hash chain of the call log stays valid without these columns. */
async function eraseCallsOfRun(
  all: AccessScope['all'],
  { id, owner_id, created_at }: Pick<Row<'automation_runs'>, 'id' | 'owner_id' | 'created_at'>,
): Promise<void> {
  const callsSince = all
    .updateTable('calls')
    .set({ details_json: null, salt: null })
    .where('actor_id', '=', owner_id as Id<'users'>)
    .where('at', '>=', created_at)
  await callsSince
    .where('transport', '=', 'automation')
    .where('idempotency_key', 'like', `aut:${id}:%`)
    .execute()
}
