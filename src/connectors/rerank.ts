// Scores passages by how well they answer a query, with a server that supports `POST /v1/rerank` like Cohere, Jina,
// llama.cpp and vLLM, or `POST /rerank` like text-embeddings-inference.

import type { SendRequest } from './embeddings.ts'

export interface RerankEndpoint {
  /**
   * With or without /v1 at its end; an address ending in /rerank is used unchanged, with the
   * text-embeddings-inference format unless a version precedes it.
   */
  url: string
  /** Empty for the server's default. */
  model: string
  key: string | undefined
}

/** Reason for missing scores. The server's message is not repeated: it may quote the texts. */
export class RerankFailure extends Error {
  readonly kind: 'refused' | 'failed' | 'malformed'

  constructor(why: RerankFailure['kind'], message: string) {
    super(message)
    this.kind = why
  }
}

/** Scores of some passages, in order; higher is better. @throws RerankFailure, and any error of `send` */
export async function rerank(
  send: SendRequest,
  endpoint: RerankEndpoint,
  query: string,
  passages: readonly string[],
): Promise<number[]> {
  const { model, key } = endpoint
  const url = rerankUrlOf(endpoint.url)
  const texts = passages.map((text) => text.toWellFormed())
  const input = isVersioned(url)
    ? { documents: texts, top_n: texts.length }
    : { texts, truncate: true }
  const answer = await send(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      ...(model === '' ? {} : { model }),
      query: query.toWellFormed(),
      ...input,
    }),
  })
  if (answer.status !== 200) throw rerankRefusalOf(answer.status)
  if (answer.isTruncated) throw malformed('it is too long')
  return scoresIn(answer.body, texts.length)
}

function rerankUrlOf(url: string): string {
  const base = url.replace(/\/+$/, '')
  if (base.endsWith('/rerank')) return base
  return /\/v\d+$/.test(base) ? `${base}/rerank` : `${base}/v1/rerank`
}

const isVersioned = (url: string) => /\/v\d+\/rerank$/.test(url)

function rerankRefusalOf(status: number): RerankFailure {
  if (status === 401 || status === 403)
    return new RerankFailure(
      'refused',
      `The reranker does not accept the key (${status}). It is read from --rerank-key-file, or WORKSPACE_RERANK_KEY.`,
    )
  if (status === 404)
    return new RerankFailure(
      'refused',
      'The reranker has no such model, or does not accept passages at this address (404). Check --rerank-model and --rerank-url; for text-embeddings-inference the address ends in /rerank.',
    )
  if (status === 429 || status >= 500)
    return new RerankFailure('failed', `The reranker failed or asks to slow down (${status}).`)
  return new RerankFailure(
    'refused',
    `The reranker did not accept the request (${status}). Check --rerank-model and --rerank-url.`,
  )
}

const malformed = (what: string) =>
  new RerankFailure('malformed', `The answer of the reranker is not a list of scores: ${what}.`)

function scoresIn(body: Buffer, passages: number): number[] {
  const results = resultsIn(body)
  const scores: number[] = []
  for (const result of results) {
    const {
      index,
      relevance_score,
      score = relevance_score,
    } = (result ?? {}) as {
      index?: unknown
      relevance_score?: unknown
      score?: unknown
    }
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= passages)
      throw malformed('an index matches no passage')
    if (scores[index] !== undefined) throw malformed('a passage has two scores')
    if (typeof score !== 'number' || !Number.isFinite(score))
      throw malformed('a score is not a number')
    scores[index] = score
  }
  if (results.length !== passages)
    throw malformed(`${results.length} scores for ${passages} passages`)
  return scores
}

/** A bare list, or one under a key. */
function resultsIn(body: Buffer): unknown[] {
  let answer: unknown
  try {
    answer = JSON.parse(body.toString('utf8'))
  } catch {
    throw malformed('it is not JSON')
  }
  const { results, data } = (answer ?? {}) as { results?: unknown; data?: unknown }
  const list = [answer, results, data].find((value) => Array.isArray(value))
  if (!list) throw malformed('it has no “results”')
  return list as unknown[]
}
