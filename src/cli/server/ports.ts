import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Settings } from '../../config/settings.ts'

/** Fails before anything is created if the ports are taken. */
export async function requirePorts({
  host,
  port,
  http_redirect_port,
}: Pick<Settings, 'host' | 'port' | 'http_redirect_port'>): Promise<void> {
  for (const wanted of [port, http_redirect_port]) {
    if (wanted === 0) continue
    const probe = createServer().listen({ host, port: wanted })
    await once(probe, 'listening')
    await new Promise((resolve) => probe.close(resolve))
  }
}

/** Address for programs on this machine, as a number: in a container the name localhost may be unknown. */
export function ownAddress(host: string, url: string): string {
  return host === '0.0.0.0' || host === '::' ? url.replace('//localhost:', '//127.0.0.1:') : url
}
