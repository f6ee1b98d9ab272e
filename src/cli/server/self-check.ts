import { execFile } from 'node:child_process'
import { isExecutable } from '../../executable.ts'
import type { App } from '../../operations/app.ts'
import { isDamageCode } from '../../db/open.ts'
import { exitCodes } from '../exit.ts'

const minIntervalMs = 60_000
const ownProgram = [process.execPath, ...(isExecutable ? [] : [process.argv[1]!])]

/**
 * After a disk failure under the database, has a separate process read all of it, and ends this process if the
 * database is damaged: no server is better than one with a broken file. At most one check a minute. `program`: the
 * command that starts the command line.
 */
export function checkAfterFailures(
  app: App,
  end: (code: number) => void = (code) => process.exit(code),
  program: readonly string[] = ownProgram,
): void {
  let lastCheckAt = Number.NEGATIVE_INFINITY
  app.store.writer.onFailure = (code) => {
    if (!isDamageCode(code) || app.clock.monotonic() - lastCheckAt < minIntervalMs) return
    lastCheckAt = app.clock.monotonic()
    app.log.error('the disk failed under the database; reading the whole database', { code })
    checkDatabase(app, end, program)
  }
}

/** Runs `workspace doctor`. If it could not run, no damage was found and the server continues. */
function checkDatabase(
  { log, settings }: App,
  end: (code: number) => void,
  [file, ...leading]: readonly string[],
): void {
  execFile(
    file!,
    [...leading, 'doctor', '--only', 'database', '--json', '--data', settings.data],
    { maxBuffer: 2 ** 24 },
    (error, stdout, stderr) => {
      if (!error) return log.info('the database is intact')
      const problem = stdout.slice(0, 2000)
      if (error.code !== exitCodes.damaged)
        return log.error(
          'no damage was found, but the database could not be checked, or something else is wrong with it; run workspace doctor --only database',
          { found: problem, error: `${error.message.split('\n')[0]} ${stderr.slice(-500)}`.trim() },
        )
      log.error('the database is damaged: stopping', { found: problem })
      end(exitCodes.damaged)
    },
  )
}
