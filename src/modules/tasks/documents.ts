import type { Row } from '../../records/resource.ts'
import type { ReadContext } from '../../operations/context.ts'
import { document, type DocumentEntry, type DocumentPosition } from '../../operations/documents.ts'
import { writePlace } from '../../records/paging.ts'
import { project } from '../portfolio/access.ts'
import { task } from './access.ts'
import { tasksByKey, tasksByWords } from './access-documents.ts'
import { textOfTask } from './document-text.ts'
import { listPage } from './lists/pages.ts'

export const taskDocument = document({
  name: 'tasks',
  title: 'Task',
  about:
    'One task by its key (ENG-42) or id: fields, people, description, subtasks, links, files and the last 50 comments',
  resource: task,
  read: {
    operation: 'get_task',
    argument: 'task_id',
    with: { include: ['subtasks', 'dependencies', 'comments'] },
  },
  searchedColumns: ['tasks.key', 'tasks.title'],
  newest: (ctx, place, limit) => newest(ctx, place, limit),
  candidates,
  text: textOfTask,
})

const order = [
  { by: 'tasks.updated_at', as: 'updated_at', dir: 'desc' },
  { by: 'tasks.id', as: 'id', dir: 'desc' },
] as const
/** Maximum number of projects with matching keys whose newest tasks are offered. */
const maxProjects = 5

/** Uses the task list, which is fast for any number of tasks. */
async function newest(
  ctx: ReadContext,
  place: DocumentPosition | undefined,
  limit: number,
  project?: Row<'projects'>['id'],
): Promise<DocumentEntry[]> {
  const cursor = place && writePlace(order, { ...place })
  const { items } = await listPage(
    ctx,
    {
      filter: project === undefined ? {} : { project },
      sort: 'updated_at',
      dir: 'desc',
      body: false,
    },
    { limit, cursor },
  )
  return items.map(({ id, key, title, updated_at }) => ({ id, key, title, updated_at }))
}

async function candidates(ctx: ReadContext, text: string, limit: number): Promise<DocumentEntry[]> {
  const byKey = await tasksByKeyPrefix(ctx, text, limit)
  const ids = new Set(byKey.map((documentEntry) => documentEntry.id))
  const byWords = await tasksByWords(ctx, text, limit - byKey.length)
  return [...byKey, ...byWords.filter((byWord) => !ids.has(byWord.id))]
}

/**
 * Tasks that ENG or ENG-4 could complete to. The project, whose key comes first, is looked up first: it may not be
 * visible.
 */
async function tasksByKeyPrefix(
  ctx: ReadContext,
  text: string,
  limit: number,
): Promise<DocumentEntry[]> {
  const [, key, number] = /^([a-z][a-z0-9]{0,9})(-\d{0,9})?$/i.exec(text) ?? []
  if (key === undefined) return []
  if (number !== undefined)
    return (await project.find(ctx, key)) ? tasksByKey(ctx, text, limit) : []
  const start = key.toUpperCase()
  const projects = await project
    .visibleTo(ctx)
    .select('projects.id')
    .where('projects.key', '>=', start)
    .where('projects.key', '<', `${start}~`)
    .orderBy('projects.key')
    .limit(maxProjects)
    .execute()
  const documentEntries: DocumentEntry[] = []
  for (const { id } of projects)
    documentEntries.push(...(await newest(ctx, undefined, Math.floor(limit / maxProjects), id)))
  return documentEntries
}
