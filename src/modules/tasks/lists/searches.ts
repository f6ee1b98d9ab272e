import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { pageOf, paging } from '../../../kernel/fields.ts'
import { findItems, type FoundHit } from '../../../operations/search.ts'
import {
  byItem,
  byWordsAlone,
  mostContainers,
  pageOfHits,
  Searched,
  searchedBy,
  searchMode,
  textsFound,
  type FoundItem,
  type SearchMode,
} from '../../../search/hits.ts'
import { operation } from '../../../operations/operation.ts'
import { shown } from '../../../records/paging.ts'
import { stopIfGone } from '../../../operations/call/progress.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { contentStems, likeness, mentions, snippet, termsOf } from '../../../search/text.ts'
import { project } from '../../portfolio/access.ts'
import { task } from '../access.ts'
import { searchedTexts, type SearchedText } from './access-lists.ts'
import { filterInput, filterNeeds, filterOf, filterTasks, type TaskFilter } from './filters.ts'
import { foundTasks } from '../search-sources.ts'
import { ListedTask, showTasks } from '../shapes.ts'

const TaskHit = z.strictObject({
  task: ListedTask,
  score: z.number(),
  matched_in: z.array(z.enum(['title', 'description', 'comment', 'attachment'])),
  snippet: z.string(),
  is_likely_duplicate: z.boolean(),
})

const { project: inProject, assignee } = filterNeeds

export const searchTasks = operation({
  name: 'search_tasks',
  searchHint: 'find a ticket, look for an issue, duplicate ticket, is there already a bug about',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/tasks/search',
  about:
    'Word and meaning search over task titles, descriptions and comments with snippets; also finds likely duplicates before creating',
  on: { project: inProject, assignee },
  input: {
    query: z
      .string()
      .min(1)
      .max(2000)
      .describe('words in any form and order; "quoted phrases" match exactly'),
    mode: searchMode(),
    status_category: filterInput.status_category,
    ...paging,
  },
  reportsProgress: true,
  output: pageOf(TaskHit).extend({ searched: Searched }),
  async handle({ query, mode, limit, cursor, ...filters }, ctx) {
    const terms = termsOf(query)
    if (terms.any.length === 0) throw invalid('query', 'the query contains no searchable words.')
    const { project: of, ...filter } = await filterOf(ctx, filters)
    const named = Object.keys(filter).length === 0 ? await taskNamed(ctx, query, of) : undefined
    const first = named && cursor === undefined ? [await hitByKey(ctx, named)] : []
    const rest = { limit: limit - first.length, cursor }
    if (mode !== 'keyword') {
      const found = await byMeaning(ctx, {
        query,
        mode,
        narrow: narrowing(ctx, { ...filter, ...(of === undefined ? {} : { project: of }) }),
      })
      const page = pageOfHits(
        found.hits.filter((one) => one.id !== named?.id),
        rest,
      )
      return {
        ...shown(page, [...first, ...(await showLike(ctx, page.items, query))]),
        searched: searchedBy(found),
      }
    }
    const containers = of === undefined ? await containersOf(ctx) : [of]
    ctx.progress(0, 2, 'searching the word index')
    const { texts, bound } =
      containers?.length === 0
        ? { texts: [], bound: undefined }
        : await searchedTexts(ctx, terms, containers, narrowing(ctx, filter))
    await stopIfGone(ctx)
    ctx.progress(1, 2, 'reading the results')
    const page = pageOfHits(
      byItem(texts, (one) => one.task_id).filter((one) => one.id !== named?.id),
      rest,
    )
    return {
      ...shown(page, [...first, ...(await showHits(ctx, page.items, query))]),
      searched: byWordsAlone(bound),
    }
  },
})

async function byMeaning(
  ctx: ReadContext,
  {
    query,
    mode,
    narrow,
  }: { query: string; mode: SearchMode; narrow: ReturnType<typeof narrowing> },
) {
  const only = narrow && new Map([[foundTasks.kind, narrow as never]])
  return findItems(ctx, { query, mode, kinds: [foundTasks], ...(only ? { only } : {}) })
}

