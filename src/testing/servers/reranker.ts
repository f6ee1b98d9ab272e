import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Rerank request that was received. */
export interface Reranking {
  path: string
  query: string
  texts: string[]
  model: string | undefined
  authorization: string | undefined
}

/** Fault to simulate in place of an answer. */
export type RerankFault = { status: number; body?: string; after?: number } | 'hang' | 'close'

/** Vendor whose server it imitates: its request and response formats. */
export type RerankerKind = 'cohere' | 'jina' | 'llama.cpp' | 'vllm' | 'tei'

/** A server on loopback that scores passages; `score` rates how well a passage answers a query. */
export interface RerankerServer {
  url: string
  opening: string
  readonly requests: Reranking[]
  score: (query: string, text: string) => number
  fault: (request: Reranking) => RerankFault | undefined
  close(): Promise<void>
}

const paths: Readonly<Record<RerankerKind, string>> = {
  cohere: '/v2/rerank',
  jina: '/v1/rerank',
  'llama.cpp': '/v1/rerank',
  vllm: '/v1/rerank',
  tei: '/rerank',
}

export async function startReranker(
  kind: RerankerKind = 'llama.cpp',
  options: { key?: string; model?: string } = {},
): Promise<RerankerServer> {
  const server = createServer(
    (request, response) =>
      void answer(request, response).catch((error: unknown) =>
        reply(response, 500, { error: String(error) }),
      ),
  )

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const part of request) text += String(part)
    if (request.url !== paths[kind] || request.method !== 'POST')
      return reply(response, 404, { error: `there is no ${request.method} ${request.url}` })
    if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`)
      return reply(response, 401, { error: 'unauthorized' })
    const rerankRequest = readAsked(kind, request, JSON.parse(text) as Record<string, unknown>)
    if (!rerankRequest) return reply(response, 422, { error: `not as ${kind} takes it` })
    if (options.model !== undefined && rerankRequest.model !== options.model)
      return reply(response, 404, { error: 'no such model' })
    rerankServer.requests.push(rerankRequest)
    const fault = rerankServer.fault(rerankRequest)
    if (fault === 'hang') return
    if (fault === 'close') return void request.socket.destroy()
    if (fault?.after !== undefined) await new Promise((go) => setTimeout(go, fault.after))
    if (fault && fault.status !== 200)
      return reply(response, fault.status, { error: `no: ${rerankRequest.texts[0]}` })
    if (fault?.body !== undefined) return void response.writeHead(200).end(fault.body)
    const scores = rerankRequest.texts.map((passage) =>
      rerankServer.score(rerankRequest.query, passage),
    )
    reply(response, 200, answerOf(kind, rerankRequest, scores))
  }

  await new Promise<void>((go) => server.listen(0, '127.0.0.1', go))
  const opening = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const rerankServer: RerankerServer = {
    url: `http://${opening}${kind === 'tei' ? '/rerank' : paths[kind].replace('/rerank', '')}`,
    opening,
    requests: [],
    score: () => 0,
    fault: () => undefined,
    close: () =>
      new Promise((go) => {
        server.closeAllConnections()
        server.close(() => go())
      }),
  }
  return rerankServer
}

function readAsked(
  kind: RerankerKind,
  { url = '', headers }: IncomingMessage,
  { model, query, documents, texts, top_n, truncate, ...rest }: Record<string, unknown>,
): Reranking | undefined {
  const passages = kind === 'tei' ? texts : documents
  const isLike =
    kind === 'tei'
      ? truncate === true && documents === undefined && top_n === undefined
      : texts === undefined && truncate === undefined && typeof top_n === 'number'
  if (!isLike || Object.keys(rest).length > 0 || typeof query !== 'string') return undefined
  if (!Array.isArray(passages) || passages.some((text) => typeof text !== 'string'))
    return undefined
  return {
    path: url,
    query,
    texts: passages as string[],
    model: model as string | undefined,
    authorization: headers.authorization,
  }
}

/** Formats the answer as each of them does: best first, some with the passages. */
function answerOf(kind: RerankerKind, { texts }: Reranking, scores: readonly number[]): unknown {
  const order = scores
    .map((score, index) => ({ index, score }))
    .sort((result, other) => other.score - result.score)
  if (kind === 'tei') return order
  const results = order.map(({ index, score }) => ({
    index,
    relevance_score: score,
    ...(kind === 'jina' || kind === 'vllm' ? { document: { text: texts[index] } } : {}),
  }))
  if (kind === 'llama.cpp') return { model: 'm', object: 'list', usage: {}, results }
  return kind === 'cohere' ? { id: '1', results, meta: {} } : { id: '1', model: 'm', results }
}

function reply(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
