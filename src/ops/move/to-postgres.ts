import { existsSync, renameSync } from 'node:fs'
import { verifyCalls, type ChainReport } from '../../audit/verify.ts'
import { recordForEachOrg } from '../../audit/act.ts'
import type { TableDigest } from '../../db/move/digest.ts'
import { moveIntoPostgres } from '../../db/move/into-postgres.ts'
import { copyVectors } from '../../db/move/sqlite.ts'
import { databasePath, openStore, type Store } from '../../db/open.ts'
import { openPostgres } from '../../db/postgres/open.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { indexColumns } from '../../search/index.ts'

export interface MoveOptions {
  dataDir: string
  /** The PostgreSQL database. */
  url: string
  clock: Clock
  /** Called for each copied table. */
  onTableCopied: (table: TableDigest) => void
}

export interface MoveResult {
  tables: TableDigest[]
  /** The call log in the new database. */
  chains: ChainReport[]
  /** Path of the database that is no longer in use; undefined: it remains at its server. */
  kept?: string
}

/** Suffix of the database file once the workspace is in PostgreSQL. */
const keptSuffix = '-before-postgres'

/**
 * Moves a workspace from SQLite into an empty PostgreSQL database. The file is kept under another name. The caller
 * holds the lock of the data folder.
 * @throws Refusal, NoDatabase, OlderSchema, DatabaseUnusable; in each case nothing was moved
 */
export async function moveToPostgres({
  dataDir,
  url,
  clock,
  onTableCopied,
}: MoveOptions): Promise<MoveResult> {
  const path = databasePath(dataDir)
  const oldPath = `${path}${keptSuffix}`
  if (existsSync(oldPath))
    throw new Refusal(
      'conflict',
      `${oldPath} is there already, from an earlier move.`,
      'Put it elsewhere or delete it, and move again.',
    )
  const source = openStore(dataDir, 'command')
  let tables: TableDigest[]
  try {
    source.raw.write.exec('BEGIN IMMEDIATE') // blocks writes until everything is copied
    try {
      tables = await moveIntoPostgres(source.raw.write, url, onTableCopied)
    } finally {
      source.raw.write.exec('ROLLBACK')
    }
    source.raw.write.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    await source.close()
  }
  const target = await openPostgres({ url, dataDir, role: 'command', indexColumns })
  try {
    await target.index.refresh()
    copyVectors(path, target.index.raw.write)
    await recordMove(target, clock, { to: 'postgres', tables })
    const chains = await verifyCalls(target.read)
    renameSync(path, oldPath)
    return { tables, chains, kept: oldPath }
  } finally {
    await target.close()
  }
}

/** Adds the move to the call log of each organization. */
export async function recordMove(
  store: Store,
  clock: Clock,
  { to, tables }: { to: 'postgres' | 'sqlite'; tables: readonly TableDigest[] },
): Promise<void> {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  await store.writer.run(
    async () =>
      await recordForEachOrg(store, {
        tool: 'migrate',
        route: 'workspace migrate',
        kind: 'write',
        via: 'cli',
        at: clock.now(),
        items: [],
        arguments: { to, rows },
      }),
  )
}
