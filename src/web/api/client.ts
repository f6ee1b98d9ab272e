import { t } from '../texts/index.ts'
import type { Operations } from './operations.ts'
import { ApiError } from './problem.ts'

export type OperationName = keyof Operations
export type Input<N extends OperationName> = Operations[N]['input']
export type Output<N extends OperationName> = Operations[N]['output']

interface Guards {
  /** The session ended. */
  onSignedOut: () => void
  /** Asks for the password (or passkey) again; whether it was given. */
  verify: () => Promise<boolean>
}

const guards: Guards = { onSignedOut: () => {}, verify: async () => false }

/** The session says what to do when the server wants somebody to sign in, or to say again who they are. */
export function guardWith(more: Partial<Guards>): void {
  Object.assign(guards, more)
}

/** Calls an operation of the catalogue as whoever is signed in. @throws ApiError */
export function call<N extends OperationName>(
  name: N,
  input: Input<N>,
  signal?: AbortSignal,
): Promise<Output<N>> {
  return post<Output<N>>(`/web/call/${name}`, input, signal)
}

/** @throws ApiError */
export function get<A>(
  path: string,
  query: Record<string, string | number | boolean | undefined> = {},
  signal?: AbortSignal,
): Promise<A> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(
    Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  ).toString()
  return send<A>(search === '' ? path : `${path}?${search}`, { method: 'GET' }, signal)
}

/** @throws ApiError */
export function post<A>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<A> {
  return send<A>(
    path,
    { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
    signal,
  )
}

async function send<A>(
  path: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
  isAgain = false,
): Promise<A> {
  const response = await reach(path, {
    ...init,
    ...(signal ? { signal } : {}),
    headers: { accept: 'application/json', ...init.headers },
  })
  const text = await response.text()
  const body = readJson(text)
  if (response.ok) return body as A
  const error = new ApiError(response.status, (body ?? {}) as Record<string, unknown>)
  if (error.code === 'password_required' && error.field === undefined && !isAgain) {
    // with a field, one was given and is wrong
    if (await guards.verify()) return send<A>(path, init, signal, true)
    throw new ApiError(error.status, { code: error.code, message: t.app.verify.notGiven })
  }
  if (error.status === 401 && !path.startsWith('/web/sign-in')) guards.onSignedOut()
  throw error
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    throw new ApiError(0, { code: 'offline', message: t.app.offlineError })
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
