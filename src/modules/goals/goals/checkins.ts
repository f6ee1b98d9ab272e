import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { freeObject, markdown } from '../../../kernel/fields.ts'
import { valuesByItemId } from '../../../kernel/keyed-items.ts'
import { newMentions, unresolvedMentions } from '../../../kernel/text/mentions.ts'
import { operation } from '../../../operations/operation.ts'
import { denied, invalid, notFound, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import { goal, goalCheckin, keyResult } from '../access.ts'
import { readValue } from '../key-results/measures.ts'
import { checkRisk } from './risks.ts'
import { confidenceEnum, GoalCheckin, presentCheckins } from '../shapes.ts'
import { requireActiveGoal } from './states.ts'
import { changeKeyResult } from '../key-results/values.ts'

export const recordGoalCheckin = operation({
  name: 'record_goal_checkin',
  searchHint: 'update progress, goal progress, confidence, score an OKR',
  kind: 'write',
  rest: 'POST /api/goals/{goal_id}/checkins',
  creates: 'item',
  about: 'Record progress: new values, confidence and a note',
  on: { goal: goal.see },
  input: {
    values: freeObject().describe(
      'new values of manually entered key results, by id or title: {"Signups": 42}; true or false for boolean',
    ),
    confidence: confidenceEnum.optional().describe('default: as in the last check-in, else medium'),
    note_markdown: markdown().optional().describe('progress and obstacles'),
  },
  output: GoalCheckin,
  async handle({ goal, values, confidence, note_markdown }, ctx) {
    requireActiveGoal(goal)
    const entered = await readValues(ctx, goal, values)
    await requireCheckinRight(ctx, goal, entered)
    if (entered.length === 0 && confidence === undefined && !note_markdown?.trim())
      throw invalid(
        'values',
        'this check-in is empty.',
        'Send at least one value, a confidence or a note.',
      )
    const checkin = await ctx.add('goal_checkins', {
      goal_id: goal.id,
      values_json: JSON.stringify(
        Object.fromEntries(entered.map(({ row, value }) => [row.id, value])),
      ),
      confidence: confidence ?? (await lastConfidence(ctx, goal)) ?? 'medium',
      note_markdown: note_markdown?.trim() ? note_markdown : null,
    })
    for (const { row, value } of entered)
      await changeKeyResult(ctx, goal, row, { current_value: value })
    ctx.event('goal.checked_in', 'goals', goal)
    await checkRisk(ctx, goal)
    await notifyCheckin(ctx, goal, note_markdown ?? '')
    return { ...(await presentCheckins(ctx, [goal], [checkin]))[0]!, ...unresolvedMentions(ctx) }
  },
})

function unknownKeyResult(rows: readonly Row<'key_results'>[], field: string): Refusal {
  const refusal = notFound('key result of this goal', field)
  const notRetired = rows.filter((row) => row.retired === 0)
  if (notRetired.length === 0) return refusal
  return new Refusal('not_found', refusal.message, {
    field,
    hint: 'Its key results are in `candidates`.',
    context: { candidates: notRetired.slice(0, 20).map(({ id, title }) => ({ id, title })) },
  })
}

interface EnteredValue {
  row: Row<'key_results'>
  value: number
}

async function readValues(
  ctx: ReadContext,
  goal: Row<'goals'>,
  values: Record<string, unknown>,
): Promise<EnteredValue[]> {
  const rows = await keyResult.of(ctx, [goal.id]).selectAll('key_results').execute()
  return Object.entries(
    valuesByItemId(
      values,
      rows.map((row) => ({ id: row.id, name: row.title })),
      'values',
    ),
  ).map(([id, value]) => {
    const field = `values.${id}`
    const row = rows.find((item) => item.id === id)
    if (!row) throw unknownKeyResult(rows, field)
    if (row.retired === 1)
      throw new Refusal('conflict', `"${row.title}" is retired and cannot be updated.`, {
        field,
        hint: 'Restore it first with update_key_result(retired=false).',
      })
    if (row.source_kind !== null)
      throw new Refusal(
        'conflict',
        `The value of "${row.title}" is calculated from ${row.source_kind === 'form' ? 'a form' : row.source_kind} and cannot be entered.`,
        {
          field,
          hint: 'Omit it, or switch to manual entry with update_key_result(source={kind: "manual"}).',
        },
      )
    return { row, value: readValue(row, value, field) }
  })
}

/** People who may change the goal, and owners of key results for their own values. */
async function requireCheckinRight(
  ctx: ReadContext,
  goalRow: Row<'goals'>,
  entered: readonly EnteredValue[],
): Promise<void> {
  if (entered.length > 0 && entered.every(({ row }) => row.owner_id === ctx.actor.id)) return
  if (await goal.find(ctx, goalRow.id, 'edit')) return
  throw denied(
    'Only people who may change the goal can record progress; owners of key results can record it for their own.',
    goal.definition.rule!.edit!,
  )
}

async function lastConfidence(
  ctx: ReadContext,
  goal: Row<'goals'>,
): Promise<Row<'goal_checkins'>['confidence'] | undefined> {
  const last = await goalCheckin
    .of(ctx, [goal.id])
    .select('goal_checkins.confidence')
    .orderBy('goal_checkins.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.confidence
}

/** Notifies mentioned people and those responsible for the goal; the core omits those without access. */
async function notifyCheckin(
  ctx: WriteContext,
  goalRow: Row<'goals'>,
  note: string,
): Promise<void> {
  const { display_name } = ctx.actor
  if (note.includes('@')) {
    const people = await person
      .visibleTo(ctx)
      .select(['users.id', 'users.email', 'users.display_name'])
      .where('users.status', '=', 'active')
      .execute()
    ctx.notify(
      'mention',
      newMentions(ctx, note, people),
      'goals',
      goalRow,
      `${display_name} mentioned you in a check-in of this goal`,
    )
  }
  const results = await keyResult
    .of(ctx, [goalRow.id])
    .select('key_results.owner_id')
    .where('key_results.retired', '=', 0)
    .execute()
  ctx.notify(
    'comment',
    [goalRow.owner_id, ...results.map((result) => result.owner_id)],
    'goals',
    goalRow,
    `${display_name} checked in on this goal`,
  )
}
