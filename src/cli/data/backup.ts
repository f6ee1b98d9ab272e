import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { command, print, type Common } from '../command.ts'
import { Stop } from '../exit.ts'
import { requireSqlite, settingsOf, withStore } from '../open.ts'
import { version } from '../version.ts'

export function registerBackupCommand(program: Command): void {
  command(
    program,
    'backup',
    'Back up the workspace into one file while it runs: a snapshot of the database, revoked keys and the signed heads of the call log. The backup is verified in full; exit code 1 if anything differs.',
    [
      'workspace backup',
      'workspace backup --to /mnt/backups --keep 14',
      'workspace backup --to before-the-move.tar.zst --json',
    ],
  )
    .option(
      '--to <place>',
      'folder, or file name ending in .tar.zst (default: backups in the data folder)',
    )
    .option('--keep <number>', 'number of backups to keep in that folder; older ones are deleted')
    .action(backup)
}

interface Given extends Common {
  to?: string
  keep?: string
}

async function backup(given: Given): Promise<void> {
  const { isArchiveName, makeBackup } = await import('../../ops/backup/make.ts')
  const keep = given.keep === undefined ? undefined : Number(given.keep)
  if (keep !== undefined && (!Number.isInteger(keep) || keep < 1))
    throw new Stop('usage', '--keep takes a number of backups, at least 1.')
  if (keep !== undefined && isArchiveName(given.to ?? ''))
    throw new Stop('usage', '--keep counts the backups in a folder; --to names a file.')
  requireSqlite(
    settingsOf({ data: given.data }),
    'workspace backup',
    'Back the database up with pg_dump, and copy the data folder.',
  )
  const made = await withStore(given, ({ store, clock, settings }) =>
    makeBackup({
      store,
      dataDir: settings.data,
      version,
      now: clock.now(),
      to: given.to === undefined ? join(settings.data, 'backups') : resolve(given.to),
      keep,
    }),
  )
  const { path, bytes, removed, manifest } = made
  print(given.json, { path, bytes, removed, ...manifest }, () => {
    const rows = Object.values(manifest.rows).reduce((sum, value) => sum + value, 0)
    const sealed =
      manifest.sealed_rows > 0
        ? `\n${manifest.sealed_rows} rows can only be decrypted with the master key, which is not included: keep it elsewhere.`
        : ''
    const gone = removed.length > 0 ? `\nRemoved ${removed.length} older.` : ''
    return `${path}\n${(bytes / 10 ** 6).toFixed(1)} MB: ${rows} rows in ${Object.keys(manifest.rows).length} tables, ${manifest.files.map((file) => file.name).join(', ')}. Verified.${gone}${sealed}`
  })
}
