// `npm run dev`: the server from the sources on a demo workspace of its own, and the web app in front of it. The server is
// started again when a source of it changes; Vite follows those of the web app by itself. Ctrl-C ends both.
//
// Loading the sources is most of a start. So the next server waits beside the one that serves, with everything loaded that
// does not depend on the folders that were worked in last; a change elsewhere costs a whole start.

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

/** A server that waits to be asked for, and what it has loaded. */
interface Standby {
  child: ChildProcess
  loaded: ReadonlySet<string>
}

const imports: Imports = new Map()
/** Folders in which a source changed last, as URLs, the newest first. */
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

/** The demo data and a person who may sign in; beside the final place, so that what was cut short is made anew. */
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

/** Makes the views for MCP hosts, where the server finds them. */
function buildApps(): void {
  spawnSync(process.execPath, ['tools/apps-build.mjs'], { cwd: ROOT, stdio: 'inherit' })
}

/** Starts a process that loads modules, and serves once it is asked to. */
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
 * Starts the server after changes of these sources, from what is loaded where that is not one of them. It loads the rest while
 * the one before it ends.
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

/** Loads the server that follows another one, if that still serves. */
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

/** Ends a process, at once where it does not end by itself in time. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  child.kill('SIGTERM')
  await ended
  clearTimeout(timer)
}

main()
