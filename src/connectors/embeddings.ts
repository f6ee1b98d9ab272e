// Embeddings from a server with OpenAI's `POST /v1/embeddings`: Ollama, llama.cpp, text-embeddings-inference, OpenAI.

/** Sends one request; supplied by the caller, who controls network access. */
export type SendRequest = (
  url: string,
  request: { method: 'POST'; headers: Record<string, string>; body: string },
) => Promise<{
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  isTruncated: boolean
}>

export interface EmbeddingEndpoint {
  /** With or without /v1 at its end. */
  url: string
  model: string
  key: string | undefined
  /** Dimensions to which the model reduces its vectors; undefined for its default. */
  dimensions: number | undefined
}

/**
 * Reason for missing vectors. `tooMuch`: fewer or shorter texts may succeed. `retryAfterMs`: requested pause in
 * milliseconds.
 * The server's message is not repeated: it may quote the texts.
 */
export class EmbeddingsFailure extends Error {
  readonly kind: 'refused' | 'unknown' | 'tooMuch' | 'busy' | 'failed' | 'nonsense'
  readonly retryAfterMs: number | undefined

  constructor(why: EmbeddingsFailure['kind'], message: string, after?: number) {
    super(message)
    this.kind = why
    this.retryAfterMs = after
  }
}

/** Vectors of length 1 for some texts, in order. @throws EmbeddingsFailure, and any error of `send` */
export async function embed(
  send: SendRequest,
  endpoint: EmbeddingEndpoint,
  texts: readonly string[],
  now = Date.now(),
): Promise<Float32Array[]> {
  const { model, key, dimensions } = endpoint
  const answer = await send(embeddingsUrlOf(endpoint.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      model,
      input: texts.map((text) => text.toWellFormed()),
      encoding_format: 'float',
      ...(dimensions === undefined ? {} : { dimensions }),
    }),
  })
  if (answer.status !== 200) throw embeddingsRefusalOf(answer, model, now)
  if (answer.isTruncated)
    throw new EmbeddingsFailure('tooMuch', 'The answer with the vectors is too long.')
  return vectorsIn(answer.body, texts.length, dimensions)
}

function embeddingsUrlOf(url: string): string {
  const base = url.replace(/\/+$/, '')
  if (base.endsWith('/embeddings')) return base
  return base.endsWith('/v1') ? `${base}/embeddings` : `${base}/v1/embeddings`
}

const tooLongPattern =
  /context.?length|maximum context|too (long|large|many)|exceed|larger than|batch size/i

function embeddingsRefusalOf(
  {
    status,
    headers,
    body,
  }: { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer },
  model: string,
  now: number,
): EmbeddingsFailure {
  const after = pauseOf(headers['retry-after'], now)
  if (status === 401 || status === 403)
    return new EmbeddingsFailure(
      'refused',
      `The provider does not accept the key (${status}). It is read from --embeddings-key-file, or WORKSPACE_EMBEDDINGS_KEY.`,
    )
  if (status === 404)
    return new EmbeddingsFailure(
      'unknown',
      `The provider has no model “${model}”, or does not accept texts at this address (404). Check --embeddings-model and --embeddings-url; with Ollama: ollama pull ${model}.`,
    )
  if (
    status === 413 ||
    ((status === 400 || status === 422 || status === 500) &&
      tooLongPattern.test(body.toString('utf8', 0, 4000)))
  )
    return new EmbeddingsFailure(
      'tooMuch',
      `A text is longer than the model “${model}” accepts (${status}).`,
    )
  if (status === 429 || status === 503)
    return new EmbeddingsFailure('busy', `The provider asks to slow down (${status}).`, after)
  if (status >= 500)
    return new EmbeddingsFailure('failed', `The provider failed (${status}).`, after)
  if (status >= 300 && status < 400)
    return new EmbeddingsFailure(
      'unknown',
      `The provider redirects requests (${status}); redirects are not followed. Set --embeddings-url to the new address.`,
    )
  return new EmbeddingsFailure(
    'unknown',
    `The provider did not accept the request (${status}). Check --embeddings-model, --embeddings-dimensions and --embeddings-url.`,
  )
}

/** Milliseconds from a Retry-After header, in seconds or as a date. */
function pauseOf(header: string | string[] | undefined, now: number): number | undefined {
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return undefined
  const after = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(after) && after >= 0 ? after : undefined
}

const invalidAnswer = (what: string) =>
  new EmbeddingsFailure('nonsense', `The answer of the provider is not a list of vectors: ${what}.`)

function vectorsIn(body: Buffer, texts: number, dimensions: number | undefined): Float32Array[] {
  const data = dataIn(body)
  if (data.length !== texts) throw invalidAnswer(`${data.length} for ${texts} texts`)
  const vectors: Float32Array[] = []
  for (const [i, entry] of data.entries()) {
    const { index = i, embedding } = (entry ?? {}) as { index?: number; embedding?: unknown }
    if (!Number.isInteger(index) || index < 0 || index >= texts || vectors[index])
      throw invalidAnswer('their numbers do not match the texts')
    vectors[index] = normalize(numbersOf(embedding))
  }
  const { length } = vectors[0]!
  if (vectors.some((vector) => vector.length !== length))
    throw invalidAnswer('they differ in length')
  if (dimensions !== undefined && length !== dimensions)
    throw new EmbeddingsFailure(
      'nonsense',
      `The provider made vectors of ${length} dimensions but --embeddings-dimensions requests ${dimensions}; the model may not support shorter ones.`,
    )
  return vectors
}

function dataIn(body: Buffer): unknown[] {
  let answer: unknown
  try {
    answer = JSON.parse(body.toString('utf8'))
  } catch {
    throw invalidAnswer('it is not JSON')
  }
  const { data } = (answer ?? {}) as { data?: unknown }
  if (!Array.isArray(data)) throw invalidAnswer('it has no “data”')
  return data
}

/** Maximum dimensions of a vector. */
const maxDimensions = 16_384

function numbersOf(embedding: unknown): Float32Array {
  const numbers = vectorOf(embedding)
  if (
    !numbers ||
    numbers.length === 0 ||
    numbers.length > maxDimensions ||
    !numbers.every(Number.isFinite)
  )
    throw invalidAnswer('one of them is neither numbers nor base64')
  return numbers
}

function vectorOf(embedding: unknown): Float32Array | undefined {
  if (typeof embedding === 'string') return floatsOf(Buffer.from(embedding, 'base64'))
  return Array.isArray(embedding) && embedding.every((item) => typeof item === 'number')
    ? Float32Array.from(embedding)
    : undefined
}

/** Decodes little-endian 32-bit floats. */
function floatsOf(bytes: Buffer): Float32Array | undefined {
  if (bytes.length % 4 !== 0) return undefined
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i))
}

function normalize(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  if (length === 0 || !Number.isFinite(length)) throw invalidAnswer('one of them has no direction')
  return vector.map((x) => x / length)
}
