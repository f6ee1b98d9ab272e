import { isLoopback } from '../../kernel/networks.ts'
import type { App } from '../../operations/app.ts'
import type { Incoming } from '../transport/request-info.ts'

/**
 * The origin under which a request reached this instance: of its base URL, of one of --also-at, or of the machine
 * itself. It is the issuer of the authorization server, identical in metadata, challenges and responses.
 */
export function issuerOf({ baseUrl, settings }: App, incoming: Incoming): string {
  const base = new URL(baseUrl || incoming.url.origin)
  const others = settings.also_at.split(',').filter((name) => name !== '')
  const origins = [base, ...others.map((name) => new URL(name))]
  const host = incoming.host.toLowerCase()
  const issuer = origins.find((url) => URL.parse(`${url.protocol}//${host}`)?.host === url.host)
  if (issuer) return issuer.origin
  return isLoopback(host.replace(/:\d+$/, '')) ? `${incoming.url.protocol}//${host}` : base.origin
}

/** Whether programs may connect at this origin: tokens travel encrypted or stay on the machine. */
export function isOffered({ settings }: App, issuer: string): boolean {
  if (settings.oauth !== 'auto') return settings.oauth === 'yes'
  const { protocol, hostname } = new URL(issuer)
  return protocol === 'https:' || isLoopback(hostname)
}

/** The called address with its origin. */
export function calledUrl(app: App, incoming: Incoming): string {
  return issuerOf(app, incoming) + incoming.url.pathname + incoming.url.search
}
