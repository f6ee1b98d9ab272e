import type { Outbound } from '../outbound/outbound.ts'
import { guardedFetch } from './client.ts'

/**
 * Fetches the discovery document and the keys of an issuer through the guarded outbound client, as a sign-in would.
 * @throws Error whose message describes the problem, or Unreachable
 */
export async function inspectIssuer(outbound: Outbound, issuer: string): Promise<void> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const metadata = await fetchJson(outbound, address)
  if (metadata.issuer !== issuer)
    throw new Error(`its discovery document names the issuer ${JSON.stringify(metadata.issuer)}`)
  if (typeof metadata.jwks_uri !== 'string') throw new Error('it names no jwks_uri')
  const { keys } = await fetchJson(outbound, metadata.jwks_uri)
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('it has no keys')
}

async function fetchJson(outbound: Outbound, url: string): Promise<Record<string, unknown>> {
  const options = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const
  const answer = await guardedFetch(outbound)(url, options)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  const value: unknown = await answer.json().catch(() => undefined)
  if (typeof value !== 'object' || value === null) throw new Error(`${url} is not JSON`)
  return value as Record<string, unknown>
}
