import { shape } from '../../kernel/shape.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { operation } from '../../operations/operation.ts'
import { yieldOrCancel } from '../../operations/call/progress.ts'
import type { Row, Scoped } from '../../records/resource.ts'
import { requireQuery, type MatchedText } from '../../operations/search/hits.ts'
import {
  answerSearch,
  searchInput,
  searchOutput,
  type KeywordHit,
  type SimilarHit,
} from '../../operations/search/search-operation.ts'
import { contentStems } from '../../search/query.ts'
import type { StemSet } from '../../search/languages/stem-set.ts'
import { stemSimilarity, containsAnyStem, snippet } from '../../search/text.ts'
import { trust, trustOf } from '../../records/shapes.ts'
import { task } from './access.ts'
import { filterTasks, searchFilters, type TaskFilter } from './lists/filters.ts'
import { plainPlan } from './lists/plans.ts'
import { searchableTasks } from './searchable.ts'
import { ListedTask, presentTasks } from './shapes.ts'

const TaskHit = shape('TaskHit', {
  task: ListedTask,
  score: z.number(),
  trust,
  matched_in: z.array(z.enum(['title', 'description', 'comment', 'attachment'])),
  snippet: z.string(),
  is_likely_duplicate: z.boolean(),
})

type Hit = z.infer<typeof TaskHit>
type Part = Hit['matched_in'][number]
type ShownTask = Hit['task']

/** Maximum number of texts of a task shown in a hit. */
const textsPerHit = 5

export const searchTasks = operation({
  name: 'search_tasks',
  searchHint: 'find a ticket, look for an issue, duplicate ticket, is there already a bug about',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/tasks/search',
  about:
    'Search task titles, descriptions and comments by words; mode=hybrid also by meaning, such as for likely duplicates',
  on: searchFilters.on,
  input: searchInput(searchFilters.input),
  reportsProgress: true,
  output: searchOutput(TaskHit),
  async handle({ query, mode, limit, cursor, ...filters }, ctx) {
    requireQuery(query)
    const { project, ...filter } = await searchFilters.read(ctx, filters)
    const isFiltered = Object.keys(filter).length > 0
    const exactMatch = isFiltered ? undefined : await exactTask(ctx, query, project)
    const narrow = filterQuery(ctx, project === undefined ? filter : { ...filter, project })
    const reportsProgress = mode === 'keyword'
    if (reportsProgress) ctx.progress(0, 2, 'searching the word index')
    return answerSearch(
      ctx,
      { query, mode, limit, cursor },
      {
        searchable: searchableTasks,
        resource: task,
        narrow,
        containers: project === undefined ? undefined : [project],
        textsPerHit,
        exact: exactMatch && { id: exactMatch.id, hit: await hitByKey(ctx, exactMatch) },
        async show(ctx, rows) {
          await yieldOrCancel(ctx)
          if (reportsProgress) ctx.progress(1, 2, 'reading the results')
          return presentTasks(ctx, rows)
        },
        keywordHit,
        similarHit,
      },
    )
  },
})

/** The task whose key is the search text. */
async function exactTask(
  ctx: ReadContext,
  query: string,
  projectId: Row<'projects'>['id'] | undefined,
): Promise<Row<'tasks'> | undefined> {
  const match = await task.find(ctx, query.trim())
  return match && (projectId === undefined || match.project_id === projectId) ? match : undefined
}

async function hitByKey(ctx: ReadContext, task: Row<'tasks'>): Promise<Hit> {
  const [shape] = await presentTasks(ctx, [task])
  return {
    task: shape!,
    score: 1,
    ...trustOf(shape?.trust === 'external'),
    matched_in: ['title'],
    snippet: task.title,
    is_likely_duplicate: false,
  }
}

function filterQuery(ctx: ReadContext, filter: TaskFilter) {
  if (Object.keys(filter).length === 0) return undefined
  return (tasks: Scoped<'tasks'>) =>
    filterTasks(tasks, filter, { from: ctx, now: ctx.now, plan: plainPlan })
}

function keywordHit({ shape, score, query, texts }: KeywordHit<'tasks', ShownTask>): Hit {
  return {
    task: shape,
    score,
    ...trustOf(shape.trust === 'external'),
    matched_in: matchedPartsOf(texts, query.stems),
    snippet: snippetOf(texts[0], query.stems),
    is_likely_duplicate: isDuplicate(contentStems(shape.title), query.stems),
  }
}

function similarHit({ shape, score, query, match }: SimilarHit<'tasks', ShownTask>): Hit {
  const { part, snippet: text } = match
  return {
    task: shape,
    score,
    ...trustOf(shape.trust === 'external'),
    matched_in: part === 'item' ? similarParts(shape.title, match, query.stems) : [part as Part],
    snippet: text === '' ? shape.title : text,
    is_likely_duplicate: isDuplicate(contentStems(shape.title), query.stems),
  }
}

function similarParts(
  title: string,
  { snippet: text, start }: SimilarHit<'tasks', ShownTask>['match'],
  stems: StemSet,
): Part[] {
  const parts: Part[] = []
  if (containsAnyStem(title, stems) || text === '') parts.push('title')
  if (text !== '' && (start !== undefined || containsAnyStem(text, stems)))
    parts.push('description')
  return parts
}

function matchedPartsOf(docs: readonly MatchedText[], stems: StemSet): Part[] {
  const parts = docs.flatMap((doc): Part[] => {
    if (doc.part !== 'item') return [doc.part as Part]
    return [
      ...(containsAnyStem(doc.title, stems) ? (['title'] as const) : []),
      ...(containsAnyStem(doc.body, stems) ? (['description'] as const) : []),
    ]
  })
  return [...new Set(parts)]
}

function snippetOf(doc: MatchedText, stems: StemSet): string {
  return snippet(
    doc.body !== '' && (doc.title === '' || containsAnyStem(doc.body, stems))
      ? doc.body
      : doc.title,
    stems,
  )
}

/** True if two titles are nearly equal: at most a fifth of the words differ, or one contains the other. */
function isDuplicate(title: ReadonlySet<string>, queryWords: ReadonlySet<string>): boolean {
  const similarity = stemSimilarity(title, queryWords)
  const shared = title.intersection(queryWords).size
  return (
    similarity >= 0.8 ||
    (shared >= 3 && similarity >= 0.6 && shared === Math.min(title.size, queryWords.size))
  )
}