async function showLike(
  ctx: ReadContext,
  hits: readonly FoundHit[],
  query: string,
): Promise<z.infer<typeof TaskHit>[]> {
  const shapes = new Map(
    (
      await showTasks(
        ctx,
        hits.map((one) => one.row as unknown as Row<'tasks'>),
      )
    ).map((one) => [one.id, one]),
  )
  const stems = contentStems(query)
  return hits.flatMap(({ id, score, part, snippet: text, start }) => {
    const shape = shapes.get(id)
    if (!shape) return []
    const inItem: Part[] = [
      ...(mentions(shape.title, stems) || text === '' ? (['title'] as const) : []),
      ...(text !== '' && (start !== undefined || mentions(text, stems))
        ? (['description'] as const)
        : []),
    ]
    return [
      {
        task: shape,
        score,
        matched_in: part === 'item' ? inItem : [part as Part],
        snippet: text === '' ? shape.title : text,
        is_likely_duplicate: isDuplicate(contentStems(shape.title), stems),
      },
    ]
  })
}

/** The task whose key is what was searched for. */
async function taskNamed(
  ctx: ReadContext,
  query: string,
  projectId: string | undefined,
): Promise<Row<'tasks'> | undefined> {
  const named = await task.find(ctx, query.trim())
  return named && (projectId === undefined || named.project_id === projectId) ? named : undefined
}

async function hitByKey(ctx: ReadContext, named: Row<'tasks'>): Promise<z.infer<typeof TaskHit>> {
  const [shape] = await showTasks(ctx, [named])
  return {
    task: shape!,
    score: 1,
    matched_in: ['title'],
    snippet: named.title,
    is_likely_duplicate: false,
  }
}

async function containersOf(ctx: ReadContext): Promise<string[] | undefined> {
  const rows = await project
    .seen(ctx)
    .select('projects.id')
    .limit(mostContainers + 1)
    .execute()
  return rows.length > mostContainers ? undefined : rows.map((row) => row.id)
}

function narrowing(ctx: ReadContext, filter: TaskFilter) {
  if (Object.keys(filter).length === 0) return undefined
  return (tasks: Parameters<typeof filterTasks>[1]) =>
    filterTasks(ctx, tasks, filter, ctx.now, {
      drive: 'project',
      fewOfPerson: false,
      fewOfLabel: false,
    })
}

type Found = FoundItem<SearchedText>

/** Texts of a task that a hit is shown by. */
const mostTexts = 5

async function showHits(
  ctx: ReadContext,
  found: readonly Found[],
  query: string,
): Promise<z.infer<typeof TaskHit>[]> {
  const rows = await task.among(
    ctx,
    found.map((one) => one.id),
  )
  const shapes = new Map((await showTasks(ctx, [...rows.values()])).map((one) => [one.id, one]))
  const docs = await textsFound(
    ctx,
    found.flatMap((one) => one.texts.slice(0, mostTexts)),
  )
  const stems = contentStems(query)
  return found.flatMap((one) => {
    const shape = shapes.get(one.id)
    const texts = one.texts.slice(0, mostTexts).flatMap((text) => docs.get(text.rowid_) ?? [])
    if (!shape || texts.length === 0) return []
    return [
      {
        task: shape,
        score: one.score,
        matched_in: partsOf(texts, stems),
        snippet: snippetOf(texts[0]!, stems),
        is_likely_duplicate: isDuplicate(contentStems(shape.title), stems),
      },
    ]
  })
}

type Doc = NonNullable<ReturnType<Awaited<ReturnType<typeof textsFound>>['get']>>
type Part = z.infer<typeof TaskHit>['matched_in'][number]

function partsOf(docs: readonly Doc[], stems: ReadonlySet<string>): Part[] {
  const parts = docs.flatMap((doc): Part[] => {
    if (doc.part !== 'item') return [doc.part as Part]
    return [
      ...(mentions(doc.title, stems) ? (['title'] as const) : []),
      ...(mentions(doc.body, stems) ? (['description'] as const) : []),
    ]
  })
  return [...new Set(parts)]
}

function snippetOf(doc: Doc, stems: ReadonlySet<string>): string {
  return snippet(
    doc.body !== '' && (doc.title === '' || mentions(doc.body, stems)) ? doc.body : doc.title,
    stems,
  )
}

/** Titles that say nearly the same: the same words but for a fifth, or one of them inside the other. */
function isDuplicate(title: ReadonlySet<string>, asked: ReadonlySet<string>): boolean {
  const alike = likeness(title, asked)
  const shared = title.intersection(asked).size
  return (
    alike >= 0.8 || (shared >= 3 && alike >= 0.6 && shared === Math.min(title.size, asked.size))
  )
}
