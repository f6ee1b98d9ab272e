import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Settings } from '../../config/settings.ts'

/** Fails before anything is created if the ports are taken. */
export async function requirePorts({
  host,
  port,
  http_redirect_port,
}: Pick<Settings, 'host' | 'port' | 'http_redirect_port'>): Promise<void> {
  for (const requiredPort of [port, http_redirect_port]) {
    if (requiredPort === 0) continue
    const probe = createServer().listen({ host, port: requiredPort })
    await once(probe, 'listening')
    await new Promise((resolve) => probe.close(resolve))
  }
}

/** URL for programs on this machine, with an IP address: in a container the name localhost may be unknown. */
export function localUrl(host: string, url: string): string {
  return host === '0.0.0.0' || host === '::' ? url.replace('//localhost:', '//127.0.0.1:') : url
}
