/** Documents, questions, and a grade of relevance per question and document. */
export interface Collection {
  docs: {
    id: string
    title: string
    text: string
    scope?: string
    links?: (string | { to: string; kind: string })[]
  }[]
  queries: { id: string; text: string; scope?: string; kind?: string }[]
  qrels: Record<string, Record<string, number>>
}

export interface Score {
  ndcg: number
  recall: number
  mrr: number
}

/**
 * nDCG@10 with gains of 2^grade - 1, Recall@100 and MRR@10, each averaged over the questions.
 * @param rankings the results of each question, best first, in the order of the questions
 */
export function score(
  queries: readonly { id: string }[],
  qrels: Collection['qrels'],
  rankings: readonly (readonly string[])[],
): Score {
  const all = queries.map(({ id }, i) => scoreOne(qrels[id] ?? {}, rankings[i] ?? []))
  const mean = (metric: keyof Score) =>
    all.reduce((sum, item) => sum + item[metric], 0) / all.length
  return { ndcg: mean('ndcg'), recall: mean('recall'), mrr: mean('mrr') }
}

function scoreOne(grades: Record<string, number>, ranking: readonly string[]): Score {
  const gains = [...new Set(ranking)].slice(0, 100).map((id) => 2 ** (grades[id] ?? 0) - 1)
  const wanted = Object.values(grades)
    .map((grade) => 2 ** grade - 1)
    .filter((gain) => gain > 0)
  if (wanted.length === 0) return { ndcg: 0, recall: 0, mrr: 0 }
  const first = gains.findIndex((gain) => gain > 0)
  return {
    ndcg: discounted(gains) / discounted(wanted.sort((a, b) => b - a)),
    recall: gains.filter((gain) => gain > 0).length / wanted.length,
    mrr: first >= 0 && first < 10 ? 1 / (first + 1) : 0,
  }
}

function discounted(gains: readonly number[]): number {
  return gains.slice(0, 10).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0)
}
