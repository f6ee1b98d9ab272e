// The best hits of a search in the order of a reranker, where one is configured and answers in time.

import type { ReadContext } from '../context.ts'
import { sortHits, type ItemHit, type SearchOptions } from './results.ts'

/** Hits that are put in order. */
export const rerankedCount = 30
/** Characters of a passage that are sent. */
export const rerankedLength = 800
/** By so much scores differ at least: they are shown with six digits. */
const step = 1e-6

/** Whether the hits of a search are to be put in order. */
export function isReranked(
  ctx: Pick<ReadContext, 'searchEngine'>,
  options: SearchOptions,
): boolean {
  return options.rerank === true && ctx.searchEngine.reranker !== undefined
}

/**
 * Puts the best of the hits in the reranker's order; without its scores all stay as they are. Their own scores are dealt out anew in
 * that order, so that they stay above those of the rest, and pages follow each other.
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

/** Title and passage of a hit, as far as the caller may see it: nothing else is sent. */
function passageOf({ title, text }: ItemHit): string {
  return [title, text].filter((part) => part !== '').join('\n')
}

/** Falling scores that are all above `floor`, no two of them the same. */
function apart(falling: readonly number[], floor: number): number[] {
  const scores: number[] = []
  let below = floor
  for (const score of falling.toReversed()) {
    below = Math.max(score, below + step)
    scores.push(Math.round(below / step) * step)
  }
  return scores.toReversed().map((score) => Math.round(score * 1e6) / 1e6)
}
