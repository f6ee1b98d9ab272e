import { createHash, timingSafeEqual } from 'node:crypto'
import type { App } from '../../operations/app.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { respondWith } from '../transport/answers.ts'
import { bearerOf } from '../transport/cleartext.ts'
import { isLoopback } from '../../kernel/networks.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'
import { noRoute } from '../transport/problem.ts'
import type { Proxies } from '../transport/proxy.ts'

/** Headers that a proxy adds to forwarded requests. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/** The server's metrics, for permitted callers; others get not found. */
export function metricsPage(app: App, proxies: Proxies): WebPage {
  const { metrics, metrics_token } = app.settings
  return async (incoming) => {
    const { meter } = app
    if (!meter || metrics === 'off') throw noRoute(incoming.method)
    if (metrics === 'token' && !isToken(incoming, metrics_token)) throw refuseMetrics(app, incoming)
    if (metrics === 'loopback' && !isLocal(incoming, proxies)) throw noRoute(incoming.method)
    const { type, text } = await meter.text()
    return respondWith(incoming, 200, text, [
      ['content-type', type],
      ['cache-control', 'no-store'],
    ])
  }
}

/** A proxy on this machine also connects locally: a proxied request does not count as local. */
function isLocal(incoming: Incoming, proxies: Proxies): boolean {
  const host = incoming.host.replace(/:\d+$/, '')
  return (
    isLoopback(incoming.ip) &&
    isLoopback(host) &&
    !proxies.trusts(incoming.peer) &&
    proxyHeaders.every((name) => incoming.header(name) === undefined)
  )
}

function isToken(incoming: Incoming, token: string): boolean {
  return (
    token !== '' &&
    timingSafeEqual(digest(bearerOf(incoming.header('authorization') ?? '')), digest(token))
  )
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** @throws Refusal rate_limited after too many tries */
function refuseMetrics(app: App, incoming: Incoming): Refusal {
  app.limits.addresses.recordFailure(incoming.ip)
  return new Refusal(
    'unauthenticated',
    'The metrics token is required.',
    'Send it as "Authorization: Bearer …"; --metrics-token sets it.',
  )
}
