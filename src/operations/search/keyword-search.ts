import { rangesOf, snippet, stemsIn } from '../../search/text.ts'
import { countByType } from '../../search/ranker.ts'
import type { ReadContext } from '../context.ts'
import { matchedTexts, matchItems, type ItemMatch, type MatchedText } from './hits.ts'
import type { NarrowedKind } from './narrowed-kinds.ts'
import type { VisibleRow } from './narrow.ts'
import {
  maxHits,
  sortHits,
  type ItemHit,
  type SearchOptions,
  type SearchResults,
} from './results.ts'

/** Searches by words on the main thread if the search thread cannot answer. */
export async function searchByKeyword(
  ctx: ReadContext,
  options: SearchOptions,
  kinds: readonly NarrowedKind[],
  note: string,
): Promise<SearchResults> {
  const hits: ItemHit[] = []
  for (const kind of kinds) hits.push(...(await hitsOfKind(ctx, options, kind)))
  const best = sortHits(hits).slice(0, options.limit ?? maxHits)
  const counts = countByType(best.map((hit) => hit.searchable.kind))
  return { hits: best, countByType: counts, by: 'words', note, pending: 0 }
}

async function hitsOfKind(
  ctx: ReadContext,
  {
    query,
    except,
    each = false,
    limit = maxHits,
    after = -Infinity,
    before = Infinity,
  }: SearchOptions,
  { kind, containers, narrow }: NarrowedKind,
): Promise<ItemHit[]> {
  const { resource } = kind
  const matches = await matchItems(ctx, query, { resource, type: kind.kind, containers, narrow })
  const items = matches.items.filter((item) => item.id !== except).slice(0, limit)
  const rows = await resource.among(
    ctx,
    items.map((item) => item.id),
  )
  const texts = items.flatMap((item: ItemMatch) => (each ? item.texts : item.texts.slice(0, 1)))
  const docs = await matchedTexts(ctx, texts)
  const best = texts.reduce((highest, text) => Math.max(highest, text.score), 0)
  return texts.flatMap(({ item_id, rowid_, score }) => {
    const [row, doc] = [rows.get(item_id), docs.get(rowid_)]
    if (!row || !doc || doc.at < after || doc.at > before) return []
    return [
      {
        ...keywordHit(query, doc),
        id: each ? doc.ref : item_id,
        searchable: kind,
        row: row as VisibleRow['row'],
        score: best > 0 ? Math.round((score / best) * 1e6) / 1e6 : 1,
      },
    ]
  })
}

function keywordHit(
  { stems, words }: SearchOptions['query'],
  doc: MatchedText,
): Omit<ItemHit, 'id' | 'searchable' | 'row' | 'score'> {
  const excerpt = snippet(doc.body || doc.title, stems)
  const present = [...stemsIn(`${doc.title} ${excerpt}`, stems)]
  return {
    foundBy: ['keyword'],
    via: [],
    terms: present.map((stem) => words.get(stem) ?? stem),
    part: doc.part,
    ref: doc.ref,
    title: doc.title,
    text: '',
    start: undefined,
    nearness: 0,
    distanceFromRest: 0,
    coverage: present.length / stems.size,
    snippet: excerpt,
    ranges: rangesOf(excerpt, stems),
    at: doc.at,
  }
}
