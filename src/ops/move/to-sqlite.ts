import { existsSync, rmSync } from 'node:fs'
import { verifyCalls } from '../../audit/verify.ts'
import { moveIntoSqlite } from '../../db/move/into-sqlite.ts'
import { databasePath, openStore } from '../../db/open.ts'
import { connectLocked } from '../../db/move/postgres-source.ts'
import { openPostgres } from '../../db/postgres/open.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { indexColumns } from '../../search/index.ts'
import { recordMove, type MoveResult, type MoveOptions } from './to-postgres.ts'

/**
 * Moves a workspace from PostgreSQL into a SQLite file in its data folder. The PostgreSQL database is left unchanged.
 * The caller holds the lock of the data folder.
 * @throws Refusal, NoDatabase, OlderSchema, DatabaseUnusable; in each case nothing was moved
 */
export async function moveToSqlite({
  dataDir,
  url,
  clock,
  onTableCopied,
}: MoveOptions): Promise<MoveResult> {
  const path = databasePath(dataDir)
  if (existsSync(path))
    throw new Refusal(
      'conflict',
      `${path} is there already.`,
      'Put it elsewhere, or name another folder with --data that has a copy of the other files.',
    )
  const source = await openPostgres({ url, dataDir, role: 'command', indexColumns })
  const indexPath = source.index.path
  const locked = await connectLocked(url).catch(async (error) => {
    await source.close()
    throw error
  })
  let tables: MoveResult['tables']
  try {
    await source.index.refresh()
    tables = await moveIntoSqlite({
      source: locked,
      path,
      indexPath,
      indexColumns,
      onTableMoved: onTableCopied,
    })
  } finally {
    await locked.end()
    await source.close()
  }
  const target = openStore(dataDir, 'command')
  try {
    await recordMove(target, clock, { to: 'sqlite', tables })
    const chains = await verifyCalls(target.read)
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${indexPath}${suffix}`, { force: true })
    return { tables, chains }
  } finally {
    await target.close()
  }
}
