// Sorts the best hits of a search with a reranker, if one is configured and answers in time.

import type { ReadContext } from '../context.ts'
import { sortHits, type ItemHit, type SearchOptions } from './results.ts'

/** Number of hits that are reranked. */
export const rerankedCount = 30
/** Maximum characters of a passage sent to the reranker. */
export const rerankedLength = 800
/** Minimum difference of scores, which are shown with six digits. */
const step = 1e-6

/** True if the hits of a search should be reranked. */
export function isReranked(
  ctx: Pick<ReadContext, 'searchEngine'>,
  options: SearchOptions,
): boolean {
  return options.rerank === true && ctx.searchEngine.reranker !== undefined
}

/**
 * Sorts the best hits in the reranker's order; without its scores they stay as they are. Redistributes their own
 * scores in that order, so that they stay above the remaining hits and pages are consistent.
 */
export async function reranked(
  ctx: Pick<ReadContext, 'searchEngine'>,
  options: SearchOptions,
  hits: readonly ItemHit[],
): Promise<ItemHit[]> {
  const sorted = sortHits([...hits])
  const [best, rest] = [sorted.slice(0, rerankedCount), sorted.slice(rerankedCount)]
  if (best.length < 2) return sorted
  const scores = await ctx.searchEngine.reranker?.scores(
    options.query.text,
    best.map(passageOf),
    options.page?.cursor === undefined,
  )
  if (!scores) return sorted
  const order = best
    .map((hit, i) => ({ hit, by: scores[i] ?? 0 }))
    .sort((entry, other) => other.by - entry.by)
  const dealt = apart(
    best.map((hit) => hit.score),
    rest[0]?.score ?? 0,
  )
  return sortHits([
    ...order.map(({ hit }, i) => ({ ...hit, score: dealt[i] ?? hit.score })),
    ...rest,
  ])
}

/** Title and passage of a hit, limited to visible content: nothing else is sent. */
function passageOf({ title, text }: ItemHit): string {
  return [title, text].filter((part) => part !== '').join('\n')
}

/** Descending, distinct scores that are all above `floor`. */
function apart(falling: readonly number[], floor: number): number[] {
  const scores: number[] = []
  let below = floor
  for (const score of falling.toReversed()) {
    below = Math.max(score, below + step)
    scores.push(Math.round(below / step) * step)
  }
  return scores.toReversed().map((score) => Math.round(score * 1e6) / 1e6)
}
