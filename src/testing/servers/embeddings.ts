import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bagOfWords, Embeddings } from '../../search/worker/embeddings.ts'
import { readTable } from '../../search/worker/static-table.ts'

/** A received request. */
export interface Embedding {
  model: string
  input: string[]
  dimensions: number | undefined
  authorization: string | undefined
}

export interface EmbeddingsOptions {
  model?: string
  /** Key that requests must present; undefined: none. */
  key?: string
  /** Dimensions of its vectors; at most 256. */
  dimensions?: number
  /** Whether a request may ask for fewer dimensions. */
  cuts?: boolean
  /** Maximum inputs per request. */
  most?: number
  /** Maximum words per input. */
  longest?: number
  /** Always returns numbers in base64. */
  base64?: boolean
}

/** Fault to simulate in place of an answer. */
export type Fault =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'hang'
  | 'close'

/**
 * An embeddings server on loopback with a strict `POST /v1/embeddings`. Its vectors come from our own table, so texts
 * with similar meanings are near each other.
 */
export interface EmbeddingsServer {
  url: string
  opening: string
  readonly requests: Embedding[]
  /** Called for each request, numbered from 1; undefined: answers it. */
  fault: (request: Embedding, n: number) => Fault | undefined
  /** Switches to another model with the same name: its vectors are unrelated to the earlier ones. */
  change(more?: EmbeddingsOptions): void
  close(): Promise<void>
}

export async function startEmbeddings(
  options: EmbeddingsOptions = {},
  port = 0,
): Promise<EmbeddingsServer> {
  let settings: EmbeddingsOptions = {
    model: 'test-embed',
    dimensions: 256,
    most: 2048,
    longest: 512,
    ...options,
  }
  let turned = 0
  const space = new Embeddings(readTable(), 0, new Map())
  const requests: Embedding[] = []
  const server = createServer(
    (request, response) =>
      void answer(request, response).catch((error: unknown) =>
        refuse(response, 500, String(error)),
      ),
  )

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const part of request) text += String(part)
    if (request.url !== '/v1/embeddings') return refuse(response, 404, `there is no ${request.url}`)
    if (request.method !== 'POST') return refuse(response, 405, 'only POST')
    if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
      return refuse(response, 415, 'only JSON')
    if (settings.key !== undefined && request.headers.authorization !== `Bearer ${settings.key}`)
      return refuse(response, 401, `Incorrect API key provided: ${request.headers.authorization}`)
    const {
      model,
      input,
      encoding_format: format = 'float',
      dimensions,
      ...rest
    } = JSON.parse(text) as Record<string, unknown>
    if (Object.keys(rest).length > 0)
      return refuse(response, 400, `unknown: ${Object.keys(rest).join()}`)
    const texts = typeof input === 'string' ? [input] : (input as string[])
    if (
      !Array.isArray(texts) ||
      texts.length === 0 ||
      texts.some((name) => typeof name !== 'string' || name === '')
    )
      return refuse(response, 400, 'input: must be texts')
    if (format !== 'float' && format !== 'base64') return refuse(response, 400, 'encoding_format')
    if (dimensions !== undefined && (!Number.isInteger(dimensions) || !settings.cuts))
      return refuse(response, 400, 'dimensions: this model has one size')
    const got = {
      model: String(model),
      input: texts,
      dimensions: dimensions as number | undefined,
      authorization: request.headers.authorization,
    }
    requests.push(got)
    const fault = faults.fault(got, requests.length)
    if (fault === 'hang') return
    if (fault === 'close') return void request.socket.destroy()
    if (fault)
      return void response
        .writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
        .end(fault.body ?? JSON.stringify({ error: { message: `no: ${texts[0]}` } }))
    if (model !== settings.model) return refuse(response, 404, `model ${String(model)} not found`)
    if (texts.length > settings.most!)
      return refuse(response, 413, `batch size ${texts.length} > ${settings.most}`)
    if (texts.some((name) => name.split(/\s+/).length > settings.longest!))
      return refuse(response, 400, 'This model’s maximum context length was exceeded')
    const data = texts.map((name, index) => ({
      object: 'embedding',
      index,
      embedding: numbers(
        name,
        (dimensions as number | undefined) ?? settings.dimensions!,
        format === 'base64' || settings.base64 === true,
      ),
    }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        object: 'list',
        data: data.reverse(),
        model,
        usage: { prompt_tokens: 1, total_tokens: 1 },
      }),
    )
  }

  function numbers(text: string, dimensions: number, base64: boolean): number[] | string {
    const vector = space.embed(bagOfWords(text))
    if (vector.every((x) => x === 0)) vector[0] = 1
    const floats = Float32Array.from(
      { length: dimensions },
      (_, i) =>
        vector[(i + turned * 37) % vector.length]! * (turned % 2 === 1 && i % 2 === 1 ? -3 : 3),
    ) // a length of 3: no one promises 1
    return base64 ? Buffer.from(floats.buffer).toString('base64') : [...floats]
  }

  await new Promise<void>((go) => server.listen(port, '127.0.0.1', go))
  const opening = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const faults: EmbeddingsServer = {
    url: `http://${opening}`,
    opening,
    requests,
    fault: () => undefined,
    change(more = {}) {
      turned++
      settings = { ...settings, ...more }
    },
    close: () =>
      new Promise((go) => {
        server.closeAllConnections()
        server.close(() => go())
      }),
  }
  return faults
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: { message, type: 'invalid_request_error', code: null } }))
}
