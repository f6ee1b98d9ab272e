import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { filters, filterFunction, since } from '../../operations/filters.ts'
import { operation } from '../../operations/operation.ts'
import type { Row } from '../../records/resource.ts'
import type { ItemHit } from '../../operations/search/results.ts'
import {
  answerSearch,
  searchInput,
  searchOutput,
  type KeywordHit,
} from '../../operations/search/search-operation.ts'
import type { StemSet } from '../../search/languages/stem-set.ts'
import { containsAnyStem, snippet, stemsIn } from '../../search/text.ts'
import { page } from './access.ts'
import { belowPage } from './pages/access-tree.ts'
import { pageBodyOf, outlineAt } from './content/bodies.ts'
import type { Heading } from './content/outline.ts'
import { searchablePages } from './searchable.ts'
import { ListedPage, presentPages } from './shapes.ts'

const PageHit = shape('PageHit', {
  page: ListedPage,
  section: z.string().optional(),
  score: z.number(),
  snippet: z.string(),
})

type ShownPage = z.infer<typeof ListedPage>

const searchFilters = filters('pages', {
  parent: {
    input: page.see.maybe.describe('only pages below this one'),
    where: (pages, parent) => belowPage(pages, parent),
  },
  updated_after: since('pages.updated_at'),
})

export const searchPages = operation({
  name: 'search_pages',
  searchHint: 'find in the wiki, documentation, handbook, look up a doc, knowledge base',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/pages/search',
  about: 'Search readable pages by words, with the matching section; mode=hybrid also by meaning',
  on: searchFilters.on,
  input: searchInput(searchFilters.input),
  output: searchOutput(PageHit),
  async handle({ query, mode, limit, cursor, ...filter }, ctx) {
    const search = { query, mode, limit, cursor }
    return answerSearch(ctx, search, {
      searchable: searchablePages,
      resource: page,
      narrow: await filterFunction(ctx, searchFilters, filter),
      show: presentPages,
      keywordHit,
      similarHit: async ({ shape, row, score, match }) => {
        const section = await sectionAt(ctx, row, match)
        return omitNullish({
          page: shape,
          section,
          score,
          snippet: match.snippet === '' ? shape.title : match.snippet,
        })
      },
    })
  },
})

function keywordHit({
  row,
  shape,
  score,
  query: { stems },
  texts: [doc],
}: KeywordHit<'pages', ShownPage>): z.infer<typeof PageHit> {
  const section =
    doc.part === 'item'
      ? bestSection(doc.body, outlineAt({ id: row.id }, doc.body), stems)
      : undefined
  const text = section?.text ?? doc.body
  const snippetSource =
    text !== '' &&
    (doc.title === '' ||
      section !== undefined ||
      containsAnyStem(text.slice(0, maxCharacters), stems))
      ? text
      : doc.title
  return omitNullish({
    page: shape,
    section: section ? section.heading : undefined,
    score,
    snippet: snippet(snippetSource, stems),
  })
}

/** The section with the passage nearest in meaning. */
async function sectionAt(
  ctx: ReadContext,
  page: Row<'pages'>,
  { part, start }: ItemHit,
): Promise<string | undefined> {
  if (part !== 'item' || start === undefined) return undefined
  return outlineAt(page, await pageBodyOf(ctx, page)).findLast((heading) => heading.start <= start)
    ?.heading
}

/** Characters of a text searched for the section. */
const maxCharacters = 50_000

/** The first section with the most stems; undefined if the introduction has as many, or the text's start has none. */
function bestSection(
  body: string,
  outline: readonly Heading[],
  stems: StemSet,
): { heading: string; text: string } | undefined {
  let best: { heading: string; text: string; count: number } | undefined
  for (const [i, { heading, start }] of outline.entries()) {
    if (start > maxCharacters) break
    const text = body.slice(
      start,
      Math.min(outline[i + 1]?.start ?? body.length, start + maxCharacters),
    )
    const count = countStems(text, stems)
    if (count > (best?.count ?? 0)) best = { heading, text, count }
  }
  const introCount = countStems(
    body.slice(0, Math.min(outline[0]?.start ?? 0, maxCharacters)),
    stems,
  )
  return best && best.count > introCount ? best : undefined
}

/** Counts how many of the stems occur in a text. */
function countStems(text: string, stems: StemSet): number {
  return stemsIn(text, stems).size
}
