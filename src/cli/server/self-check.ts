import { execFile } from 'node:child_process'
import { isExecutable } from '../../executable.ts'
import type { App } from '../../operations/app.ts'
import { isDamageCode } from '../../db/open.ts'
import { exits } from '../exit.ts'

const quietFor = 60_000
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
  let looked = Number.NEGATIVE_INFINITY
  app.store.writer.onFailure = (code) => {
    if (!isDamageCode(code) || app.clock.monotonic() - looked < quietFor) return
    looked = app.clock.monotonic()
    app.log.error('the disk failed under the database; reading the whole database', { code })
    look(app, end, program)
  }
}

/** A doctor that could not run, for want of memory for example, has not found damage: the server continues. */
function look(
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
      if (error.code !== exits.damaged)
        return log.error(
          'nothing says that the database is damaged, but it could not be checked, or something else is wrong with it; run workspace doctor --only database',
          { found: problem, error: `${error.message.split('\n')[0]} ${stderr.slice(-500)}`.trim() },
        )
      log.error('the database is damaged: stopping', { found: problem })
      end(exits.damaged)
    },
  )
}
