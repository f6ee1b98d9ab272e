import { Refusal } from '../kernel/refusal.ts'

/** Exit codes of commands, for scripts. */
export const exitCodes = {
  ok: 0,
  refused: 1,
  usage: 2,
  internal: 70,
  damaged: 74,
  inUse: 75,
  noPermission: 77,
  configuration: 78,
} as const

export const exitHelp = `
Exit codes:
   0  done
   1  refused or failed; the message says why
   2  wrong command line
  70  internal error
  74  damaged database or failing disk
  75  data folder or database in use by another server, or database busy
  77  no permission for the data folder
  78  wrong setting, or database of another version`

/** Ends a command with an exit code and a message for the person. */
export class CliError extends Error {
  readonly exitCode: number
  readonly code: string

  constructor(exit: keyof typeof exitCodes, message: string) {
    super(message)
    this.exitCode = exitCodes[exit]
    this.code = exit.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  }
}

/** Prints an error on stderr as a sentence or as `{code, message}`. Returns the exit code. */
export async function reportError(error: unknown, asJson: boolean): Promise<number> {
  const { exit, body } = await exitResultOf(error)
  process.stderr.write(asJson ? `${JSON.stringify(body)}\n` : `workspace: ${body.message}\n`)
  return exit
}

async function exitResultOf(
  error: unknown,
): Promise<{ exit: number; body: { code: string; message: string } }> {
  if (error instanceof Refusal)
    return {
      exit: error.code === 'internal' ? exitCodes.internal : exitCodes.refused,
      body: error.body(),
    }
  const stop = error instanceof CliError ? error : await cliErrorOf(error)
  return { exit: stop.exitCode, body: { code: stop.code, message: stop.message } }
}

/** Turns errors of the database and the system into messages. */
async function cliErrorOf(error: unknown): Promise<CliError> {
  const [
    { DatabaseDamaged, NoDatabase, OlderSchema },
    { NewerSchema, UnreleasedSchema },
    { NoAddon },
  ] = await Promise.all([
    import('../db/open.ts'),
    import('../db/migrate.ts'),
    import('../native.ts'),
  ])
  const { message } = error as Error
  if (error instanceof DatabaseDamaged) return new CliError('damaged', message)
  if (error instanceof NoDatabase) return new CliError('refused', message)
  if (
    [OlderSchema, NewerSchema, UnreleasedSchema, NoAddon].some(
      (errorClass) => error instanceof errorClass,
    )
  )
    return new CliError('configuration', message)
  return (
    systemErrorOf(String((error as { code?: string }).code), message) ??
    new CliError('internal', (error as Error).stack ?? String(error))
  )
}

function systemErrorOf(code: string, message: string): CliError | undefined {
  if (code === 'DATABASE_UNREACHABLE') return new CliError('refused', message)
  if (code === 'DATABASE_IN_USE') return new CliError('inUse', message)
  if (/^(SQLITE_BUSY|55P03)/.test(code))
    return new CliError('inUse', 'The database is busy; nothing was changed. Try again.')
  if (/^SQLITE_(IOERR|CORRUPT|NOTADB|FULL)/.test(code))
    return new CliError('damaged', `The database cannot be read or written: ${message}.`)
  if (/^listen /.test(message))
    return new CliError(
      'refused',
      `Cannot listen on this address: ${message}. ${code === 'EACCES' ? 'Ports below 1024 need a system permission (CAP_NET_BIND_SERVICE). ' : ''}Choose another with --port (0 picks a free one) or --host.`,
    )
  if (/^(EACCES|EPERM|EROFS|SQLITE_CANTOPEN|SQLITE_READONLY)/.test(code))
    return new CliError('noPermission', `The data folder cannot be used: ${message}.`)
  if (/^(EEXIST|ENOTDIR)$/.test(code))
    return new CliError(
      'configuration',
      `The data folder cannot be used: ${message}. Name a folder with --data.`,
    )
  return undefined
}
