import { createHash } from 'node:crypto'
import {
  copyFileSync,
  createReadStream,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Database from 'better-sqlite3'
import { recordForEachOrg } from '../../audit/act.ts'
import { chainEnds, headsPath, signHeads } from '../../audit/heads.ts'
import { syncDirectory } from '../../audit/lines.ts'
import { verifyCalls } from '../../audit/verify.ts'
import { blobName, storedBlobs } from '../../files/blobs.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { sqliteConnection } from '../../db/dialect.ts'
import type { Store } from '../../db/open.ts'
import { freeSpace } from '../../db/space.ts'
import { pack, unpack } from './archive.ts'
import { findFaults } from '../../db/whole.ts'
import { contentsQuery, rowCountsOf, sealedRows } from './contents.ts'
import { manifestName, type BackedUpFile, type Manifest } from './manifest.ts'

export interface Backup {
  path: string
  bytes: number
  manifest: Manifest
  /** Older backups that were removed. */
  removed: string[]
}

export interface BackupOptions {
  store: Store
  dataDir: string
  /** The program's version. */
  version: string
  now: number
  /** Destination: a folder, or a file that does not exist yet. */
  to: string
  /** Number of backups to keep in the folder. */
  keep?: number | undefined
}

const suffix = '.tar.zst'

/** True if the destination of a backup is a file. */
export const isArchiveName = (to: string) => to.endsWith(suffix)

/**
 * Backs up a workspace, even while its server is running: a snapshot of the database, and its files. Reads and
 * verifies both the copy and the archive, and removes incomplete results.
 * @throws Refusal if anything differs
 */
export async function makeBackup(options: BackupOptions): Promise<Backup> {
  const archive = archivePath(options)
  const folder = dirname(archive)
  makeFolder(folder)
  if (existsSync(archive))
    throw new Refusal('conflict', `${archive} already exists.`, 'Name another file, or a folder.')
  removeStale(folder)
  checkSpace(options.store.path, folder)
  const draft = mkdtempSync(join(folder, '.backup-'))
  try {
    const manifest = await gather(options, draft)
    const packed = join(draft, basename(archive))
    await pack(
      draft,
      manifest.files.map((file) => file.name),
      packed,
    )
    await unpack(packed) // verifies the whole archive
    renameSync(packed, archive)
    syncDirectory(folder)
    const backup = {
      path: archive,
      bytes: statSync(archive).size,
      manifest,
      removed: options.keep === undefined ? [] : rotate(folder, options.keep),
    }
    await recordBackup(options, backup)
    return backup
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

const draftName = /^\.backup-[A-Za-z0-9]{6}$/
/** Milliseconds without a write after which a draft belongs to a killed backup. */
const staleAfterMs = 60 * 60_000

/** Removes database copies left by killed backups. */
function removeStale(folder: string): void {
  for (const name of readdirSync(folder).filter((name) => draftName.test(name))) {
    const draft = join(folder, name)
    const newest = Math.max(
      statSync(draft).mtimeMs,
      ...readdirSync(draft).map((file) => statSync(join(draft, file)).mtimeMs),
    )
    if (newest < Date.now() - staleAfterMs) rmSync(draft, { recursive: true, force: true })
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Refusal(
      'invalid_argument',
      `Backups cannot be written to ${folder}: ${(error as Error).message}.`,
      'Name another folder with --to.',
    )
  }
}

function archivePath({ to, now }: BackupOptions): string {
  if (isArchiveName(to)) return to
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  return join(to, `workspace-${stamp}${suffix}`)
}

/** Space for the copy and the archive, which is at most as large. */
function checkSpace(database: string, folder: string): void {
  const needed =
    2 *
    (statSync(database).size +
      (statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0) +
      contentBytes(dirname(database)))
  const free = freeSpace(folder)
  if (free < needed)
    throw new Refusal(
      'storage_full',
      `${folder} has ${megabytes(free)} free, and a backup may need ${megabytes(needed)}.`,
      'Free some space, or name another folder with --to.',
    )
}

function contentBytes(dataDir: string): number {
  let bytes = 0
  for (const { size } of storedBlobs(dataDir)) bytes += size
  return bytes
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 10 ** 6)} MB`

/**
 * Copies the heads of the call log before the database, so that none is signed for an entry missing from the copy,
 * and the revoked keys after it, so that every key revoked in the copy is included.
 */
async function gather(
  { store, dataDir, version, now }: BackupOptions,
  draft: string,
): Promise<Manifest> {
  await signHeads(store.read, dataDir, now)
  const copyExisting = (names: readonly string[]) =>
    names.filter((name) => existsSync(join(dataDir, name)) && copyInto(dataDir, draft, name))
  const signed = copyExisting([basename(headsPath(dataDir)), 'audit.pub'])
  const database = join(draft, 'workspace.db')
  writeFileSync(database, '', { mode: 0o600 })
  store.raw.read.prepare('VACUUM INTO ?').run(database)
  const others = copyExisting(['revoked.log', ...contentsIn(dataDir, database)])
  const files: BackedUpFile[] = []
  for (const name of ['workspace.db', ...signed, ...others])
    files.push(await describeFile(draft, name))
  const manifest: Manifest = {
    format: 1,
    version,
    created_at: new Date(now).toISOString(),
    files,
    ...(await checkCopy(database)),
  }
  writeFileSync(join(draft, manifestName), JSON.stringify(manifest, undefined, 2), { mode: 0o600 })
  return manifest
}

function copyInto(from: string, to: string, name: string): true {
  mkdirSync(dirname(join(to, name)), { recursive: true, mode: 0o700 })
  copyFileSync(join(from, name), join(to, name))
  return true
}

/**
 * Uploaded contents that the copied database names, and no others. A missing one does not fail the backup; `workspace
 * doctor`
 * reports it.
 */
function contentsIn(dataDir: string, database: string): string[] {
  const db = new Database(database, { readonly: true })
  try {
    const contents = db.prepare(contentsQuery).all() as { sha256: string }[]
    return contents
      .map(({ sha256 }) => blobName(sha256))
      .filter((name) => existsSync(join(dataDir, name)))
  } finally {
    db.close()
  }
}

/** Verifies a copy in full and returns its description. */
async function checkCopy(
  path: string,
): Promise<Pick<Manifest, 'schema_version' | 'rows' | 'heads' | 'sealed_rows'>> {
  const db = new Database(path, { readonly: true })
  try {
    const read = sqliteConnection(db)
    const broken = (await verifyCalls(read)).find((chain) => chain.broken)?.broken
    const faults = [
      ...findFaults(db),
      ...(broken ? [`the call log is broken at entry ${broken.seq}: ${broken.why}`] : []),
    ]
    if (faults.length > 0)
      throw new Refusal(
        'conflict',
        `The copy is damaged, so it was discarded: ${faults.join('; ')}.`,
        'Check the database with `workspace doctor`.',
      )
    return {
      schema_version: db.pragma('user_version', { simple: true }) as number,
      rows: rowCountsOf(db),
      heads: await chainEnds(read),
      sealed_rows: sealedRows(db),
    }
  } finally {
    db.close()
  }
}

async function describeFile(folder: string, name: string): Promise<BackedUpFile> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(join(folder, name)), hash)
  return { name, bytes: statSync(join(folder, name)).size, sha256: hash.digest('hex') }
}

/** Removes all but the newest backups of a folder; only files with our naming scheme. */
function rotate(folder: string, keep: number): string[] {
  const all = globSync(`workspace-*${suffix}`, { cwd: folder })
    .filter((name) => /^workspace-\d{8}T\d{6}Z\.tar\.zst$/.test(name))
    .sort()
  const old = all.slice(0, Math.max(0, all.length - keep)).map((name) => join(folder, name))
  for (const path of old) rmSync(path)
  return old
}

async function recordBackup(
  { store, now }: BackupOptions,
  { path, bytes, manifest, removed }: Backup,
): Promise<void> {
  const { sha256 } = manifest.files[0]!
  const loggedArguments = {
    file: basename(path),
    bytes,
    database_sha256: sha256,
    removed: removed.length,
  }
  await store.writer.run(
    async () =>
      await recordForEachOrg(store, {
        tool: 'back_up',
        route: 'workspace backup',
        kind: 'write',
        via: 'cli',
        at: now,
        items: [],
        arguments: loggedArguments,
      }),
  )
}
