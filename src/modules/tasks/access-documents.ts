// The queries that complete the id of a task's address.
import type { DocumentEntry } from '../../operations/documents.ts'
import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'
import { task } from './access.ts'

export { tasksByWords } from './lists/access-titles.ts'

const columns = ['tasks.id', 'tasks.key', 'tasks.title', 'tasks.updated_at'] as const

/** Tasks that the caller sees whose keys begin with a text such as ENG-4, in the order of their keys. */
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
