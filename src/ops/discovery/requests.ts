import { quantity } from '../../kernel/text/quantity.ts'

/** Time limit for the response of each step. Tests of other things raise it. */
export const requestLimits = { timeoutMs: 5000 }

const proxyFix =
  'let /mcp, /oauth, /connect and /.well-known/oauth-* through the proxy unchanged, without a login page, a bot check or a redirect'

/** Response received at one step. */
export interface StepResponse {
  status: number
  headers: Headers
  text: string
  json: Record<string, unknown> | undefined
}

/** A problem that stops a hosted assistant, and how to fix it. */
export class Obstacle extends Error {
  readonly fix: string

  constructor(says: string, fix = proxyFix) {
    super(says)
    this.fix = fix
  }
}

/** @throws Obstacle if it does not answer, or redirects although `mayRedirect` is not set */
export async function requestStep(
  url: string,
  { mayRedirect = false, ...init }: RequestInit & { mayRedirect?: boolean } = {},
): Promise<StepResponse> {
  if (!URL.canParse(url))
    throw new Obstacle(`"${url.slice(0, 200)}" is no address.`, 'look at --base-url and --also-at')
  const { status, headers, text } = await fetchStep(url, init)
  if (status >= 300 && status < 400 && !mayRedirect)
    throw new Obstacle(
      `${url} redirects to ${headers.get('location') ?? 'somewhere'}; hosted assistants do not follow.`,
    )
  return { status, headers, text, json: objectIn(text) }
}

/** @throws Obstacle if the answer is not a JSON object */
export async function requireJson(
  url: string,
): Promise<{ json: Record<string, unknown>; headers: Headers }> {
  const { status, json, headers } = await requestStep(url)
  if (status === 200 && json) return { json, headers }
  throw new Obstacle(
    `${url} answers ${status} with ${headers.get('content-type') ?? 'no type'}, where JSON is expected.`,
  )
}

async function fetchStep(url: string, init: RequestInit): Promise<Omit<StepResponse, 'json'>> {
  try {
    const signal = AbortSignal.timeout(requestLimits.timeoutMs)
    const response = await fetch(url, { ...init, redirect: 'manual', signal })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw unreachable(url, error.cause instanceof Error ? error.cause : error)
  }
}

function unreachable(url: string, error: Error & { code?: unknown }): Obstacle {
  const { origin, hostname } = new URL(url)
  const code = String(error.code ?? '')
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code))
    return new Obstacle(
      `${hostname} is not in the DNS of this machine.`,
      'add an A record for the public address, or correct --base-url',
    )
  if (/CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ALTNAME/.test(code))
    return new Obstacle(
      `The certificate of ${origin} is not trusted (${code}).`,
      'use a certificate of a public authority, with its whole chain, for this name',
    )
  if (code === 'ECONNREFUSED')
    return new Obstacle(
      `Nothing answers at ${origin}.`,
      'start `workspace serve`, or let the proxy and the firewall pass connections to it',
    )
  if (error.name === 'TimeoutError')
    return new Obstacle(
      `${url} did not answer within ${quantity(requestLimits.timeoutMs / 1000, 'second')}; hosted assistants give up after ten in all.`,
      'look at the proxy, the firewall and the load of the server',
    )
  return new Obstacle(`${url} does not answer: ${error.message}.`)
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
