import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../core/app.ts'
import { systemClock } from '../core/clock.ts'
import type { Settings } from '../core/settings.ts'
import { openApp } from '../core/start.ts'
import { startServer } from '../http/server.ts'
import { startTicks } from '../jobs/scheduler.ts'
import { applyRevocations } from '../keys/issue.ts'
import { isUnused, makeSetupToken } from '../keys/setup.ts'
import { modules } from '../modules/index.ts'
import { print } from './command.ts'
import { exits } from './exit.ts'
import { announce, takeLock, withdraw } from './lock.ts'
import { errorLog } from './open.ts'
import { version } from './version.ts'

const patience = 10_000

/** The life of a server, from taking the data directory to giving it back. Ends the process. */
export async function serveUntilStopped(settings: Settings, asJson: boolean | undefined): Promise<never> {
  const release = takeLock(settings.data)
  const asked = stopSignal()
  process.on('uncaughtException', crash)
  const app = await openedApp(settings)
  const server = await startServer(app, { host: settings.host, port: settings.port })
  process.on('exit', () => withdraw(settings.data))
  announce(settings.data, { pid: process.pid, url: app.baseUrl, started_at: new Date().toISOString() })
  const stopTicks = startTicks(app)
  await greet(app, asJson)
  errorLog.info('stopping', { signal: await asked })
  await Promise.race([server.close(), pause(patience)])
  await stopTicks()
  await app.store.close()
  release()
  process.exit(exits.ok)
}

async function openedApp(settings: Settings): Promise<App> {
  const app = openApp({ settings, clock: systemClock, modules, log: errorLog })
  if (app.store.applied.length > 0) errorLog.info('the database was made or brought up to date', { applied: app.store.applied })
  const revived = await applyRevocations(app.store, app.clock, settings.data)
  if (revived.length > 0) errorLog.warn('an older database brought revoked keys back; they were revoked again', { keys: revived })
  return app
}

/** After an error that nothing caught, nobody knows what state this process is in. */
function crash(error: Error): void {
  errorLog.error('an error that nothing caught', { error: error.stack ?? error.message })
  process.exit(exits.internal)
}

/** The first signal to stop; the second one does not wait for anything. */
function stopSignal(): Promise<string> {
  return new Promise(resolve => {
    let stopping = false
    for (const [signal, number] of [['SIGINT', 2], ['SIGTERM', 15], ['SIGHUP', 1]] as const) {
      process.on(signal, () => {
        if (stopping) process.exit(128 + number)
        stopping = true
        resolve(signal)
      })
    }
  })
}

async function greet(app: App, asJson: boolean | undefined): Promise<void> {
  const { baseUrl, settings, store, clock } = app
  const setup = (await isUnused(store)) ? `${baseUrl}/setup?token=${await makeSetupToken(store, clock)}` : undefined
  const where = { url: baseUrl, mcp_url: `${baseUrl}/mcp`, pid: process.pid, data: settings.data, version }
  print(asJson, setup ? { ...where, setup_url: setup } : where, () => `${whereLines(app)}\n${setup ? firstSteps(setup) : nextSteps}`)
}

function whereLines({ baseUrl, settings }: App): string {
  return `Workspace ${version} at ${baseUrl}\n  MCP   ${baseUrl}/mcp\n  REST  ${baseUrl}/api\n  Data  ${settings.data}\n`
}

function firstSteps(link: string): string {
  return `Nobody is here yet. Open this link to begin; it works once, for 15 minutes:

  ${link}

Or in a terminal: workspace orgs create --name …, then workspace users create --email … --name … --admin`
}

const nextSteps = 'Next: workspace keys create --user … --name …   makes a key, and shows how to connect an assistant with it'
