// Queries that complete task ids in addresses.
import type { DocumentEntry } from '../../operations/documents.ts'
import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'
import { task } from './access.ts'

export { tasksByWords } from './lists/access-titles.ts'

const columns = ['tasks.id', 'tasks.key', 'tasks.title', 'tasks.updated_at'] as const

/** Tasks visible to the caller whose keys start with a text such as ENG-4, ordered by key. */
export async function tasksByKey(
  viewer: Viewer,
  text: string,
  limit: number,
): Promise<DocumentEntry[]> {
  const start = text.toUpperCase()
  const { org_id } = accessScopeOf(viewer).actor
  return task
    .visibleTo(viewer)
    .select(columns)
    .where('tasks.org_id', '=', org_id)
    .where('tasks.key', '>=', start)
    .where('tasks.key', '<', `${start}~`)
    .orderBy('tasks.key')
    .limit(limit)
    .execute()
}
