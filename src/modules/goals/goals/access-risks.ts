import type { Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'

/** Active goals due for a risk check; at most `limit`. */
export function goalsDueForRiskCheck(
  { all, now }: TickContext,
  limit: number,
): Promise<Row<'goals'>[]> {
  return all
    .selectFrom('goals')
    .selectAll()
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .where('risk_check_at', '<=', now)
    .orderBy('risk_check_at')
    .limit(limit)
    .execute()
}

/** Records a goal's reported risk and the next check: internal, not a change by anyone. */
export async function recordRisk(
  viewer: Viewer | TickContext,
  ids: readonly Id<'goals'>[],
  isReported: 0 | 1,
  nextAt: number,
): Promise<void> {
  if (ids.length === 0) return
  const all = 'all' in viewer ? viewer.all : accessScopeOf(viewer).all
  await all
    .updateTable('goals')
    .set({ risk_told: isReported, risk_check_at: nextAt })
    .where('id', 'in', ids)
    .execute()
}

/** Whether a goal's risk is currently recorded as reported. */
export async function isRiskReported(reader: Viewer, id: Id<'goals'>): Promise<boolean> {
  const row = await accessScopeOf(reader)
    .all.selectFrom('goals')
    .select('risk_told')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.risk_told === 1
}
