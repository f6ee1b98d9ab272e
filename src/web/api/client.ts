import { t } from '../texts/index.ts'
import type { Endpoints, Operations } from './operations.ts'
import { ApiError } from './problem.ts'

export type OperationName = keyof Operations
export type Input<N extends OperationName> = Operations[N]['input']
export type Output<N extends OperationName> = Operations[N]['output']

type PathOf<M extends string, K = keyof Endpoints> = K extends `${M} ${infer P}` ? P : never
type Endpoint<M extends string, P extends string> = Endpoints[`${M} ${P}` & keyof Endpoints]
/** Paths below /web as defined by the server, with their variables: `/web/api-keys/:id`. */
export type GetPath = PathOf<'GET'>
export type PostPath = PathOf<'POST'>
/** Input of an endpoint, including its path variables. */
export type GetInput<P extends GetPath> = Endpoint<'GET', P>['input']
export type PostInput<P extends PostPath> = Endpoint<'POST', P>['input']
export type GetOutput<P extends GetPath> = Endpoint<'GET', P>['output']
export type PostOutput<P extends PostPath> = Endpoint<'POST', P>['output']

interface SessionHandlers {
  /** Called when the session ends. */
  onSignedOut: () => void
  /** Asks for the password (or passkey) again; resolves to true if it was confirmed. */
  verify: () => Promise<boolean>
}

const sessionHandlers: SessionHandlers = { onSignedOut: () => {}, verify: async () => false }

/** The session registers what to do when the server requires a sign-in or a new verification. */
export function setSessionHandlers(handlers: Partial<SessionHandlers>): void {
  Object.assign(sessionHandlers, handlers)
}

/** Called when the server reports that the session has ended. */
export function handleSessionEnd(): void {
  sessionHandlers.onSignedOut()
}

/** An answer with information from its headers. */
export interface CallResponse<A> {
  value: A
  /** The entry in the call log, accepted by undo_api_call. */
  callId: string | undefined
  /** The item's current revision. */
  revision: number | undefined
  /** True if it is the answer to an earlier attempt with the same idempotency key. */
  isReplayed: boolean
}

type Fields = Record<string, unknown>

/** Calls an operation of the catalogue as the signed-in person. @throws ApiError */
export async function call<N extends OperationName>(
  name: N,
  input: Input<N>,
  signal?: AbortSignal,
): Promise<Output<N>> {
  return callByName<Output<N>>(name, input, signal)
}

/** Calls an operation that is known only at run time. @throws ApiError */
export function callByName<A>(name: string, input: object, signal?: AbortSignal): Promise<A> {
  return requestValue<A>(`/web/call/${name}`, postInit(input), signal)
}

/**
 * Calls an operation with one idempotency key for all attempts, and returns the answer with its headers. @throws
 * ApiError
 */
export function callWithResponse<N extends OperationName>(
  name: N,
  input: Input<N>,
  { idempotencyKey }: { idempotencyKey?: string } = {},
): Promise<CallResponse<Output<N>>> {
  const headers: Record<string, string> =
    idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  return sendRequest<Output<N>>(`/web/call/${name}`, postInit(input, headers), undefined)
}

/** When an answer was read, relative to changes and to other requests. */
export interface ReadStamp {
  /** Position of the newest change that it certainly includes. */
  position?: number | undefined
  /** Sequence number of its request in this tab. */
  order?: number | undefined
}

const readStamps = new WeakMap<object, ReadStamp>()
let requestCount = 0

/** Stamp of a read made now: after earlier requests, and before later ones. */
export const currentReadStamp = (): ReadStamp => ({ order: requestCount })

/** The stamp of an answer of `call`, `get` or `post`, identified by the object. */
export function readStampOf(answer: object): ReadStamp | undefined {
  return readStamps.get(answer)
}

function parseReadStamp(headers: Headers, order: number): ReadStamp {
  const position = headers.get('x-position')
  return { order, ...(position !== null && { position: Number(position) }) }
}

