import type { WriteContext } from '../../../operations/context.ts'
import type { Tick, TickContext } from '../../../operations/jobs/tick.ts'
import type { FieldChange } from '../../../records/row-images.ts'
import {
  keyResultsAffectedBy,
  goalsOf,
  markStale,
  advanceGoalFeed,
  nextGoalChanges,
  orgWithGoalChanges,
  staleKeyResults,
  type GoalChangeRow,
  type SourcedKeyResult,
} from './access-feeds.ts'
import { countSource } from './sources.ts'
import { changeKeyResult } from './values.ts'

const staleBatchSize = 100

/**
 * Recounts key results with changed sources. The position is stored in the transaction with the values, so that
 * nothing is skipped or repeated after a restart.
 */
export const countKeyResults: Tick = {
  name: 'count_key_results',
  due: async (all) => (await orgWithGoalChanges(all)) !== undefined,
  async run(system) {
    const org = await orgWithGoalChanges(system.all)
    if (!org) {
      await recount(system, await staleKeyResults(system, staleBatchSize)) // the people who set their sources may be active again
      return false
    }
    const { changes, end } = await nextGoalChanges(system, org)
    await recount(
      system,
      await keyResultsAffectedBy(system, org, new Set(changes.flatMap(sourcesOf)), changes),
    )
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

/**
 * Counts what the setter of the source can see; if they are gone or lose access, the value stays. Closed goals keep
 * theirs.
 */
async function recount(
  system: TickContext,
  keyResults: readonly SourcedKeyResult[],
): Promise<void> {
  for (const [by, some] of Map.groupBy(
    keyResults.filter((item) => item.isOpen),
    (item) => item.source_by!,
  )) {
    if (some[0]!.isSetterActive) await system.as(by, (ctx) => countAll(system, ctx, some))
    else for (const item of some) await markStale(system, item)
  }
}

async function countAll(
  system: TickContext,
  ctx: WriteContext,
  keyResults: readonly SourcedKeyResult[],
): Promise<void> {
  const goals = await goalsOf(system, keyResults)
  for (const { isOpen: _, isSetterActive: __, ...row } of keyResults) {
    const value = await countSource(ctx, row)
    if (value === undefined) await markStale(system, row)
    else
      await changeKeyResult(ctx, goals.get(row.goal_id)!, row, {
        current_value: value,
        stale_since_at: null,
      })
  }
}
