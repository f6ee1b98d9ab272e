import type { App } from '../operations/app.ts'
import { systemClock, type Clock } from '../kernel/time/clock.ts'
import { Refusal } from '../kernel/refusal.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import type { ProcessRole, Store } from '../db/open.ts'
import type { CommonOptions } from './command.ts'
import { CliError } from './exit.ts'
import { runningServer } from './server/running-server.ts'

export interface CommandContext {
  store: Store
  clock: Clock
  settings: Settings
}

/** Settings from flags and environment variables. */
export function settingsOf(flags: object): Settings {
  try {
    return readSettings(flags as Record<string, unknown>)
  } catch (error) {
    if (error instanceof Refusal) throw new CliError('configuration', error.message)
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
    throw new CliError(
      'usage',
      `\`${command}\` works on SQLite only, and WORKSPACE_DATABASE names a PostgreSQL database. ${instead}`,
    )
}

/**
 * Runs a command's work on the database, even while a server is running. `begin` creates the database if there is
 * none.
 */
export async function withStore<T>(
  options: Pick<CommonOptions, 'data'>,
  work: (opened: CommandContext) => Promise<T>,
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

/** Runs a command's work that calls operations. */
export async function withApp<T>(
  cliOptions: Pick<CommonOptions, 'data'>,
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
  errorLog.setLevel(process.env.WORKSPACE_LOG_LEVEL ? settings.log_level : 'error') // the command itself reports failures
  const app = await openApp({ settings, clock: systemClock, modules, log: errorLog, role })
  app.baseUrl = baseUrlOf(settings)
  try {
    return await work(app)
  } finally {
    await app.searchEngine.close()
    await app.store.close()
  }
}

/** Base URL of the workspace: of the running server, else from the settings. */
export function baseUrlOf(settings: Settings): string {
  return (
    runningServer(settings.data)?.url ??
    (settings.base_url || `http://${settings.host}:${settings.port}`)
  )
}
