import { resolve } from 'node:path'
import type { Command } from 'commander'
import { quantity } from '../../kernel/text/quantity.ts'
import { addCommand, print, type CommonOptions } from '../command.ts'
import { requireSqlite, settingsOf } from '../open.ts'

export function registerRestoreCommand(program: Command): void {
  addCommand(
    program,
    'restore <backup>',
    'Restore a backup into an empty folder, after verifying it. Revoked keys stay revoked, everybody is signed out, and pending outbound work is held back.',
    [
      'workspace restore workspace-20261120T120000Z.tar.zst --data /srv/workspace-new',
      'workspace restore backup.tar.zst --data /srv/new --revoked-log /srv/lost/revoked.log',
    ],
  )
    .option(
      '--revoked-log <file>',
      'revoked.log of the lost instance: keys revoked after the backup stay revoked, too',
    )
    .option('--rows', 'list how many rows each table has')
    .action(restore)
}

async function restore(
  archive: string,
  options: CommonOptions & { revokedLog?: string; rows?: boolean },
): Promise<void> {
  const [{ restoreBackup }, { systemClock }] = await Promise.all([
    import('../../ops/backup/restore.ts'),
    import('../../kernel/time/clock.ts'),
  ])
  const settings = settingsOf({ data: options.data })
  requireSqlite(
    settings,
    'workspace restore',
    'Restore the database with pg_restore, and the data folder from its copy.',
  )
  const { data } = settings
  const { manifest, rows, kept_revoked, settled, applied } = await restoreBackup({
    archive: resolve(archive),
    dataDir: resolve(data),
    clock: systemClock,
    revokedLog: options.revokedLog,
  })
  const value = {
    data,
    backed_up_at: manifest.created_at,
    version: manifest.version,
    rows,
    kept_revoked,
    settled,
    applied,
    sealed_rows: manifest.sealed_rows,
  }
  const { accounts = 0 } = rows
  print(options.json, value, () =>
    [
      `Restored the workspace of ${manifest.created_at} into ${data}: ${rowsText(rows)}. Everything was verified.`,
      ...(options.rows ? ['', ...rowLines(rows), ''] : []),
      `${quantity(kept_revoked.length, 'key that was live in the backup stays', 'keys that were live in the backup stay')} revoked.${options.revokedLog === undefined ? ' If the lost instance left a revoked.log, restore with --revoked-log; otherwise, keys revoked after the backup are live.' : ''}`,
      ...settled.filter((item) => item.rows > 0).map((item) => `${item.rows} ${item.says}.`),
      ...(manifest.sealed_rows > 0
        ? [
            `${quantity(manifest.sealed_rows, 'row')} can only be decrypted with the master key of the lost instance: give it to this one before it starts.`,
          ]
        : []),
      ...(accounts > 0 ? accountLines(accounts, data) : []),
      `Next: workspace doctor --data ${data}, then workspace serve --data ${data}`,
    ].join('\n'),
  )
}

function accountLines(accounts: number, data: string): string[] {
  const [possessive, pronoun] = accounts === 1 ? ['its', 'it'] : ['their', 'each']
  return [
    `${quantity(accounts, 'connected account synchronizes', 'connected accounts synchronize')} as soon as this one starts: it fetches ${possessive} mail and calendars, and sends changes to the servers, even if another copy of the workspace still does.`,
    `To prevent that, disable ${pronoun} before the start: workspace accounts list --data ${data}, then workspace accounts disable <id> --person <owner> --data ${data}. \`workspace accounts enable\` lets it go on.`,
  ]
}

function rowsText(rows: Readonly<Record<string, number>>): string {
  const counts = Object.values(rows)
  const filled = counts.filter((count) => count > 0).length
  return `${quantity(
    counts.reduce((sum, count) => sum + count, 0),
    'row',
  )} in ${quantity(filled, 'table')}`
}

function rowLines(rows: Readonly<Record<string, number>>): string[] {
  return Object.entries(rows)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `  ${String(count).padStart(9)}  ${name}`)
}
