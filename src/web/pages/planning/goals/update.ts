import { queries } from '../../../api/queries.ts'
import { call, type Input } from '../../../api/client.ts'
import { randomId, write } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { operationTextSource } from '../../../ui/conflicts/text-merge.ts'
import { percentOf, type GoalRow, type KeyResult } from './tree.ts'

type GoalChange = Omit<Input<'update_goal'>, 'goal_id' | 'expected_revision'>

/** Changes a goal; shown immediately. `set` contains the changed fields of the row. */
export function updateGoal(
  goal: GoalRow,
  change: GoalChange,
  { set, description }: { set: Partial<GoalRow>; description: string },
): void {
  void write(
    'update_goal',
    { goal_id: goal.id, ...change },
    { rows: [{ type: 'goal', id: goal.id, set }], text: t.tasks.changed(goal.title, description) },
  )
}

/** The title or description of a goal, which others may change meanwhile. */
export const goalText = ({ id, title }: GoalRow, field: 'title' | 'description_markdown') =>
  operationTextSource({
    read: async () => {
      const goal = await call('get_goal', { goal_id: id })
      return { text: goal[field] ?? '', revision: goal.revision }
    },
    operation: 'update_goal',
    input: (text, expected_revision) => ({ goal_id: id, [field]: text, expected_revision }),
    row: (text) => ({ type: 'goal', id, set: { [field]: text ?? undefined } }),
    description: t.tasks.changed(
      title,
      field === 'title' ? t.tasks.set.title : t.planning.set.description,
    ),
  })

export interface Checkin {
  /** New values of manual key results, by id. */
  values: Readonly<Record<string, number>>
  confidence?: 'high' | 'medium' | 'low' | undefined
  note?: string | undefined
}

/** Records progress of a goal: the values are shown immediately, the check-in once saved. */
export async function checkIn(goal: GoalRow, { values, confidence, note }: Checkin): Promise<void> {
  const key_results = goal.key_results.map((result) => {
    const value = values[result.id]
    return value === undefined
      ? result
      : { ...result, current_value: value, progress: percentOf(result, value) }
  })
  await write(
    'record_goal_checkin',
    {
      goal_id: goal.id,
      values,
      ...(confidence && { confidence }),
      ...(note && { note_markdown: note }),
    },
    {
      rows: [
        {
          type: 'goal',
          id: goal.id,
          set: { key_results, ...(confidence && { confidence }) },
        },
      ],
      text: t.planning.goal.checkedIn(goal.title),
    },
  )
  await invalidateGoals()
}

type ResultChange = Pick<Input<'update_key_result'>, 'title' | 'target_value' | 'retired'>

/** Changes a key result in place. */
export async function updateResult(
  goal: GoalRow,
  result: KeyResult,
  change: ResultChange,
): Promise<void> {
  const changedResult = { ...result, ...(change as Partial<KeyResult>) }
  const updated = {
    ...changedResult,
    progress: percentOf(changedResult, changedResult.current_value),
  }
  await write(
    'update_key_result',
    { key_result_id: result.id, ...change },
    {
      rows: [
        {
          type: 'goal',
          id: goal.id,
          set: {
            key_results: goal.key_results.map((other) =>
              other.id === result.id ? updated : other,
            ),
          },
        },
      ],
      text: t.tasks.changed(goal.title, t.planning.goal.resultChanged(updated.title)),
    },
  )
  await invalidateGoals()
}

type NewResult = Omit<Input<'create_key_result'>, 'goal_id' | 'owner_id'>

/** Adds a key result to a goal. Returns whether the server accepted it. */
export async function createResult(goal: GoalRow, result: NewResult): Promise<boolean> {
  const outcome = await write(
    'create_key_result',
    { goal_id: goal.id, ...result },
    {
      rows: [{ type: 'goal', id: goal.id, set: {} }],
      text: t.tasks.changed(goal.title, t.planning.goal.resultAdded(result.title)),
    },
  )
  await invalidateGoals()
  return outcome.state === 'done'
}

/** Moves a goal to the trash. */
export async function removeGoal(goal: GoalRow): Promise<boolean> {
  const outcome = await write(
    'delete_goal',
    { goal_id: goal.id },
    {
      rows: [{ type: 'goal', id: goal.id, remove: true }],
      text: t.tasks.changed(goal.title, t.tasks.set.deleted),
    },
  )
  return outcome.state === 'done'
}

interface NewGoal {
  input: Input<'create_goal'>
  owner: { id: string; title: string }
  parent?: GoalRow | undefined
}

/** Creates a goal; listed immediately, and shown below its parent once saved. */
export async function createGoal({ input, owner, parent }: NewGoal): Promise<void> {
  const { title, period, level } = input
  await write('create_goal', input, {
    rows: [
      {
        type: 'goal',
        id: randomId(),
        add: {
          title,
          period,
          level,
          owner,
          ...(parent && { parent: { id: parent.id, title: parent.title } }),
          status: 'draft',
          progress: 0,
          at_risk: false,
          children: [],
          key_results: [],
          projects: [],
          checkins: [],
        },
      },
    ],
    text: t.planning.created(title),
  })
  await invalidateGoals()
}

/** Refetches the parts of a goal's page besides its row: check-ins, and subgoals. */
const invalidateGoals = () => queries.invalidateQueries({ queryKey: ['call', 'get_goal'] })
