import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { recordForEachOrg } from '../../audit/act.ts'
import { addHeads } from '../../audit/heads.ts'
import { verifyCalls } from '../../audit/verify.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { NewerSchema, newestVersion } from '../../db/migrate.ts'
import { sqliteConnection } from '../../db/dialect.ts'
import { databasePath, openStore } from '../../db/open.ts'
import { findFaults } from '../../db/whole.ts'
import { applyRevocations } from '../../keys/issue.ts'
import { readRevocationList, readRevocations, recordRevocation } from '../../keys/revocations.ts'
import { unpack } from './archive.ts'
import { rowCountsOf } from './contents.ts'
import type { Manifest } from './manifest.ts'
import { settleRestored } from './settle.ts'
import { quantity } from '../../kernel/text/quantity.ts'

export interface RestoreResult {
  manifest: Manifest
  /** Rows of each table, as they were backed up. */
  rows: Record<string, number>
  /** Keys that were revoked since the backup, and stay revoked. */
  kept_revoked: string[]
  settled: { table: string; says: string; rows: number }[]
  /** Migrations applied to reach this program's schema. */
  applied: string[]
}

export interface RestoreOptions {
  archive: string
  dataDir: string
  clock: Clock
  /** The list of revoked keys of the lost instance. */
  revokedLog?: string | undefined
}

/**
 * Restores a backup into an empty or new folder. Everything is verified before the result counts as a workspace; on
 * failure the folder is left as it was.
 * @throws Refusal, NewerSchema
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { archive, dataDir } = options
  if (!existsSync(archive)) throw new Refusal('not_found', `There is no backup ${archive}.`)
  if (options.revokedLog !== undefined && !existsSync(options.revokedLog))
    throw new Refusal('not_found', `There is no revoked.log at ${options.revokedLog}.`)
  const entries = existsSync(dataDir) ? readdirSync(dataDir) : undefined
  if (entries?.some((name) => name !== 'lost+found'))
    throw new Refusal(
      'conflict',
      `${dataDir} is not empty.`,
      'Restore into an empty folder, so that nothing is overwritten.',
    )
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    const manifest = await unpack(archive, dataDir)
    const rows = await checkRestored(databasePath(dataDir), manifest)
    return { manifest, rows, ...(await settleState(options, manifest)) }
  } catch (error) {
    for (const name of readdirSync(dataDir))
      if (!entries?.includes(name)) rmSync(join(dataDir, name), { recursive: true })
    if (!entries) rmSync(dataDir, { recursive: true })
    throw error
  }
}

/** Verifies a restored database and compares it with the manifest. Returns its row counts. */
async function checkRestored(path: string, manifest: Manifest): Promise<Record<string, number>> {
  const supportedVersion = newestVersion()
  if (manifest.schema_version > supportedVersion)
    throw new NewerSchema(
      `The backup is from a newer workspace (${manifest.version}, schema version ${manifest.schema_version}); this program knows ${supportedVersion}. Restore it with that version.`,
    )
  const db = new Database(path, { readonly: true })
  try {
    const rows = rowCountsOf(db)
    const broken = (await verifyCalls(sqliteConnection(db)))
      .filter((chain) => chain.broken)
      .map((chain) => `the call log is broken at entry ${chain.broken!.seq}: ${chain.broken!.why}`)
    const wrongCounts = Object.keys({ ...rows, ...manifest.rows })
      .filter((table) => rows[table] !== manifest.rows[table])
      .map(
        (table) =>
          `${table} has ${quantity(rows[table] ?? 0, 'row')}, not ${manifest.rows[table] ?? 'none'}`,
      )
    const faults = [...findFaults(db), ...broken, ...wrongCounts]
    if (faults.length > 0)
      throw new Refusal(
        'invalid_argument',
        `The backup is damaged: ${faults.join('; ')}.`,
        'Nothing was restored. Use another backup.',
      )
    return rows
  } finally {
    db.close()
  }
}

/** Settles state that must not simply continue from the moment of the backup. */
async function settleState(
  { dataDir, clock, archive, revokedLog }: RestoreOptions,
  manifest: Manifest,
): Promise<Omit<RestoreResult, 'manifest' | 'rows'>> {
  mergeRevocations(dataDir, revokedLog)
  const store = openStore(dataDir)
  try {
    const kept_revoked = await applyRevocations(store, clock, dataDir)
    const settled = await store.writer.run(async () => {
      await recordForEachOrg(store, {
        tool: 'restore',
        route: 'workspace restore',
        kind: 'destructive',
        via: 'cli',
        at: clock.now(),
        items: [],
        arguments: {
          file: basename(archive),
          backed_up_at: manifest.created_at,
          kept_revoked: kept_revoked.length,
        },
      })
      return settleRestored(store.raw.write, manifest.created_at, clock.now())
    })
    addHeads(dataDir, 'restored', manifest.heads, clock.now())
    return { kept_revoked, settled, applied: [...store.applied] }
  } finally {
    await store.close()
  }
}

/** Adds the lost instance's later revocations to the backup's list of revoked keys. */
function mergeRevocations(dataDir: string, revokedLog: string | undefined): void {
  if (revokedLog === undefined) return
  const revokedIds = new Set(readRevocations(dataDir).map((revocation) => revocation.key_id))
  for (const item of readRevocationList(revokedLog))
    if (!revokedIds.has(item.key_id)) recordRevocation(dataDir, item)
}
