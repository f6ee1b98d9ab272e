import { systemClock } from '../../core/clock.ts'
import { readSettings } from '../../core/settings.ts'
import { openApp } from '../../core/start.ts'
import { startServer } from '../../http/server.ts'
import { issueKey } from '../../keys/issue.ts'
import { addOrganization, addPerson } from '../../keys/people.ts'
import type { Extras } from '../../mcp/server.ts'
import { modules } from '../../modules/index.ts'
import { scratch } from '../process.ts'
import { startProxy } from './proxy.ts'

export interface Instance {
  /** The MCP endpoint, with a key already added. */
  url: string
  close(): Promise<void>
}

/** A workspace on a database of its own, served as in earnest, behind the proxy that has a key to it. The suites are faster than a key may be. */
export async function startInstance(extras?: Extras): Promise<Instance> {
  const { dir, remove } = scratch()
  const app = openApp({ settings: { ...readSettings({}, {}), limits: false, data: dir }, clock: systemClock, modules, log: quiet })
  const org = await addOrganization(app.store, systemClock, { name: 'Conformance', timezone: 'UTC' })
  const owner = await addPerson(app.store, systemClock, { org, email: 'ann@conformance.test', name: 'Ann', role: 'admin' })
  const { key } = await issueKey(app.store, systemClock, { owner, name: 'suite', via: 'cli' })
  let port = 0
  const proxy = await startProxy(key, () => port)
  app.baseUrl = proxy.url // as --base-url does: the address by which pages and clients know this instance
  const server = await startServer(app, { host: '127.0.0.1', port: 0 }, extras)
  port = Number(new URL(server.url).port)
  return {
    url: `${proxy.url}/mcp`,
    async close() {
      proxy.close()
      await server.close()
      await app.store.close()
      remove()
    },
  }
}

/** What is refused belongs to the suite; what breaks must be seen. */
const quiet = {
  info() {},
  warn() {},
  error(message: string, more: Record<string, unknown> = {}) {
    console.error(message, more)
  },
}
