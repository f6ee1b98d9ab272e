import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { label } from '../../labels/access.ts'
import { searchFirstIn, milestone, project } from '../../portfolio/access.ts'
import { task, taskLabel } from '../../tasks/access.ts'
import type { Metric } from './measures.ts'
import {
  manualSource,
  readParams,
  roundKeyResult,
  type SourceKind,
  type MeasureSource,
} from './source-rules.ts'

const id = () => z.string().min(1).max(320)
const Params = z.strictObject({
  project_id: id().optional(),
  milestone_id: id().optional(),
  label_id: id().optional(),
  measure: z.enum(['tasks', 'points', 'percent']).optional(),
})

/** Counts completed work in a project. */
export const fromTasks: SourceKind = {
  async read(ctx, params, { metric }, at) {
    const {
      project_id,
      milestone_id,
      label_id,
      measure = metric === 'percent' ? 'percent' : 'tasks',
    } = readParams(
      Params,
      params,
      at,
      'Allowed parameters: project_id, milestone_id, label_id and measure (tasks, points or percent).',
    )
    requireSuitableMeasure(metric, measure, at)
    const parentProject =
      project_id === undefined
        ? undefined
        : await project.demand(ctx, project_id, 'see', `${at}.params.project_id`)
    const milestoneRow =
      milestone_id === undefined
        ? undefined
        : await milestone.demand(
            ctx,
            milestone_id,
            'see',
            `${at}.params.milestone_id`,
            searchFirstIn(parentProject?.id),
          )
    const projectId = parentProject?.id ?? milestoneRow?.project_id
    if (projectId === undefined) throw invalid(`${at}.params.project_id`, 'a project is required.')
    const projectRow = await project.demand(ctx, projectId, 'see', `${at}.params.project_id`)
    if (milestoneRow && milestoneRow.project_id !== projectRow.id)
      throw invalid(`${at}.params.milestone_id`, 'this milestone belongs to another project.')
    const labelRow =
      label_id === undefined
        ? undefined
        : await label.demand(ctx, label_id, 'see', `${at}.params.label_id`)
    return {
      ...manualSource,
      source_kind: 'tasks',
      source_measure: measure,
      source_project_id: projectRow.id,
      source_label_id: labelRow?.id ?? null,
      source_milestone_id: milestoneRow?.id ?? null,
      source_by: ctx.actor.id,
    }
  },
  count: countTasks,
}

function requireSuitableMeasure(
  metric: Metric,
  measure: NonNullable<MeasureSource['source_measure']>,
  at: string,
): void {
  if (metric === 'boolean' || metric === 'currency')
    throw invalid(
      `${at}.kind`,
      `tasks cannot be the source of a key result with metric ${metric}.`,
      'Use number or percent.',
    )
  if ((metric === 'percent') !== (measure === 'percent'))
    throw invalid(
      `${at}.params.measure`,
      `measure ${measure} cannot be used with metric ${metric}.`,
      'Use percent with percent, and tasks or points with number.',
    )
}

async function countTasks(
  ctx: ReadContext,
  { source_measure, source_project_id, source_label_id, source_milestone_id }: MeasureSource,
): Promise<number | undefined> {
  const projectRow =
    source_project_id === null ? undefined : await project.find(ctx, source_project_id)
  if (!projectRow) return undefined
  let tasks = task
    .visibleTo(ctx)
    .where('tasks.project_id', '=', projectRow.id)
    .where('tasks.status_category', '<>', 'cancelled')
  if (source_label_id !== null) {
    const labelRow = await label.find(ctx, source_label_id)
    if (!labelRow) return undefined
    tasks = tasks.where(
      'tasks.id',
      'in',
      taskLabel.of(ctx, [labelRow.id], 'label_id').select('task_labels.task_id'),
    )
  }
  if (source_milestone_id !== null) {
    const milestoneRow = await milestone.find(ctx, source_milestone_id)
    if (!milestoneRow) return undefined
    tasks = tasks.where('tasks.milestone_id', '=', milestoneRow.id)
  }
  const rows = await tasks
    .select((eb) => [
      'tasks.status_category',
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number | null>('tasks.points').as('points'),
    ])
    .groupBy('tasks.status_category')
    .execute()
  const done = rows.find((row) => row.status_category === 'done')
  if (source_measure === 'points') return roundKeyResult(done?.points ?? 0)
  if (source_measure === 'tasks') return done?.count ?? 0
  const total = rows.reduce((sum, row) => sum + row.count, 0)
  return total === 0 ? 0 : roundKeyResult(((done?.count ?? 0) / total) * 100)
}
