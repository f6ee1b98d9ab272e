import type { Row } from '../../../records/resource.ts'
import { withTrash, type Viewer } from '../../../records/access-scope.ts'

/**
 * An organization's changes since a moment, newest first, or those of one item; visibility is checked by the caller.
 */
export function pastChanges(
  viewer: Viewer,
  since: number,
  limit: number,
  itemId?: string,
): Promise<Row<'changes'>[]> {
  const { all, actor } = withTrash(viewer)
  const query = all.selectFrom('changes').selectAll().where('org_id', '=', actor.org_id)
  if (itemId !== undefined)
    return query.where('item_id', '=', itemId).orderBy('seq', 'desc').limit(limit).execute()
  return query
    .where('at', '>=', since)
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
}
