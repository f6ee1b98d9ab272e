// The queries that find tasks by words of their titles.
import { sql, type SqlBool } from 'kysely'
import type { DocumentEntry } from '../../../operations/documents.ts'
import { equalsText } from '../../../db/text-conditions.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../../records/access-scope.ts'
import { aclToken } from '../../../search/index.ts'
import { matchingRowids } from '../../../search/beside.ts'
import { indexWord } from '../../../search/scripts/index-text.ts'
import { lowerCaseWords } from '../../../search/tokens.ts'
import { project } from '../../portfolio/access.ts'

const columns = ['tasks.id', 'tasks.key', 'tasks.title', 'tasks.updated_at'] as const

/** Letters of a word that are matched: its indexed stem may be shorter than the word. */
const matchedLetters = 4
/** Above this number of projects, search hits are checked against the visible projects afterwards. */
const maxProjects = 300

/**
 * The newest tasks visible to the caller with words in their titles that start like all of these. The index contains
 * stems only, so callers must check the titles.
 */
export async function tasksByWords(
  viewer: Viewer,
  text: string,
  limit: number,
): Promise<DocumentEntry[]> {
  const words = lowerCaseWords(text)
    .slice(0, 8)
    .map((word) => `title : "${indexWord(word.slice(0, matchedLetters))}"*`)
  const projects = await project
    .visibleTo(viewer)
    .select('projects.id')
    .limit(maxProjects + 1)
    .execute()
  if (words.length === 0 || projects.length === 0 || limit <= 0) return []
  const projectCondition =
    projects.length > maxProjects
      ? []
      : [`acl : (${projects.map((item) => `"${aclToken(item.id, 'task')}"`).join(' OR ')})`]
  const tasks = sql`cross join search_docs as t where search_fts match ${[...projectCondition, ...words].join(' AND ')} and t.rowid_ = search_fts.rowid and t.part = 'item' and t.item_type = 'task'`
  const newest = sql<{
    rowid_: number
  }>`select search_fts.rowid as rowid_ from search_fts ${tasks} order by search_fts.rowid desc limit ${2 * limit}`
  const s = accessScopeOf(viewer)
  const hits = await matchingRowids(s.all, newest)
  return s.all
    .selectFrom(hits.as('h'))
    .crossJoin('search_docs as d')
    .crossJoin('tasks')
    .where(sql<SqlBool>`d.rowid_ = h.rowid_ and tasks.id = d.item_id and tasks.deleted_at is null`)
    .where(project.lists(s, 'tasks.project_id'))
    .select(columns)
    .limit(limit)
    .execute()
}

/** Maximum number of tasks compared with a title. */
const maxTitled = 500

/** Tasks with a title. Those in the trash are few and scanned, because the index does not contain them. */
export async function tasksTitled(
  rows: Scoped<'tasks'>,
  text: string,
  scope: AccessScope,
): Promise<Scoped<'tasks'> | undefined> {
  if (scope.trash) return rows.where(equalsText('tasks.title', text))
  const matches = await tasksByWords(scope, text, maxTitled)
  const same = matches.filter(
    (documentEntry) => documentEntry.title.toLowerCase() === text.toLowerCase(),
  )
  return same.length === 0 ? undefined : rows.where('tasks.id', 'in', taskEntryIds(same))
}

/** Tasks whose titles contain all words of a title, else its longest words. */
export async function tasksLike(
  rows: Scoped<'tasks'>,
  text: string,
  accessScope: AccessScope,
): Promise<Scoped<'tasks'> | undefined> {
  const significantWords = lowerCaseWords(text)
    .sort((a, b) => b.length - a.length)
    .slice(0, 2)
  for (const words of [text, ...significantWords]) {
    const matches = await tasksByWords(accessScope, words, 20)
    if (matches.length > 0) return rows.where('tasks.id', 'in', taskEntryIds(matches))
  }
  return undefined
}

const taskEntryIds = (entries: readonly DocumentEntry[]) =>
  entries.map((entry) => entry.id as Row<'tasks'>['id'])
