import { omitUndefined, omitNullish } from '../../../kernel/present.ts'
import type { z } from 'zod'
import { isAdmin } from '../../../kernel/actor.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { BulkResult } from '../../../records/shapes.ts'
import { person } from '../../directory/access.ts'
import { task } from '../../tasks/access.ts'
import { holdersOf, incident } from '../access.ts'
import {
  runbookProgressOf,
  runbook,
  runbookStep,
  runbookSteps,
  type RunbookStep,
} from './access.ts'
import { requireActiveResponder } from '../incidents/role-changes.ts'
import { projectOf } from '../incidents/response-projects.ts'
import { addTimelineEntry } from '../incidents/timeline.ts'

type Result = z.infer<typeof BulkResult>
type Incident = Row<'incidents'>

export const startRunbook = operation({
  name: 'start_runbook',
  searchHint: 'follow the playbook, run the procedure, work through the steps',
  kind: 'write',
  rest: 'POST /api/incidents/{incident_id}/runbooks/{runbook_id}',
  creates: 'items',
  about: 'Attach a runbook to an incident as a checklist of tasks',
  on: {
    incident: incident.edit,
    runbook: runbook.see,
    assignee: person.see.maybe.describe('who gets the tasks'),
  },
  output: BulkResult,
  async handle({ incident, runbook: runbookRow, assignee }, ctx) {
    if (incident.status === 'closed')
      throw new Refusal(
        'conflict',
        `${incident.key} is closed.`,
        'Reopen it first (reopen_incident).',
      )
    if (assignee) await requireIncidentAccess(ctx, incident, assignee)
    const steps = runbookSteps(runbookRow)
    const existingTasks = new Map(
      (await runbookProgressOf(ctx, incident.id))
        .filter((item) => item.runbook_id === runbookRow.id)
        .map((item) => [item.step, item.task_id]),
    )
    const result: Result = {
      requested: steps.length,
      matched: steps.length,
      changed: 0,
      skipped: [],
      failed: [],
      items: [],
      dry_run: ctx.dryRun,
      undo_call_id: ctx.callId,
    }
    const visibleTasks = await task.among(ctx, [...existingTasks.values()])
    for (const [step, id] of existingTasks)
      result.skipped.push({
        id: `step ${step}`,
        reason: `it is already a task of ${incident.key}${visibleTasks.has(id) ? `: ${visibleTasks.get(id)!.key}` : ', one that you cannot see'}`,
      })
    if (existingTasks.size === steps.length) return result
    const projectRow = await projectOf(ctx, incident, assignee ? [assignee.id] : [])
    for (const [i, step] of steps.entries()) {
      if (existingTasks.has(i + 1)) continue
      const taskRow = await createStepTask(ctx, incident, projectRow, step, assignee)
      await linkStepTask(ctx, {
        incident_id: incident.id,
        runbook_id: runbookRow.id,
        step: i + 1,
        task_id: taskRow.id,
      })
      result.changed++
      result.items.push(task.ref(taskRow, ctx.baseUrl))
    }
    await addTimelineEntry(ctx, incident, {
      kind: 'link',
      text: `Runbook started: ${runbookRow.name} (${result.changed} ${result.changed === 1 ? 'task' : 'tasks'}).`,
      to: runbookRow.name,
    })
    return result
  },
})

/** @throws Refusal if someone has no access to the incident */
async function requireIncidentAccess(
  ctx: ReadContext,
  incident: Incident,
  who: Row<'users'>,
): Promise<void> {
  requireActiveResponder(who, 'assignee_id')
  const hasRole = (await holdersOf(ctx, [incident.id])).some(
    (holder) => holder.person_id === who.id,
  )
  const hasAccess =
    incident.restricted === 0 ||
    who.role === 'admin' ||
    hasRole ||
    (who.id === ctx.actor.id && isAdmin(ctx.actor))
  if (!hasAccess)
    throw invalid(
      'assignee_id',
      `${who.display_name} cannot see ${incident.key}, which is restricted.`,
      'Give them a role in it first (assign_incident_role).',
    )
}

async function createStepTask(
  ctx: WriteContext,
  incidentRow: Incident,
  projectRow: Row<'projects'>,
  { title, body_markdown, minutes }: RunbookStep,
  assignee: Row<'users'> | undefined,
): Promise<Row<'tasks'>> {
  const { id } = await ctx.call<{ id: string }>(
    'create_task_from_source',
    omitNullish({
      source_type: 'incident',
      source_id: incidentRow.id,
      project_id: projectRow.id,
      title,
      assignee_ids: assignee ? [assignee.id] : undefined,
    }),
  )
  await ctx.call(
    'update_task',
    omitUndefined({
      task_id: id,
      description_markdown: body_markdown === '' ? null : body_markdown,
      estimate_minutes: minutes,
    }),
  )
  return task.demand(ctx, id, 'see', 'runbook_id')
}

/** A step with a deleted task gets a new one. */
async function linkStepTask(
  ctx: WriteContext,
  link: Pick<Row<'runbook_steps'>, 'incident_id' | 'runbook_id' | 'step' | 'task_id'>,
): Promise<void> {
  const existing = await runbookStep
    .of(ctx, [link.incident_id])
    .selectAll('runbook_steps')
    .where('runbook_steps.runbook_id', '=', link.runbook_id)
    .where('runbook_steps.step', '=', link.step)
    .executeTakeFirst()
  if (existing) await ctx.changePart('runbook_steps', existing, { task_id: link.task_id })
  else await ctx.add('runbook_steps', link)
}
