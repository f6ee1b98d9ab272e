import { isAdmin } from '../../../kernel/actor.ts'
import type { Id } from '../../../kernel/ids.ts'
import { part } from '../../../records/part.ts'
import { type Row, resource } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../../records/access-scope.ts'
import { incident } from '../access.ts'

const organizationRunbooks = (scope: AccessScope) =>
  scope.all.selectFrom('runbooks').where('runbooks.org_id', '=', scope.actor.org_id)
const editable = (scope: AccessScope) =>
  isAdmin(scope.actor)
    ? organizationRunbooks(scope)
    : organizationRunbooks(scope).where('runbooks.created_by', '=', scope.actor.id)
const rule = 'Only the author of a runbook or an administrator can do this.'

/** Runbooks, readable by all members. */
export const runbook = resource(
  'runbooks',
  {
    type: 'runbook',
    prefix: 'rbk',
    see: organizationRunbooks,
    edit: editable,
    own: editable,
    rule: { edit: rule, own: rule },
    names: { columns: ['name'] },
    list: { tool: 'list_runbooks' },
    title: (row) => row.name,
    path: (row) => `runbooks/${row.id}`,
    unaudited: ['steps_json'],
    search: async (row) => ({
      title: row.name,
      body: stepsText(row),
      container: row.org_id,
      part: 'item',
      item_id: row.id,
      item_type: 'runbook',
      at: row.updated_at,
    }),
  },
  { trash: true },
)

/** A stored runbook step. */
export interface RunbookStep {
  title: string
  body_markdown: string
  minutes?: number
}

export function runbookSteps(row: Pick<Row<'runbooks'>, 'steps_json'>): RunbookStep[] {
  return JSON.parse(row.steps_json) as RunbookStep[]
}

function stepsText(row: Row<'runbooks'>): string {
  return runbookSteps(row)
    .map(({ title, body_markdown }) => `${title}\n${body_markdown}`)
    .join('\n\n')
}

export const runbookService = part('runbook_services', {
  table: 'runbooks',
  by: 'runbook_id',
  unique: ['runbook_id', 'service_id'],
  field: 'services',
  value: (row) => row.service_id,
  touch: 'revision',
})

/** Steps with tasks. Access to a task is determined by its project. */
export const runbookStep = part('runbook_steps', {
  table: 'incidents',
  by: 'incident_id',
  unique: ['incident_id', 'runbook_id', 'step'],
  field: 'runbooks',
  value: (row) => ({ runbook: row.runbook_id, step: row.step }),
  touch: 'time',
})

/** Project for runbook tasks. @public Registered by being declared. */
export const responseProject = part('response_projects', {
  table: 'projects',
  by: 'project_id',
  unique: ['project_id'],
  field: 'response',
  value: () => null,
  touch: 'time',
})

/** Last use of runbooks in milliseconds, by id: in visible incidents. */
export async function lastUses(
  viewer: Viewer,
  ids: readonly Id<'runbooks'>[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('runbook_steps')
    .select((eb) => ['runbook_steps.runbook_id', eb.fn.max('runbook_steps.added_at').as('at')])
    .where('runbook_steps.runbook_id', 'in', ids)
    .where(incident.holds(viewer, 'runbook_steps.incident_id'))
    .groupBy('runbook_steps.runbook_id')
    .execute()
  return new Map(rows.map((row) => [row.runbook_id, Number(row.at)]))
}

/** Steps of a visible incident with the states of their tasks; deleted tasks do not count. Only totals may be shown. */
export function runbookProgressOf(
  reader: Viewer,
  incidentId: Id<'incidents'>,
): Promise<
  {
    runbook_id: Id<'runbooks'>
    step: number
    task_id: Id<'tasks'>
    status_category: Row<'tasks'>['status_category']
  }[]
> {
  return accessScopeOf(reader)
    .all.selectFrom('runbook_steps')
    .innerJoin('tasks', 'tasks.id', 'runbook_steps.task_id')
    .select([
      'runbook_steps.runbook_id',
      'runbook_steps.step',
      'runbook_steps.task_id',
      'tasks.status_category',
    ])
    .where('runbook_steps.incident_id', '=', incidentId)
    .where('tasks.deleted_at', 'is', null)
    .orderBy('runbook_steps.added_at')
    .orderBy('runbook_steps.runbook_id')
    .orderBy('runbook_steps.step')
    .execute()
}

/**
 * The active project for a restricted incident's tasks, or (null) for all others; whether or not the caller is a
 * member.
 */
export async function projectFor(
  viewer: Viewer,
  incidentId: Id<'incidents'> | null,
): Promise<Row<'projects'> | undefined> {
  const { all, actor } = accessScopeOf(viewer)
  return all
    .selectFrom('response_projects')
    .innerJoin('projects', 'projects.id', 'response_projects.project_id')
    .selectAll('projects')
    .where('response_projects.org_id', '=', actor.org_id)
    .where('response_projects.incident_id', incidentId === null ? 'is' : '=', incidentId)
    .where('projects.deleted_at', 'is', null)
    .where('projects.status', '<>', 'archived')
    .orderBy('response_projects.added_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}
