import type { App } from '../../operations/app.ts'
import type { Incoming } from '../transport/request-info.ts'

/** Called for each request once its answer is ready, with route pattern and milliseconds. */
export type Observe = (
  incoming: Incoming,
  pattern: string,
  status: number,
  milliseconds: number,
) => void

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Undefined if log and metrics are both off. Lines and labels contain route patterns and our own ids, never caller
 * input.
 */
export function observerOf(app: App): Observe | undefined {
  const { metrics, access_log } = app.settings
  if (metrics === 'off' && !access_log) return undefined
  return (incoming, pattern, status, milliseconds) => {
    const method = methods.has(incoming.method) ? incoming.method : 'other'
    app.meter?.recordRequest(surfaceOf(pattern), method, status, milliseconds / 1000)
    if (!access_log) return
    const { requestId, trace, ip } = incoming
    app.log.info('request', {
      request_id: requestId,
      trace_id: trace?.traceId,
      method,
      route: pattern,
      status,
      ms: Math.round(milliseconds * 10) / 10,
      ip,
      http: incoming.isHttp2 ? 2 : 1,
    })
  }
}

function surfaceOf(pattern: string): string {
  const [, first = ''] = pattern.split('/')
  if (first === 'sse' || first === 'messages') return 'mcp'
  if (first === 'healthz' || first === 'readyz') return 'health'
  return pattern.startsWith('/api/docs') || !['api', 'mcp', 'web', 'metrics'].includes(first)
    ? 'page'
    : first
}
