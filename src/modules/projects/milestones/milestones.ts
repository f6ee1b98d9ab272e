import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import { date, markdown, pageOf, paging, title } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { dayAt } from '../../../kernel/time/times.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { milestone, project } from '../../portfolio/access.ts'
import { requireMilestoneStep } from './states.ts'
import { Milestone, presentMilestones } from './shapes.ts'

const statusEnum = z.enum(['open', 'reached', 'missed', 'cancelled'])

export const listMilestones = operation({
  name: 'list_milestones',
  searchHint: 'deadlines, launch dates, release dates, roadmap, when do we ship',
  kind: 'read',
  rest: 'GET /api/milestones',
  about: 'Milestones across your projects with progress and slippage',
  on: { project: project.see.maybe.describe('default: all your projects except archived ones') },
  input: {
    status: z.array(statusEnum).max(4).optional(),
    due_before: date().optional().describe('due on this day or earlier'),
    ...paging,
  },
  output: pageOf(Milestone),
  async handle({ project: projectRow, status, due_before, limit, cursor }, ctx) {
    let query = milestone.visibleTo(ctx).selectAll('milestones')
    const current = project
      .visibleTo(ctx)
      .where('projects.status', '<>', 'archived')
      .select('projects.id')
    query = projectRow
      ? query.where('milestones.project_id', '=', projectRow.id)
      : query.where('milestones.project_id', 'in', current)
    if (status?.length) query = query.where('milestones.status', 'in', status)
    if (due_before) query = query.where('milestones.due_on', '<=', due_before)
    const page = await paged(
      query,
      [
        { by: 'milestones.due_on', as: 'due_on', dir: 'asc', nullable: true },
        { by: 'milestones.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentMilestones(ctx, page.items))
  },
})

export const createMilestone = operation({
  name: 'create_milestone',
  searchHint: 'new deadline, launch date, release date',
  kind: 'write',
  rest: 'POST /api/projects/{project_id}/milestones',
  about: 'Add a milestone to a project',
  on: { project: project.edit },
  input: { name: title(), due_on: date().optional(), description_markdown: markdown().optional() },
  output: Milestone,
  async handle({ project, name, due_on, description_markdown }, ctx) {
    const created = await ctx.add('milestones', {
      project_id: project.id,
      name: name.trim(),
      description_markdown: description_markdown || null,
      due_on: due_on ?? null,
      first_due_on: due_on ?? null,
      status: 'open',
    })
    return (await presentMilestones(ctx, [created]))[0]!
  },
})

export const updateMilestone = operation({
  name: 'update_milestone',
  searchHint: 'milestone reached, move the launch date, postpone a deadline',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/milestones/{milestone_id}',
  about: 'Change, reach or cancel a milestone',
  on: { milestone: milestone.edit },
  input: {
    name: title().optional(),
    due_on: date().nullable().optional(),
    status: statusEnum
      .optional()
      .describe(
        'reopening needs a future due date; missed is set automatically the day after the due date',
      ),
    description_markdown: markdown().nullable().optional(),
  },
  output: Milestone,
  async handle({ milestone: row, name, due_on, status, description_markdown }, ctx) {
    const due = due_on === undefined ? row.due_on : due_on
    const today = dayAt(ctx.now, ctx.actor.timezone)
    // A missed milestone with a new future date is reopened; otherwise its state would contradict its date.
    const postponed =
      row.status === 'missed' && due_on !== undefined && (due_on === null || due_on >= today)
    const to = status ?? (postponed ? 'open' : row.status)
    requireMilestoneStep(row, to, due, today)
    const changed = await ctx.change(
      'milestones',
      row,
      omitUndefined({
        name: name ? name.trim() : undefined,
        description_markdown:
          description_markdown === undefined ? undefined : description_markdown || null,
        due_on: due,
        first_due_on: row.first_due_on ?? due,
        status: to,
        reached_at: reachedAt(row, to, ctx.now),
      }),
    )
    if (to !== row.status && (to === 'reached' || to === 'missed'))
      ctx.event(`milestone.${to}`, 'milestones', changed)
    return (await presentMilestones(ctx, [changed]))[0]!
  },
})

export const deleteMilestone = operation({
  name: 'delete_milestone',
  searchHint: 'remove a milestone, drop a deadline of the project',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/milestones/{milestone_id}',
  about: 'Move a milestone to the trash; its tasks are kept without a milestone',
  on: { milestone: milestone.edit },
  dryRun: true,
  output: DeletedRef,
  async handle({ milestone: row }, ctx) {
    await ctx.trash('milestones', row)
    return deletedRef(ctx, milestone.ref(row, ctx.baseUrl))
  },
})

function reachedAt(
  row: Row<'milestones'>,
  to: Row<'milestones'>['status'],
  now: number,
): number | null {
  return to === 'reached' ? (row.reached_at ?? now) : null
}
