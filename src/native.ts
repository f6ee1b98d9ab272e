// Native add-ons of the executable. The operating system loads code from files only, so each add-on is extracted to a
// private folder, named after its content. Anyone who can write there could inject code, so owner, mode and content are
// verified before loading.

import { randomBytes } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import { heldFile, heldIn } from './executable.ts'

/** Thrown if there is no folder to load an add-on from; the message says what to do. */
export class NoAddon extends Error {}

const loaded = new Map<string, unknown>()
const dayLong = 24 * 3_600_000

/**
 * Loads a native add-on by file name and returns its exports. @public The executable's loader calls it by name.
 * @throws NoAddon
 */
export function loadAddon(name: string): unknown {
  if (!loaded.has(name)) loaded.set(name, loadNativeModule(name))
  return loaded.get(name)
}

function loadNativeModule(name: string): unknown {
  const first = getEnvironmentData(name) as Laid | undefined
  if (first) return opened(stillThere(first))
  const paths = heldIn('native/')
  const path = paths.find((path) => basename(path) === name)
  if (path === undefined) throw new NoAddon(`${name} is not part of this program.`)
  const libraries = paths.filter((other) => other !== path && dirname(other) === dirname(path))
  const reasons: string[] = []
  for (const folderOf of [...caches().map((folder) => () => join(folder, 'native')), fresh]) {
    try {
      const folder = folderOf()
      for (const library of libraries) layOut(folder, library, heldFile(`native/${library}`))
      const file = layOut(folder, path, heldFile(`native/${path}`))
      keepInUse(dirname(file))
      const exports = opened(file)
      setEnvironmentData(name, laidAt(file))
      dropUnused(folder, Date.now())
      return exports
    } catch (error) {
      reasons.push((error as Error).message)
    }
  }
  throw new NoAddon(adviceOn(name, reasons))
}

function opened(file: string): unknown {
  const addon = { exports: {} }
  process.dlopen(addon, file)
  return addon.exports
}

/** The file from which the process loaded an add-on. */
export interface Laid {
  file: string
  ino: bigint
}

export function laidAt(file: string): Laid {
  return { file, ino: statSync(file, { bigint: true }).ino }
}

/**
 * Threads load the same file as the first one: two copies of SQLite in a process would release each other's locks.
 * @throws NoAddon where it is gone
 */
export function stillThere({ file, ino }: Laid): string {
  if (statSync(file, { bigint: true, throwIfNoEntry: false })?.ino === ino) return file
  throw new NoAddon(`${file} was removed or replaced while this program runs. Start it again.`)
}

/** Marks this folder as in use by updating its modification time once a day. */
function keepInUse(folder: string): void {
  const touch = () => {
    try {
      utimesSync(folder, new Date(), new Date())
    } catch {
      // it belongs to root: a user who may not touch it may not remove it, either
    }
  }
  touch()
  setInterval(touch, dayLong).unref()
}

/** Removes add-ons, mostly of other versions, that have not been used for 30 days. */
export function dropUnused(folder: string, now: number): void {
  for (const name of readdirSync(folder).filter((name) => /^[0-9a-f]{64}$/.test(name))) {
    const place = join(folder, name)
    try {
      if (now - lstatSync(place).mtimeMs > 30 * dayLong) rmSync(place, { recursive: true })
    } catch {
      // it belongs to another user, or a concurrent start was faster
    }
  }
}

function caches(): string[] {
  const { CACHE_DIRECTORY, XDG_CACHE_HOME, HOME } = process.env
  const ofService = CACHE_DIRECTORY?.split(':')[0]
  if (ofService && isAbsolute(ofService)) return [ofService]
  if (XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME)) return [join(XDG_CACHE_HOME, 'workspace')]
  return HOME && isAbsolute(HOME) && existsSync(HOME) ? [join(HOME, '.cache', 'workspace')] : []
}

function fresh(): string {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Extracts an add-on, or a library that it loads, to a file below a folder; `path`: the hash of all of them, and its
 * name. Writes a temporary file and renames it, so that concurrent or interrupted starts leave nothing half done.
 * @throws Error where another user could change it
 */
export function layOut(folder: string, path: string, content: Uint8Array): string {
  const place = join(folder, dirname(path))
  ensurePrivateFolder(place)
  const file = join(realpathSync(place), basename(path))
  requirePrivate(dirname(file), 0o022)
  if (isWhole(file, content)) return file
  const beside = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(beside, content, { mode: 0o500, flag: 'wx' })
  renameSync(beside, file)
  if (!isWhole(file, content)) throw new Error(`${file} is not what was written there.`)
  return file
}

/** Does not use `recursive`: it never returns in /proc, and as root it would create folders in another user's home. */
function ensurePrivateFolder(folder: string): void {
  if (existsSync(folder)) return requirePrivate(realpathSync(folder))
  ensurePrivateFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // else another start was faster
  }
}

/**
 * `open`: mode bits that the folder must not have. @throws Error where others than root and the one who runs this
 * could put something in its place
 */
function requirePrivate(folder: string, open?: number): void {
  const stats = lstatSync(folder)
  const isSticky = (stats.mode & 0o1000) !== 0 // what is in it, only its owner can replace
  if (!isOurs(stats, isSticky ? 0 : (open ?? outside(stats))))
    throw new Error(`${folder} can be changed by others.`)
  if (folder !== dirname(folder)) requirePrivate(dirname(folder))
}

/** The own group may write to parent folders: it is often that of one person or one container (fsGroup). */
function outside({ gid }: Stats): number {
  return gid === process.getegid?.() ? 0o002 : 0o022
}

function isWhole(file: string, content: Uint8Array): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (!stats?.isFile() || !isOurs(stats, 0o022)) return false
  return readFileSync(file).equals(content)
}

/**
 * True if it belongs to root or to the current user, and its mode has none of the bits `open`. Windows has neither;
 * there a home directory belongs to its user.
 */
function isOurs({ uid, mode }: Stats, open: number): boolean {
  const processUid = process.geteuid?.()
  return processUid === undefined || ((uid === processUid || uid === 0) && (mode & open) === 0)
}

function adviceOn(name: string, reasons: string[]): string {
  const glibc = reasons
    .map((reason) => /GLIBC_([\d.]+)' not found/.exec(reason)?.[1])
    .find((version) => version !== undefined)
  if (glibc)
    return `This system is too old: its C library (glibc) is older than ${glibc}. Debian 12, Ubuntu 22.04 and RHEL 9 are new enough.`
  return `${name} cannot be loaded: ${reasons.map((reason) => reason.replace(/\.$/, '')).join('; ')}. It needs a folder that only you can write to, on a file system from which programs may run; name one in XDG_CACHE_HOME.`
}
