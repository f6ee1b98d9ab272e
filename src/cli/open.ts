import type { App } from '../operations/app.ts'
import { systemClock, type Clock } from '../kernel/time/clock.ts'
import { Refusal } from '../kernel/refusal.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import type { ProcessRole, Store } from '../db/open.ts'
import type { Common } from './command.ts'
import { Stop } from './exit.ts'
import { runningServer } from './server/running-server.ts'

export interface Opened {
  store: Store
  clock: Clock
  settings: Settings
}

/** Settings from flags and environment variables. */
export function settingsOf(flags: object): Settings {
  try {
    return readSettings(flags as Record<string, unknown>)
  } catch (error) {
    if (error instanceof Refusal) throw new Stop('configuration', error.message)
    throw error
  }
}

/** Refuses commands that work only on an SQLite file. `instead`: the alternative on PostgreSQL. @throws Stop */
export function requireSqlite(
  { database }: Pick<Settings, 'database'>,
  command: string,
  instead: string,
): void {
  if (database !== '')
    throw new Stop(
      'usage',
      `\`${command}\` works on SQLite only, and WORKSPACE_DATABASE names a PostgreSQL database. ${instead}`,
    )
}

/**
 * Runs a command's work on the database, even while a server is running. `begin` creates the database if there is
 * none.
 */
export async function withStore<T>(
  options: Pick<Common, 'data'>,
  work: (opened: Opened) => Promise<T>,
  role: ProcessRole = 'command',
): Promise<T> {
  const settings = settingsOf({ data: options.data })
  const { openDatabase } = await import('../start.ts')
  const store = await openDatabase(settings, role)
  try {
    return await work({ store, clock: systemClock, settings })
  } finally {
    await store.close()
  }
}

/** The same for work that calls operations. */
export async function withApp<T>(
  cliOptions: Pick<Common, 'data'>,
  work: (app: App) => Promise<T>,
  role: ProcessRole = 'command',
): Promise<T> {
  return withAppOf(settingsOf({ data: cliOptions.data }), work, role)
}

export async function withAppOf<T>(
  settings: Settings,
  work: (app: App) => Promise<T>,
  role: ProcessRole,
): Promise<T> {
  const [{ openApp }, { modules }, { errorLog }] = await Promise.all([
    import('../start.ts'),
    import('../modules/index.ts'),
    import('./log.ts'),
  ])
  errorLog.setLevel(process.env.WORKSPACE_LOG_LEVEL ? settings.log_level : 'error') // a command says itself what went wrong
  const app = await openApp({ settings, clock: systemClock, modules, log: errorLog, role })
  app.baseUrl = baseUrlOf(settings)
  try {
    return await work(app)
  } finally {
    await app.searchEngine.close()
    await app.store.close()
  }
}

/** Base URL of the workspace: of the running server, else as the settings have it. */
export function baseUrlOf(settings: Settings): string {
  return (
    runningServer(settings.data)?.url ??
    (settings.base_url || `http://${settings.host}:${settings.port}`)
  )
}
