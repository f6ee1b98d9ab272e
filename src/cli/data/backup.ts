import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { isUpgradeDue } from '../../db/migrate.ts'
import { OlderSchema } from '../../db/open.ts'
import { addCommand, print, type CommonOptions } from '../command.ts'
import { CliError } from '../exit.ts'
import { requireSqlite, settingsOf, withStore } from '../open.ts'
import { version } from '../version.ts'
import { quantity } from '../../kernel/text/quantity.ts'

export function registerBackupCommand(program: Command): void {
  addCommand(
    program,
    'backup',
    'Back up the workspace into one file while it runs: a snapshot of the database, revoked keys and the signed heads of the call log. The backup is verified in full; exit code 1 if anything differs. A database of an older version is backed up as it is.',
    [
      'workspace backup',
      'workspace backup --to /mnt/backups --keep 14',
      'workspace backup --to before-the-move.tar.zst --json',
      'workspace backup --before-upgrade',
    ],
  )
    .option(
      '--to <place>',
      'folder, or file name ending in .tar.zst (default: backups in the data folder)',
    )
    .option('--keep <number>', 'number of backups to keep in that folder; older ones are deleted')
    .option(
      '--before-upgrade',
      'back up only if the next start of the server will upgrade the database',
    )
    .action(backup)
}

interface BackupOptions extends CommonOptions {
  to?: string
  keep?: string
  beforeUpgrade?: boolean
}

async function backup(options: BackupOptions): Promise<void> {
  const { isArchiveName, makeBackup } = await import('../../ops/backup/make.ts')
  const keep = options.keep === undefined ? undefined : Number(options.keep)
  if (keep !== undefined && (!Number.isInteger(keep) || keep < 1))
    throw new CliError('usage', '--keep takes a number of backups, at least 1.')
  if (keep !== undefined && isArchiveName(options.to ?? ''))
    throw new CliError('usage', '--keep counts the backups in a folder; --to names a file.')
  const { database } = settingsOf({ data: options.data })
  if (options.beforeUpgrade && database !== '') return requireNoPostgresUpgrade(options)
  requireSqlite({ database }, 'workspace backup', pgDumpAdvice)
  const result = await withStore(
    options,
    async ({ store, clock, settings }) => {
      if (options.beforeUpgrade && !isUpgradeDue(store.raw.read)) return undefined
      return makeBackup({
        store,
        dataDir: settings.data,
        version,
        now: clock.now(),
        to: options.to === undefined ? join(settings.data, 'backups') : resolve(options.to),
        keep,
      })
    },
    'backup',
  )
  if (!result) return printNothingDue(options)
  const { path, bytes, removed, manifest } = result
  print(options.json, { path, bytes, removed, ...manifest }, () => {
    const rows = Object.values(manifest.rows).reduce((sum, value) => sum + value, 0)
    const sealed =
      manifest.sealed_rows > 0
        ? `\n${quantity(manifest.sealed_rows, 'row')} can only be decrypted with the master key, which is not included: keep it elsewhere.`
        : ''
    const removalNote = removed.length > 0 ? `\nRemoved ${removed.length} older.` : ''
    return `${path}\n${(bytes / 10 ** 6).toFixed(1)} MB: ${quantity(rows, 'row')} in ${quantity(Object.keys(manifest.rows).length, 'table')}, ${manifest.files.map((file) => file.name).join(', ')}. Verified.${removalNote}${sealed}`
  })
}

const pgDumpAdvice = 'Back the database up with pg_dump, and copy the data folder.'

/** Backups of PostgreSQL are made with its own tools. @throws Stop if the next start would upgrade the database */
async function requireNoPostgresUpgrade(options: BackupOptions): Promise<void> {
  try {
    await withStore(options, async () => undefined)
  } catch (error) {
    if (!(error instanceof OlderSchema)) throw error
    throw new CliError(
      'refused',
      `The next start of the server upgrades the PostgreSQL database. ${pgDumpAdvice}`,
    )
  }
  printNothingDue(options)
}

function printNothingDue({ json }: BackupOptions): void {
  print(
    json,
    { path: null },
    () => 'The database has the version of this program: no upgrade is due, so no backup was made.',
  )
}
