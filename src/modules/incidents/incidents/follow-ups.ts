import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { task } from '../../tasks/access.ts'

/** Maximum number of follow-up tasks in an answer. */
export const maxFollowUps = 500

/** Tasks created from a visible incident, manually or by its runbooks, if visible to the caller. */
export function followUps(
  ctx: ReadContext,
  id: Id<'incidents'>,
  limit = maxFollowUps,
): Promise<Row<'tasks'>[]> {
  return task
    .visibleTo(ctx)
    .selectAll('tasks')
    .where('tasks.source_id', '=', id)
    .where('tasks.source_type', '=', 'incident')
    .orderBy('tasks.id')
    .limit(limit)
    .execute()
}
