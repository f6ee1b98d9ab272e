// `npm run dev`: runs the server from the sources on its own demo workspace, with the web app in front of it. The
// server is restarted when its sources change; Vite follows those of the web app itself. Ctrl-C ends both. Loading the
// sources takes most of a start. Therefore the next server waits beside the current one, with everything loaded that
// does not depend on recently changed folders; a change elsewhere costs a full start.

import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync, rmSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { addImports, independentOf, type Imports } from './dev-imports.ts'
import type { ImportReport, LoadRequest, RestRequest, ServeRequest } from './dev-server.ts'
import { refreshWebTypes } from './generated.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DEBOUNCE_MS = 50
const STOP_MS = 500
/** Milliseconds for which a server has the processor to itself before the next one is loaded. */
const STANDBY_DELAY_MS = 500
const RECENT_FOLDERS = 5
const EMAIL = 'dev@example.com'
const PASSWORD = 'only-for-development'

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '8420' },
    'web-port': { type: 'string', default: '5173' },
    data: { type: 'string', default: join(ROOT, 'node_modules/.cache/dev') },
  },
})
const url = `http://127.0.0.1:${options.port}`
const data = join(options.data, 'data')
const STOPPED = `The server stopped; it starts again when a source changes. If its database is newer than the sources, for example after a change of branch, delete ${options.data} to start with new sample data.
`
const environment = {
  ...process.env,
  WORKSPACE_MASTER_KEY_FILE: join(options.data, 'master.key'),
  WORKSPACE_URL: url,
}

/** A waiting server, with its loaded modules. */
interface Standby {
  child: ChildProcess
  loaded: ReadonlySet<string>
}

const imports: Imports = new Map()
/** Recently changed folders, as URLs, newest first. */
let recentFolders: string[] = []
let standby: Standby | undefined
let server: ChildProcess
let restarting = Promise.resolve()
let stopping = false

function main(): void {
  if (!existsSync(data)) createData()
  refreshWebTypes()
  buildApps()
  server = startServer()
  const web = startWeb()
  watchSources()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void stop(web))
  web.once('exit', () => void stop(web))
  process.stdout.write(
    `Web app http://127.0.0.1:${options['web-port']}/  server ${url}  sign in as ${EMAIL} with ${PASSWORD}\n`,
  )
}

/**
 * The demo data and a person who can sign in; created beside the final path and renamed, so that an interrupted
 * creation is repeated.
 */
function createData(): void {
  const unfinished = `${data}.new`
  rmSync(unfinished, { recursive: true, force: true })
  command('demo', '--data', unfinished)
  command(
    'users',
    'create',
    '--email',
    EMAIL,
    '--name',
    'Dev',
    '--admin',
    '--password-stdin',
    '--data',
    unfinished,
  )
  renameSync(unfinished, data)
}

function command(...args: string[]): void {
  const { status } = spawnSync(process.execPath, ['src/cli/main.ts', ...args], {
    cwd: ROOT,
    env: environment,
    input: `${PASSWORD}\n`,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`workspace ${args.join(' ')} failed.`)
}

/** Builds the views for MCP hosts where the server looks for them. */
function buildApps(): void {
  spawnSync(process.execPath, ['tools/apps-build.mjs'], { cwd: ROOT, stdio: 'inherit' })
}

/** Starts a process that loads modules, and serves when requested. */
function load(modules: readonly string[]): Standby {
  const child = fork(join(ROOT, 'tools/dev-server.ts'), {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.send({ modules } satisfies LoadRequest)
  return { child, loaded: new Set(modules) }
}

/**
 * Starts the server after changes of these sources, using the loaded process if it does not contain them. The rest is
 * loaded while the previous one ends.
 */
function startServer(changed: readonly string[] = [], ended = Promise.resolve()): ChildProcess {
  if (!standby?.child.connected || changed.some((url) => standby?.loaded.has(url))) endStandby()
  const { child } = standby ?? load([])
  standby = undefined
  const args = ['serve', '--data', data, '--port', options.port, '--log-level', 'warn']
  child.send('rest' satisfies RestRequest)
  void ended.then(() => child.connected && child.send({ args } satisfies ServeRequest))
  child.once('message', (report) => {
    addImports(imports, (report as ImportReport).imports)
    setTimeout(() => prepareStandby(child), STANDBY_DELAY_MS)
  })
  child.once('exit', (code) => {
    if (code) process.stderr.write(STOPPED)
  })
  return child
}

/** Loads the next server, if the current one is still serving. */
function prepareStandby(before: ChildProcess): void {
  if (stopping || standby || server !== before) return
  standby = load(independentOf(imports, (url) => recentFolders.includes(dirname(url))))
}

function endStandby(): void {
  standby?.child.kill('SIGKILL')
  standby = undefined
}

function startWeb(): ChildProcess {
  const vite = ['node_modules/vite/bin/vite.js', 'src/web', '--strictPort', '--logLevel', 'warn']
  return spawn(process.execPath, [...vite, '--host', '127.0.0.1', '--port', options['web-port']], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

function watchSources(): void {
  let timer: NodeJS.Timeout | undefined
  const changes = new Set<string>()
  const changed = (path: string) => {
    changes.add(path)
    clearTimeout(timer)
    timer = setTimeout(() => {
      const paths = [...changes]
      changes.clear()
      restarting = restarting.then(() => restart(paths))
    }, DEBOUNCE_MS)
  }
  watch(join(ROOT, 'src'), { recursive: true }, (_event, path) => {
    if (path && isServerSource(path)) changed(join('src', path))
  })
  watch(ROOT, (_event, path) => {
    if (path === 'schema.sql') changed(path)
  })
}

function isServerSource(path: string): boolean {
  return /\.(ts|sql)$|^apps\//.test(path) && !/^(web|web-tests|testing)\/|\.test\.ts$/.test(path)
}

async function restart(paths: readonly string[]): Promise<void> {
  if (stopping) return
  const urls = paths.map((path) => pathToFileURL(join(ROOT, path)).href)
  recentFolders = [...new Set([...urls.map((url) => dirname(url)), ...recentFolders])].slice(
    0,
    RECENT_FOLDERS,
  )
  if (paths.some((path) => path.startsWith(join('src', 'apps')))) buildApps()
  const ended = end(server)
  server = startServer(urls, ended)
  await ended
}

async function stop(web: ChildProcess): Promise<void> {
  if (stopping) return
  stopping = true
  endStandby()
  await Promise.all([restarting, end(web), end(server)])
  process.exit()
}

/** Stops a process; kills it if it does not end in time. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  child.kill('SIGTERM')
  await ended
  clearTimeout(timer)
}

main()
