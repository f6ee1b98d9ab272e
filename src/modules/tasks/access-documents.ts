// The queries that complete the id of a task's address.
import { sql, type SqlBool } from 'kysely'
import type { DocumentEntry } from '../../core/documents.ts'
import { sightOf, type Seer } from '../../core/sight.ts'
import { aclToken } from '../../search/index.ts'
import { wordsOf } from '../../search/text.ts'
import { project } from '../projects/access.ts'
import { task } from './access.ts'

const shown = ['tasks.id', 'tasks.key', 'tasks.title', 'tasks.updated_at'] as const

/** Tasks that the caller sees whose keys begin with a text such as ENG-4, in the order of their keys. */
export async function tasksByKey(from: Seer, text: string, limit: number): Promise<DocumentEntry[]> {
  const start = text.toUpperCase()
  const { org_id } = sightOf(from).actor
  return task.seen(from).select(shown).where('tasks.org_id', '=', org_id).where('tasks.key', '>=', start).where('tasks.key', '<', `${start}~`).orderBy('tasks.key').limit(limit).execute()
}

/** Letters of a word that are looked up: its stem in the index may end before the word does. */
const sure = 4
/** Of more projects than this the tasks found are held against all of them afterwards. */
const mostProjects = 300

/**
 * The newest tasks that the caller sees with titles in which words like all of these may begin: the index knows stems only,
 * so whoever asks has to look at the titles.
 */
export async function tasksByWords(from: Seer, text: string, limit: number): Promise<DocumentEntry[]> {
  const words = wordsOf(text).slice(0, 8).map(word => `title : "${word.slice(0, sure)}"*`)
  const projects = await project.seen(from).select('projects.id').limit(mostProjects + 1).execute()
  if (words.length === 0 || projects.length === 0 || limit <= 0) return []
  const where = projects.length > mostProjects ? [] : [`acl : (${projects.map(one => `"${aclToken(one.id, 'task')}"`).join(' OR ')})`]
  const tasks = sql`cross join search_docs as t where search_fts match ${[...where, ...words].join(' AND ')} and t.rowid_ = search_fts.rowid and t.part = 'item' and t.item_type = 'task'`
  const hits = sql`(select search_fts.rowid as rowid_ from search_fts ${tasks} order by search_fts.rowid desc limit ${2 * limit})`
  const s = sightOf(from)
  return s.all
    .selectFrom(hits.as('h'))
    .crossJoin('search_docs as d')
    .crossJoin('tasks')
    .where(sql<SqlBool>`d.rowid_ = h.rowid_ and tasks.id = d.item_id and tasks.deleted_at is null`)
    .where(project.lists(s, 'tasks.project_id'))
    .select(shown)
    .limit(limit)
    .execute()
}
