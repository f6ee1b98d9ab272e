import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, pageOf, paging } from '../../../kernel/fields.ts'
import { findItems, groundOf, type FoundHit } from '../../../operations/search.ts'
import {
  byWordsAlone,
  foundMatching,
  pageOfHits,
  Searched,
  searchedBy,
  searchMode,
  textsFound,
  type FoundItem,
} from '../../../search/hits.ts'
import { operation } from '../../../operations/operation.ts'
import { shown } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { instant } from '../../../kernel/time/times.ts'
import { contentStems, mentions, snippet, stemsOf } from '../../../search/text.ts'
import { page } from '../access.ts'
import { below } from './access-tree.ts'
import { bodyOf, outlineAt } from '../content/bodies.ts'
import { foundPages } from '../search-sources.ts'
import type { Heading } from '../content/outline.ts'
import { ListedPage, showPages } from '../shapes.ts'

const PageHit = z.strictObject({
  page: ListedPage,
  section: z.string().optional(),
  score: z.number(),
  snippet: z.string(),
})

export const searchPages = operation({
  name: 'search_pages',
  searchHint: 'find in the wiki, documentation, handbook, look up a doc, knowledge base',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/pages/search',
  about: 'Search readable pages by words or meaning with the matching section',
  on: { parent: page.see.maybe.describe('only pages below this one') },
  input: {
    query: z
      .string()
      .min(1)
      .max(2000)
      .describe('words in any form and order; "quoted phrases" match exactly'),
    mode: searchMode(),
    updated_after: datetime().optional(),
    ...paging,
  },
  output: pageOf(PageHit).extend({ searched: Searched }),
  async handle({ parent, query, mode, updated_after, limit, cursor }, ctx) {
    const since =
      updated_after === undefined
        ? undefined
        : instant(updated_after, ctx.actor.timezone, 'start', 'updated_after')
    const narrow = parent || since !== undefined ? { narrow: narrowing(parent, since) } : {}
    if (mode !== 'keyword') {
      const only = narrow.narrow && new Map([[foundPages.kind, narrow.narrow as never]])
      const like = await findItems(ctx, {
        query,
        mode,
        kinds: [foundPages],
        ...(only ? { only } : {}),
      })
      const page = pageOfHits(like.hits, { limit, cursor })
      return { ...shown(page, await showLike(ctx, page.items)), searched: searchedBy(like) }
    }
    const { items: found, bound } = await foundMatching(ctx, query, {
      resource: page,
      containers: (await groundOf(ctx, foundPages)).containers,
      ...narrow,
    })
    const hits = pageOfHits(found, { limit, cursor })
    return { ...shown(hits, await showHits(ctx, hits.items, query)), searched: byWordsAlone(bound) }
  },
})

function narrowing(parent: Row<'pages'> | undefined, since: number | undefined) {
  return (pages: ReturnType<typeof page.seen>) => {
    const under = parent ? below(pages, parent.id) : pages
    return since === undefined ? under : under.where('pages.updated_at', '>=', since)
  }
}

async function showHits(
  ctx: ReadContext,
  found: readonly FoundItem[],
  query: string,
): Promise<z.infer<typeof PageHit>[]> {
  const rows = await page.among(
    ctx,
    found.map((one) => one.id),
  )
  const shapes = new Map((await showPages(ctx, [...rows.values()])).map((one) => [one.id, one]))
  const docs = await textsFound(
    ctx,
    found.map((one) => one.texts[0]!),
  )
  const stems = contentStems(query)
  return found.flatMap((one) => {
    const [shape, doc] = [shapes.get(one.id), docs.get(one.texts[0]!.rowid_)]
    if (!shape || !doc) return []
    const section =
      doc.part === 'item'
        ? sectionWith(doc.body, outlineAt({ id: one.id as Row<'pages'>['id'] }, doc.body), stems)
        : undefined
    const text = section?.text ?? doc.body
    const around =
      text !== '' &&
      (doc.title === '' || section !== undefined || mentions(text.slice(0, mostLooked), stems))
        ? text
        : doc.title
    return [
      {
        page: shape,
        ...(section ? { section: section.heading } : {}),
        score: one.score,
        snippet: snippet(around, stems),
      },
    ]
  })
}

async function showLike(
  ctx: ReadContext,
  hits: readonly FoundHit[],
): Promise<z.infer<typeof PageHit>[]> {
  const shapes = new Map(
    (
      await showPages(
        ctx,
        hits.map((one) => one.row as unknown as Row<'pages'>),
      )
    ).map((one) => [one.id, one]),
  )
  const found: z.infer<typeof PageHit>[] = []
  for (const hit of hits) {
    const shape = shapes.get(hit.id)
    if (!shape) continue
    const section = await sectionAt(ctx, hit)
    found.push({
      page: shape,
      ...(section === undefined ? {} : { section }),
      score: hit.score,
      snippet: hit.snippet === '' ? shape.title : hit.snippet,
    })
  }
  return found
}

/** The section that the passage is in which is nearest in meaning. */
async function sectionAt(
  ctx: ReadContext,
  { row, part, start }: FoundHit,
): Promise<string | undefined> {
  if (part !== 'item' || start === undefined) return undefined
  const page = row as unknown as Row<'pages'>
  return outlineAt(page, await bodyOf(ctx, page)).findLast((one) => one.start <= start)?.heading
}

/** Characters of a text in which the section is looked for. */
const mostLooked = 50_000

/** The first of the sections that have most of the words; undefined where they stand before any heading, or nowhere near the beginning. */
function sectionWith(
  body: string,
  outline: readonly Heading[],
  stems: ReadonlySet<string>,
): { heading: string; text: string } | undefined {
  let best: { heading: string; text: string; count: number } | undefined
  for (const [i, { heading, start }] of outline.entries()) {
    if (start > mostLooked) break
    const text = body.slice(
      start,
      Math.min(outline[i + 1]?.start ?? body.length, start + mostLooked),
    )
    const count = wordsIn(text, stems)
    if (count > (best?.count ?? 0)) best = { heading, text, count }
  }
  const intro = wordsIn(body.slice(0, Math.min(outline[0]?.start ?? 0, mostLooked)), stems)
  return best && best.count > intro ? best : undefined
}

/** How many of the stems are in a text. */
function wordsIn(text: string, stems: ReadonlySet<string>): number {
  return stems.intersection(new Set(stemsOf(text))).size
}
