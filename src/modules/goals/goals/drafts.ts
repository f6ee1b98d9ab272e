import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import { keyResultInput, readMeasure } from '../key-results/measures.ts'
import {
  initialValue,
  readSource,
  sourceInput,
  type MeasureSource,
} from '../key-results/sources.ts'

/** Maximum key results per goal, including retired ones. */
export const maxKeyResults = 50

/** Input of create_goal for one key result. */
export const keyResultDraft = () =>
  z.strictObject({
    ...keyResultInput,
    source: sourceInput().nullable().optional(),
    owner_id: z.string().min(1).max(320).optional().describe('default: the owner of the goal'),
  })

/** A key result before creation. */
export interface KeyResultDraft extends MeasureSource, ReturnType<typeof readMeasure> {
  title: string
  /** Undefined for the goal's owner. */
  owner: Row<'users'> | undefined
}

/** Reads a key result of an outline. @throws Refusal; `at` prefixes field names */
export async function readDraft(
  ctx: ReadContext,
  { title, owner_id, source, ...measureInput }: z.infer<ReturnType<typeof keyResultDraft>>,
  at = '',
): Promise<KeyResultDraft> {
  const owner =
    owner_id === undefined ? undefined : await person.demand(ctx, owner_id, 'see', `${at}owner_id`)
  if (owner) requireActiveOwner(owner, `${at}owner_id`)
  const measure = readMeasure(measureInput, at)
  return {
    title: title.trim(),
    owner,
    ...measure,
    ...(await readSource(ctx, source, measure, `${at}source`)),
  }
}

/** @throws Refusal if a person is not active */
export function requireActiveOwner({ status, display_name }: Row<'users'>, field: string): void {
  if (status !== 'active')
    throw invalid(field, `${display_name} is ${status}; only active people can own a key result.`)
}

/** Adds a key result to a goal; one with a source starts with its current value. */
export async function addKeyResult(
  ctx: WriteContext,
  goal: Row<'goals'>,
  { owner, ...draft }: KeyResultDraft,
): Promise<Row<'key_results'>> {
  const current_value = (await initialValue(ctx, draft)) ?? draft.start_value
  const keyResult = await ctx.add('key_results', {
    ...draft,
    goal_id: goal.id,
    current_value,
    owner_id: owner?.id ?? goal.owner_id,
    retired: 0,
  })
  if (owner && owner.id !== goal.owner_id) notifyKeyResultOwner(ctx, goal, owner.id)
  return keyResult
}

export function notifyKeyResultOwner(ctx: WriteContext, goal: Row<'goals'>, ownerId: string): void {
  ctx.notify(
    'assignment',
    [ownerId],
    'goals',
    goal,
    `${ctx.actor.display_name} made you the owner of a key result of this goal`,
  )
}
