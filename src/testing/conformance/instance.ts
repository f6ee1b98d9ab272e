import { systemClock } from '../../kernel/time/clock.ts'
import { readSettings } from '../../config/settings.ts'
import { openApp } from '../../start.ts'
import { startServer } from '../../http/server.ts'
import { issueKey } from '../../keys/issue.ts'
import { addOrganization } from '../../identity/organization-creation.ts'
import { addPerson } from '../../identity/people.ts'
import type { TestExtensions } from '../../mcp/server.ts'
import { modules } from '../../modules/index.ts'
import { scratch, serve, workspaceJson } from '../process.ts'
import { startProxy } from './proxy.ts'

export interface ConformanceInstance {
  /** URL of the MCP endpoint, behind a proxy that adds a key. */
  url: string
  close(): Promise<void>
}

/** The product as shipped, in a separate process, behind a proxy that adds a key. */
export async function startShipped(): Promise<ConformanceInstance> {
  const { dir, remove } = scratch()
  const runCli = (...args: string[]) => workspaceJson(...args, '--data', dir)
  await runCli('orgs', 'create', '--name', 'Conformance')
  await runCli('users', 'create', '--email', 'ann@conformance.test', '--name', 'Ann', '--admin')
  const { key } = await runCli(
    'keys',
    'create',
    '--user',
    'ann@conformance.test',
    '--name',
    'suite',
  )
  let port = 0
  const proxy = await startProxy(key, () => port)
  const server = await serve(dir, '--also-at', proxy.url)
  port = Number(new URL(server.url).port)
  return {
    url: `${proxy.url}/mcp`,
    async close() {
      proxy.close()
      await server.end()
      remove()
    },
  }
}

/**
 * The product in this process, with fixtures for the suites mounted on its transport, and without limits: the suites
 * exceed the rate limit of a key.
 */
export async function startInProcess(extras: TestExtensions): Promise<ConformanceInstance> {
  const { dir, remove } = scratch()
  const app = await openApp({
    settings: { ...readSettings({}, {}), limits: false, data: dir },
    clock: systemClock,
    modules,
    log: quietLog,
  })
  const org = await addOrganization(app.store, systemClock, {
    name: 'Conformance',
    timezone: 'UTC',
  })
  const owner = await addPerson(app.store, systemClock, {
    org,
    email: 'ann@conformance.test',
    name: 'Ann',
    role: 'admin',
  })
  const { key } = await issueKey(app.store, systemClock, { owner, name: 'suite', via: 'cli' })
  let port = 0
  const proxy = await startProxy(key, () => port)
  app.baseUrl = proxy.url // as --base-url does
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

/** Silences refusals, which the suite expects, but not failures. */
const quietLog = {
  info() {},
  warn() {},
  error(message: string, more: Record<string, unknown> = {}) {
    console.error(message, more)
  },
}
