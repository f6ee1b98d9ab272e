// Serializes searches between the search engine and its thread as JSON. Cloning a hundred small
// objects costs both threads ten times as much as the same data as text.

import { parseQuery } from './query.ts'
import type { QueryVector, RankRequest, Request, SearchRequest } from './worker/protocol.ts'

type JsonRequest = Extract<Request, { do: 'search' | 'rank' }>

/** A request as it is posted to the thread; a search or ranking as JSON. */
export type PostedRequest =
  | Exclude<Request, JsonRequest>
  | { do: 'search'; json: string; vector: QueryVector | undefined }
  | { do: 'rank'; requestId: number; json: string }

/** A posted answer; for a search or a ranking as JSON. */
export type PostedAnswer = { answer: unknown } | { json: string }

export function encodeRequest(request: Request): PostedRequest {
  switch (request.do) {
    case 'search': {
      const { query, vector, ...search } = request.search
      return { do: 'search', json: JSON.stringify({ ...search, text: query.text }), vector }
    }
    case 'rank':
      return { do: 'rank', requestId: request.requestId, json: JSON.stringify(request.rank) }
    default:
      return request
  }
}

export function decodeRequest(posted: PostedRequest): Request {
  if (posted.do === 'search') {
    const { text, ...search } = JSON.parse(posted.json) as Omit<SearchRequest, 'query'> & {
      text: string
    }
    return {
      do: 'search',
      search: { ...search, query: parseQuery(text), vector: posted.vector },
    }
  }
  if (posted.do === 'rank')
    return { do: 'rank', requestId: posted.requestId, rank: JSON.parse(posted.json) as RankRequest }
  return posted
}

export function encodeAnswer({ do: kind }: Request, answer: unknown): PostedAnswer {
  return kind === 'search' || kind === 'rank' ? { json: JSON.stringify(answer) } : { answer }
}

export function decodeAnswer(posted: PostedAnswer): unknown {
  return 'json' in posted ? JSON.parse(posted.json) : posted.answer
}
