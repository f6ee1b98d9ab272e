import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../core/context.ts'
import { freeObject } from '../../core/fields.ts'
import { invalid, Refusal } from '../../core/refusal.ts'
import type { Row } from '../../core/resource.ts'
import { label } from '../labels/access.ts'
import { milestone, project } from '../projects/access.ts'
import { task, taskLabel } from '../tasks/access.ts'
import { keepFeed } from './access-feeds.ts'
import type { Metric } from './measures.ts'

export const sourceKinds = z.enum(['manual', 'tasks', 'deals', 'form'])

export const sourceInput = () =>
  z
    .strictObject({ kind: sourceKinds, params: freeObject().optional() })
    .describe(
      'default manual. tasks counts what is done in a project that you see: params {project_id or milestone_id, label_id?, measure?: tasks, points or percent}; everybody who reads the goal sees the number',
    )
export type SourceInput = z.infer<ReturnType<typeof sourceInput>>

const id = () => z.string().min(1).max(320)
const Params = z.strictObject({ project_id: id().optional(), milestone_id: id().optional(), label_id: id().optional(), measure: z.enum(['tasks', 'points', 'percent']).optional() })

/** The columns of a key result that say what feeds it. */
export type Source = Pick<Row<'key_results'>, 'source_measure' | 'source_project_id' | 'source_label_id' | 'source_milestone_id' | 'source_by' | 'stale_since_at'>

export const byHand: Source = { source_measure: null, source_project_id: null, source_label_id: null, source_milestone_id: null, source_by: null, stale_since_at: null }

/** The modules that the other kinds count in. */
const elsewhere = { deals: 'contacts', form: 'forms' } as const

/**
 * What feeds a key result, as it is stored. The caller has to see what it names, for as long as it is to be counted.
 * @throws Refusal
 */
export async function readSource(ctx: ReadContext, given: SourceInput | null | undefined, metric: Metric, at = 'source'): Promise<Source> {
  if (!given || given.kind === 'manual') {
    if (given?.params && Object.keys(given.params).length > 0) throw invalid(`${at}.params`, 'what is entered by hand has no params.')
    return byHand
  }
  if (given.kind !== 'tasks') throw notCounted(ctx, given.kind, at)
  const parsed = Params.safeParse(given.params ?? {})
  if (!parsed.success) throw invalid(`${at}.params`, parsed.error.issues[0]!.message, 'It takes project_id, milestone_id, label_id and measure (tasks, points or percent).')
  const { project_id, milestone_id, label_id, measure = metric === 'percent' ? 'percent' : 'tasks' } = parsed.data
  demandSuiting(metric, measure, at)
  const mark = milestone_id === undefined ? undefined : await milestone.demand(ctx, milestone_id, 'see', `${at}.params.milestone_id`)
  const named = project_id ?? mark?.project_id
  if (named === undefined) throw invalid(`${at}.params.project_id`, 'name the project whose tasks count.')
  const of = await project.demand(ctx, named, 'see', `${at}.params.project_id`)
  if (mark && mark.project_id !== of.id) throw invalid(`${at}.params.milestone_id`, 'this milestone is of another project.')
  const tagged = label_id === undefined ? undefined : await label.demand(ctx, label_id, 'see', `${at}.params.label_id`)
  return { source_measure: measure, source_project_id: of.id, source_label_id: tagged?.id ?? null, source_milestone_id: mark?.id ?? null, source_by: ctx.actor.id, stale_since_at: null }
}

function notCounted(ctx: ReadContext, kind: keyof typeof elsewhere, at: string): Refusal {
  const there = ctx.catalogue.modules.some(one => one.name === elsewhere[kind])
  const why = there ? `Key results cannot be fed from ${kind === 'form' ? 'forms' : 'deals'} here yet.` : `This workspace has no ${kind === 'form' ? 'forms' : 'deals'} to count.`
  return new Refusal('invalid_argument', `${at}.kind: ${why}`, { field: `${at}.kind`, hint: 'Enter the value by hand (kind manual), or feed it from tasks.' })
}

function demandSuiting(metric: Metric, measure: NonNullable<Source['source_measure']>, at: string): void {
  if (metric === 'boolean' || metric === 'currency') throw invalid(`${at}.kind`, `tasks cannot feed a key result with metric ${metric}.`, 'Use number or percent.')
  if ((metric === 'percent') !== (measure === 'percent')) throw invalid(`${at}.params.measure`, `${measure} does not suit a key result with metric ${metric}.`, 'percent goes with percent; tasks and points with number.')
}

/** What a source comes to now, in the sight of the caller; undefined where they do not see it (any more). */
export async function countSource(ctx: ReadContext, { source_measure, source_project_id, source_label_id, source_milestone_id }: Source): Promise<number | undefined> {
  const of = source_project_id === null ? undefined : await project.find(ctx, source_project_id)
  if (!of) return undefined
  let tasks = task.seen(ctx).where('tasks.project_id', '=', of.id).where('tasks.status_category', '<>', 'cancelled')
  if (source_label_id !== null) {
    const tagged = await label.find(ctx, source_label_id)
    if (!tagged) return undefined
    tasks = tasks.where('tasks.id', 'in', taskLabel.of(ctx, [tagged.id], 'label_id').select('task_labels.task_id'))
  }
  if (source_milestone_id !== null) {
    const mark = await milestone.find(ctx, source_milestone_id)
    if (!mark) return undefined
    tasks = tasks.where('tasks.milestone_id', '=', mark.id)
  }
  const rows = await tasks
    .select(eb => ['tasks.status_category', eb.fn.countAll<number>().as('count'), eb.fn.sum<number | null>('tasks.points').as('points')])
    .groupBy('tasks.status_category')
    .execute()
  const done = rows.find(row => row.status_category === 'done')
  if (source_measure === 'points') return rounded(done?.points ?? 0)
  if (source_measure === 'tasks') return done?.count ?? 0
  const total = rows.reduce((sum, row) => sum + row.count, 0)
  return total === 0 ? 0 : rounded(((done?.count ?? 0) / total) * 100)
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

/** The value that a key result with a source that was just set starts with; from now on it follows its source. */
export async function firstCount(ctx: WriteContext, source: Source): Promise<number | undefined> {
  if (source.source_measure === null) return undefined
  await keepFeed(ctx)
  return countSource(ctx, source)
}
