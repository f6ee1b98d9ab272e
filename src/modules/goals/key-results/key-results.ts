import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { title } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import { goal, keyResult } from '../access.ts'
import {
  addKeyResult,
  requireActiveOwner,
  maxKeyResults,
  readDraft,
  notifyKeyResultOwner,
} from '../goals/drafts.ts'
import { amount, keyResultInput, readMeasure } from './measures.ts'
import { KeyResult, presentKeyResults, type KeyResultShape } from '../shapes.ts'
import { initialValue, readSource, sourceInput, type SourceInput } from './sources.ts'
import { requireOpenGoal } from '../goals/states.ts'
import { changeKeyResult } from './values.ts'

export const createKeyResult = operation({
  name: 'create_key_result',
  searchHint: 'KPI, metric, measure, add a number to a goal',
  kind: 'write',
  rest: 'POST /api/goals/{goal_id}/key-results',
  about: 'Add a measurable result, entered manually or from tasks, deals or forms',
  on: { goal: goal.edit, owner: person.see.maybe.describe('default: the owner of the goal') },
  input: { ...keyResultInput, source: sourceInput().nullable().optional() },
  output: KeyResult,
  async handle({ goal, owner, ...input }, ctx) {
    requireOpenGoal(goal)
    const { count } = await keyResult
      .of(ctx, [goal.id])
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (count >= maxKeyResults)
      throw new Refusal(
        'conflict',
        `This goal has ${count} key results, the maximum for a goal.`,
        'Split it into several goals.',
      )
    if (owner) requireActiveOwner(owner, 'owner_id')
    return presentKeyResult(
      ctx,
      goal,
      await addKeyResult(ctx, goal, { ...(await readDraft(ctx, input)), owner }),
    )
  },
})

export const updateKeyResult = operation({
  name: 'update_key_result',
  searchHint: 'change a KPI, new target value, edit a metric',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/key-results/{key_result_id}',
  about: 'Change wording, target, owner or source of a key result, or retire it',
  on: { key_result: keyResult.edit, owner: person.see.maybe },
  input: {
    title: title().optional(),
    target_value: amount().optional(),
    source: sourceInput()
      .nullable()
      .optional()
      .describe(
        'null: manual entry from now on, starting at the current value. Other sources count only what you can see',
      ),
    retired: z
      .boolean()
      .optional()
      .describe('true: kept, but no longer counted; false restores it'),
  },
  output: KeyResult,
  async handle({ key_result: row, owner, title, target_value, source, retired }, ctx) {
    const goalRow = (await goal.among(ctx, [row.goal_id])).get(row.goal_id)!
    requireOpenGoal(goalRow)
    if (owner && owner.id !== row.owner_id) requireActiveOwner(owner, 'owner_id')
    if (target_value !== undefined)
      readMeasure({ metric: row.metric, start_value: row.start_value, target_value })
    const changed = await changeKeyResult(
      ctx,
      goalRow,
      row,
      omitUndefined({
        title: title ? title.trim() : undefined,
        target_value,
        owner_id: owner ? owner.id : undefined,
        ...(retired === undefined ? {} : { retired: retired ? 1 : 0 }),
        ...(source === undefined ? {} : await sourceColumns(ctx, row, source)),
      }),
    )
    if (changed.owner_id !== row.owner_id) notifyKeyResultOwner(ctx, goalRow, changed.owner_id)
    return presentKeyResult(ctx, goalRow, changed)
  },
})

/**
 * Columns of a new source with its current value. Setting the same source again keeps its setter while they have
 * access.
 */
async function sourceColumns(
  ctx: WriteContext,
  row: Row<'key_results'>,
  input: SourceInput | null,
): Promise<Partial<Row<'key_results'>>> {
  const source = await readSource(ctx, input, row)
  const value = await initialValue(ctx, source)
  const isSameSource = (
    [
      'source_kind',
      'source_params_json',
      'source_measure',
      'source_project_id',
      'source_label_id',
      'source_milestone_id',
    ] as const
  ).every((column) => source[column] === row[column])
  if (isSameSource && row.stale_since_at === null) return {}
  return omitUndefined({ ...source, current_value: value })
}

async function presentKeyResult(
  ctx: ReadContext,
  goal: Row<'goals'>,
  { id }: Row<'key_results'>,
): Promise<KeyResultShape> {
  const row = (await keyResult.among(ctx, [id])).get(id)!
  return (await presentKeyResults(ctx, [goal], [row]))[0]!
}
