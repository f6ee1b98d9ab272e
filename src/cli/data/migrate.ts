import type { Command } from 'commander'
import { addCommand, print, type CommonOptions } from '../command.ts'
import { CliError } from '../exit.ts'
import { settingsOf } from '../open.ts'
import { takeLock } from '../server/lock.ts'
import { quantity } from '../../kernel/text/quantity.ts'

export function registerMigrateCommand(program: Command): void {
  addCommand(
    program,
    'migrate',
    'Move the workspace from SQLite to PostgreSQL, or back. All rows are compared after they are copied, and the hash chain of the call log is verified. Stop the server first; the data folder stays in use.',
    [
      'workspace migrate --to postgres://workspace:password@db.example.org/workspace',
      'WORKSPACE_DATABASE=postgres://… workspace migrate --to sqlite',
    ],
  )
    .requiredOption(
      '--to <place>',
      'postgres://… for an empty PostgreSQL database, or `sqlite` for the data folder',
    )
    .action(migrate)
}

async function migrate(options: CommonOptions & { to: string }): Promise<void> {
  const settings = settingsOf({ data: options.data })
  const target = migrationTargetOf(options.to, settings.database)
  const unlock = takeLock(settings.data)
  try {
    const [{ moveToPostgres }, { moveToSqlite }, { systemClock }] = await Promise.all([
      import('../../ops/move/to-postgres.ts'),
      import('../../ops/move/to-sqlite.ts'),
      import('../../kernel/time/clock.ts'),
    ])
    const move = target.isToSqlite ? moveToSqlite : moveToPostgres
    const moved = await move({
      dataDir: settings.data,
      url: target.url,
      clock: systemClock,
      onTableCopied: ({ table, rows }) => {
        if (!options.json && rows >= minReportedRows)
          process.stderr.write(`${table}: ${rows} rows\n`)
      },
    })
    const { tables, chains, kept } = moved
    const broken = chains.filter((chain) => chain.broken)
    print(options.json, { to: target.place, tables, call_log: chains, kept }, () =>
      [
        `Moved the workspace to ${target.place}: ${quantity(
          tables.reduce((sum, { rows }) => sum + rows, 0),
          'row',
        )} in ${quantity(tables.length, 'table')}. The rows of each table were compared, with their SHA-256.`,
        broken.length === 0
          ? `Call log: ${chains.reduce((sum, { entries }) => sum + entries, 0)} entries, whole.`
          : 'Call log: broken, as it was before the move; see `workspace audit verify`.',
        target.isToSqlite
          ? 'The PostgreSQL database was left as it is. Next: unset WORKSPACE_DATABASE and start `workspace serve`. Delete the old database when you no longer need it.'
          : `The file of the old database is ${kept}. Next: set WORKSPACE_DATABASE and start \`workspace serve\` with the same data folder. Delete the file when you no longer need it.`,
      ].join('\n'),
    )
  } finally {
    unlock()
  }
}

/** Tables with at least this many rows are reported during the move. */
const minReportedRows = 10_000

/** @throws Stop */
function migrationTargetOf(
  to: string,
  database: string,
): { isToSqlite: boolean; url: string; place: string } {
  if (to === 'sqlite') {
    if (database === '')
      throw new CliError(
        'usage',
        'The workspace is on SQLite already. Name the PostgreSQL database to move from with WORKSPACE_DATABASE.',
      )
    return { isToSqlite: true, url: database, place: 'SQLite' }
  }
  if (!/^postgres(ql)?:\/\//.test(to) || !URL.canParse(to))
    throw new CliError('usage', '--to takes postgres://… or `sqlite`.')
  if (database !== '')
    throw new CliError(
      'usage',
      'WORKSPACE_DATABASE names a PostgreSQL database. Unset it to move the workspace of the data folder.',
    )
  const { host, pathname } = new URL(to)
  return { isToSqlite: false, url: to, place: `PostgreSQL at ${host}${pathname}` }
}
