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

interface Guards {
  /** Called when the session ends. */
  onSignedOut: () => void
  /** Asks for the password (or passkey) again; resolves to whether it was given. */
  verify: () => Promise<boolean>
}

const guards: Guards = { onSignedOut: () => {}, verify: async () => false }

/** The session registers what to do when the server requires a sign-in or a new verification. */
export function guardWith(more: Partial<Guards>): void {
  Object.assign(guards, more)
}

/** Called when the server reports that the session has ended. */
export function sessionEnded(): void {
  guards.onSignedOut()
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
  return requestValue<A>(`/web/call/${name}`, postOf(input), signal)
}

/**
 * Calls an operation with one idempotency key for all attempts, and returns the answer with its headers. @throws
 * ApiError
 */
export function answerOf<N extends OperationName>(
  name: N,
  input: Input<N>,
  { idempotencyKey }: { idempotencyKey?: string } = {},
): Promise<CallResponse<Output<N>>> {
  const headers: Record<string, string> =
    idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  return answered<Output<N>>(`/web/call/${name}`, postOf(input, headers), undefined)
}

/** When something was read. */
export interface Reading {
  /** Position of the newest change that it certainly includes. */
  position?: number | undefined
  /** Sequence number of its request in this tab. */
  order?: number | undefined
}

const readings = new WeakMap<object, Reading>()
let requests = 0

/** Order of a reading made now: after earlier requests, and before later ones. */
export const readingNow = (): Reading => ({ order: requests })

/** When an answer was read: for results of `call`, `get` and `post`, identified by the object. */
export function whenRead(answer: object): Reading | undefined {
  return readings.get(answer)
}

function readingIn(headers: Headers, order: number): Reading {
  const position = headers.get('x-position')
  return { order, ...(position !== null && { position: Number(position) }) }
}

/** The lines of a snapshot as they arrive. @throws ApiError */
export async function openSnapshot(
  query: GetInput<'/web/snapshot'>,
  signal: AbortSignal,
): Promise<{ lines: AsyncIterable<string>; reading: Reading }> {
  const order = ++requests
  const response = await reach(withQuery('/web/snapshot', query), { signal })
  if (!response.ok || !response.body)
    throw apiErrorOf(response.status, readJson(await response.text()), '/web/snapshot')
  return { lines: streamLinesOf(response.body), reading: readingIn(response.headers, order) }
}

async function* streamLinesOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string> {
  let rest = ''
  for await (const text of piecesOf(body)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Not every browser can iterate over a stream. */
async function* piecesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } catch (error) {
    throw unreachable(error)
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
  return requestValue(address, postOf(rest), signal)
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

function postOf(body: unknown, headers: Record<string, string> = {}): RequestInit {
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
  return (await answered<A>(path, init, signal)).value
}

async function answered<A>(
  path: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
  isAgain = false,
): Promise<CallResponse<A>> {
  const order = ++requests
  const response = await reach(path, {
    ...init,
    ...(signal ? { signal } : {}),
    headers: { accept: 'application/json', ...init.headers },
  })
  const body = readJson(await responseTextOf(response))
  if (typeof body === 'object' && body !== null)
    readings.set(body, readingIn(response.headers, order))
  if (response.ok) return { value: body as A, ...callHeaders(response.headers) }
  const error = apiErrorOf(response.status, body, path)
  if (error.code === 'password_required' && error.field === undefined && !isAgain) {
    // with a field, a password was given and is wrong
    if (await guards.verify()) return answered<A>(path, init, signal, true)
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
  if (status === 401 && !path.startsWith('/web/sign-in')) guards.onSignedOut()
  return new ApiError(status, (body ?? {}) as Record<string, unknown>)
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (error) {
    throw unreachable(error)
  }
}

/** The body of an answer, which may also be cut off. */
async function responseTextOf(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw unreachable(error)
  }
}

function unreachable(error: unknown): Error {
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
