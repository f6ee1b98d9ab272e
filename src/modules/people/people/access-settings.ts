import type { Viewer } from '../../../records/access-scope.ts'
import { accessScopeOf } from '../../../records/access-scope.ts'

/** Counts the open deals in each stage, including those in the trash, as they can be restored. */
export async function stagesInUse(viewer: Viewer): Promise<Map<string, number>> {
  const { all, actor } = accessScopeOf(viewer)
  const rows = await all
    .selectFrom('deals')
    .select((eb) => ['stage', eb.fn.countAll<number>().as('count')])
    .where('org_id', '=', actor.org_id)
    .where('status', '=', 'open')
    .groupBy('stage')
    .execute()
  return new Map(rows.map((row) => [row.stage, row.count]))
}
