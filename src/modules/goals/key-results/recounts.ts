import type { WriteContext } from '../../../operations/context.ts'
import type { Tick, TickContext } from '../../../operations/jobs/tick.ts'
import type { FieldChange } from '../../../records/row-images.ts'
import {
  fedFrom,
  goalsOf,
  markStale,
  advanceGoalFeed,
  nextGoalChanges,
  orgWithGoalChanges,
  staleOnes,
  type GoalChangeRow,
  type Fed,
} from './access-feeds.ts'
import { countSource } from './sources.ts'
import { changeKeyResult } from './values.ts'

const staleAtOnce = 100

/**
 * Counts key results anew whose sources have changed. Where it has come to is kept in the transaction that keeps the values, so that
 * whatever a process leaves undone the next one does, and nothing is done twice.
 */
export const countKeyResults: Tick = {
  name: 'count_key_results',
  due: async (all) => (await orgWithGoalChanges(all)) !== undefined,
  async run(system) {
    const org = await orgWithGoalChanges(system.all)
    if (!org) {
      await recount(system, await staleOnes(system, staleAtOnce)) // who set their sources may have come back
      return false
    }
    const { changes, end } = await nextGoalChanges(system, org)
    await recount(system, await fedFrom(system, org, new Set(changes.flatMap(sourcesOf)), changes))
    await advanceGoalFeed(system, org, end)
    return true
  },
}

/** Ids that a change affects: a label, a goal, and the project that an item is in, or was in before it moved. */
function sourcesOf({ item_type, item_id, project_id, fields_json }: GoalChangeRow): string[] {
  const moved = (JSON.parse(fields_json) as FieldChange[])
    .filter((fieldChange) => fieldChange.field === 'project_id')
    .flatMap((fieldChange) => [fieldChange.from, fieldChange.to])
  return [item_id, project_id, ...moved].filter(
    (id): id is string => typeof id === 'string' && !(id === item_id && item_type === 'task'),
  )
}

/** Counted is what the person who set the source sees; where they are gone, or see it no more, the value stays. Closed goals keep theirs. */
async function recount(system: TickContext, fed: readonly Fed[]): Promise<void> {
  for (const [by, some] of Map.groupBy(
    fed.filter((item) => item.open),
    (item) => item.source_by!,
  )) {
    if (some[0]!.byActive) await system.as(by, (ctx) => countAll(system, ctx, some))
    else for (const item of some) await markStale(system, item)
  }
}

async function countAll(
  system: TickContext,
  ctx: WriteContext,
  keyResults: readonly Fed[],
): Promise<void> {
  const goals = await goalsOf(system, keyResults)
  for (const { open: _, byActive: __, ...row } of keyResults) {
    const value = await countSource(ctx, row)
    if (value === undefined) await markStale(system, row)
    else
      await changeKeyResult(ctx, goals.get(row.goal_id)!, row, {
        current_value: value,
        stale_since_at: null,
      })
  }
}