/** The lines of a snapshot as they arrive. @throws ApiError */
export async function openSnapshot(
  query: GetInput<'/web/snapshot'>,
  signal: AbortSignal,
): Promise<{ lines: AsyncIterable<string>; stamp: ReadStamp }> {
  const order = ++requestCount
  const response = await fetchOrOffline(withQuery('/web/snapshot', query), { signal })
  if (!response.ok || !response.body)
    throw apiErrorOf(response.status, readJson(await response.text()), '/web/snapshot')
  return { lines: streamLinesOf(response.body), stamp: parseReadStamp(response.headers, order) }
}

async function* streamLinesOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string> {
  let rest = ''
  for await (const text of textChunksOf(body)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Not every browser can iterate over a stream. */
async function* textChunksOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } catch (error) {
    throw toOfflineError(error)
  } finally {
    reader.cancel().catch(() => {}) // it has ended already
  }
}

/** @throws ApiError */
export function get<P extends GetPath>(
  path: P,
  input: GetInput<P>,
  signal?: AbortSignal,
): Promise<GetOutput<P>> {
  const { address, rest } = fillPathParams(path, input)
  return requestValue(withQuery(address, rest), { method: 'GET' }, signal)
}

/** @throws ApiError */
export function post<P extends PostPath>(
  path: P,
  input: PostInput<P>,
  signal?: AbortSignal,
): Promise<PostOutput<P>> {
  const { address, rest } = fillPathParams(path, input)
  return requestValue(address, postInit(rest), signal)
}

/** Fills the path variables from the input; returns the path and the remaining input. */
function fillPathParams(path: string, input: object): { address: string; rest: Fields } {
  const fields = new Map<string, unknown>(Object.entries(input))
  const address = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = fields.get(name)
    fields.delete(name)
    return encodeURIComponent(String(value))
  })
  return { address, rest: Object.fromEntries(fields) }
}

function postInit(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  }
}

function withQuery(path: string, query: Fields): string {
  const definedEntries = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(
    definedEntries.map(([name, value]) => [name, String(value)]),
  ).toString()
  return search === '' ? path : `${path}?${search}`
}

async function requestValue<A>(
  path: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
): Promise<A> {
  return (await sendRequest<A>(path, init, signal)).value
}

async function sendRequest<A>(
  path: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
  isRetry = false,
): Promise<CallResponse<A>> {
  const order = ++requestCount
  const response = await fetchOrOffline(path, {
    ...init,
    ...(signal ? { signal } : {}),
    headers: { accept: 'application/json', ...init.headers },
  })
  const body = readJson(await readResponseText(response))
  if (typeof body === 'object' && body !== null)
    readStamps.set(body, parseReadStamp(response.headers, order))
  if (response.ok) return { value: body as A, ...callHeaders(response.headers) }
  const error = apiErrorOf(response.status, body, path)
  if (error.code === 'password_required' && error.field === undefined && !isRetry) {
    // with a field, a password was given and is wrong
    if (await sessionHandlers.verify()) return sendRequest<A>(path, init, signal, true)
    throw new ApiError(error.status, { code: error.code, message: t.app.verify.notGiven })
  }
  throw error
}

function callHeaders(headers: Headers): Omit<CallResponse<unknown>, 'value'> {
  const revision = Number(/^"(\d+)"$/.exec(headers.get('etag') ?? '')?.[1])
  return {
    callId: headers.get('x-call-id') ?? undefined,
    revision: Number.isNaN(revision) ? undefined : revision,
    isReplayed: headers.get('idempotency-replayed') === 'true',
  }
}

function apiErrorOf(status: number, body: unknown, path: string): ApiError {
  if (status === 401 && !path.startsWith('/web/sign-in')) sessionHandlers.onSignedOut()
  return new ApiError(status, (body ?? {}) as Record<string, unknown>)
}

async function fetchOrOffline(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (error) {
    throw toOfflineError(error)
  }
}

/** Reads the body of a response; the connection may break meanwhile. */
async function readResponseText(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw toOfflineError(error)
  }
}

function toOfflineError(error: unknown): Error {
  if ((error as Error).name === 'AbortError') return error as Error
  return new ApiError(0, { code: 'offline', message: t.app.offlineError })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
