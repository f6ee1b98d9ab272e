import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { goal, keyResult } from '../access.ts'
import { mean, measuredProgress } from '../goals/progress.ts'

type Goal = Pick<Row<'goals'>, 'id' | 'parent_id' | 'level' | 'owner_id' | 'status'>

/** Maximum levels of goals from which progress is collected. */
const maxDepth = 12
const columns = [
  'goals.id',
  'goals.parent_id',
  'goals.level',
  'goals.owner_id',
  'goals.status',
] as const

/**
 * Progress of visible goals, 0 to 100: the mean of their active key results, else of their subgoals; undefined if
 * neither measures it. The same for every reader: personal goals count only for a personal goal of the same person.
 * Drafts and cancelled goals do not count.
 */
export async function goalProgress(
  ctx: ReadContext,
  goals: readonly Goal[],
): Promise<Map<string, number>> {
  const resultProgress = new Map<string, number>()
  const childrenById = new Map<string, Goal[]>()
  const visitedIds = new Set<string>()
  for (let level = goals, depth = 0; level.length > 0 && depth < maxDepth; depth++) {
    for (const item of level) visitedIds.add(item.id)
    for (const [id, progress] of await byKeyResults(ctx, level)) resultProgress.set(id, progress)
    const withoutKeyResults = level.filter((item) => !resultProgress.has(item.id))
    const children = await childrenOf(ctx, withoutKeyResults)
    for (const [id, some] of children) childrenById.set(id, some)
    level = [...children.values()].flat().filter((child) => !visitedIds.has(child.id))
  }
  const progressById = new Map<string, number>()
  const progressOf = (id: string, depth: number): number | undefined => {
    const knownProgress = progressById.get(id) ?? resultProgress.get(id)
    const progress =
      knownProgress ??
      (depth > maxDepth
        ? undefined
        : mean(
            (childrenById.get(id) ?? []).flatMap(
              (item) => progressOf(item.id, depth + 1) ?? (item.status === 'achieved' ? 100 : 0),
            ),
          ))
    if (progress !== undefined) progressById.set(id, progress)
    return progress
  }
  for (const item of goals) progressOf(item.id, 0)
  return progressById
}

async function byKeyResults(
  ctx: ReadContext,
  goals: readonly Goal[],
): Promise<Map<string, number>> {
  if (goals.length === 0) return new Map()
  const rows = await keyResult
    .of(
      ctx,
      goals.map((item) => item.id),
    )
    .select([
      'key_results.goal_id',
      'key_results.start_value',
      'key_results.current_value',
      'key_results.target_value',
    ])
    .where('key_results.retired', '=', 0)
    .execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.goal_id as string)].map(([id, some]) => [
      id,
      mean(some.map(measuredProgress))!,
    ]),
  )
}

async function childrenOf(ctx: ReadContext, goals: readonly Goal[]): Promise<Map<string, Goal[]>> {
  if (goals.length === 0) return new Map()
  const parents = new Map(goals.map((item) => [item.id as string, item]))
  const rows = await goal
    .visibleTo(ctx)
    .select(columns)
    .where(
      'goals.parent_id',
      'in',
      goals.map((item) => item.id),
    )
    .where('goals.status', 'not in', ['draft', 'cancelled'])
    .execute()
  const counted = rows.filter(
    (row) =>
      row.level !== 'personal' ||
      (parents.get(row.parent_id!)!.level === 'personal' &&
        parents.get(row.parent_id!)!.owner_id === row.owner_id),
  )
  return Map.groupBy(counted, (item) => item.parent_id as string)
}
