// `npm run dev`: the server from the sources on a demo workspace of its own, and the web app in front of it. The server is
// started again when a source of it changes; Vite follows those of the web app by itself. Ctrl-C ends both.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync, rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { refreshWebTypes } from './generated.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DEBOUNCE_MS = 100
const STOP_MS = 500
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

let server: ChildProcess
let restarting = Promise.resolve()
let stopping = false

function main(): void {
  if (!existsSync(data)) createData()
  refreshWebTypes()
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

function startServer(): ChildProcess {
  spawnSync(process.execPath, ['tools/apps-build.mjs'], { cwd: ROOT, stdio: 'inherit' }) // the server finds the views there
  const child = spawn(
    process.execPath,
    ['src/cli/main.ts', 'serve', '--data', data, '--port', options.port, '--log-level', 'warn'],
    { cwd: ROOT, env: environment, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  child.once('exit', (code) => {
    if (code) process.stderr.write(STOPPED)
  })
  return child
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
  const changed = () => {
    clearTimeout(timer)
    timer = setTimeout(() => (restarting = restarting.then(restart)), DEBOUNCE_MS)
  }
  watch(join(ROOT, 'src'), { recursive: true }, (_event, path) => {
    if (path && isServerSource(path)) changed()
  })
  watch(ROOT, (_event, path) => {
    if (path === 'schema.sql') changed()
  })
}

function isServerSource(path: string): boolean {
  return /\.(ts|sql)$|^apps\//.test(path) && !/^(web|web-tests|testing)\/|\.test\.ts$/.test(path)
}

async function restart(): Promise<void> {
  if (stopping) return
  await end(server)
  if (!stopping) server = startServer()
}

async function stop(web: ChildProcess): Promise<void> {
  if (stopping) return
  stopping = true
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
