import { execFile } from 'node:child_process'
import { isExecutable } from '../executable.ts'
import type { App } from '../core/app.ts'
import { exits } from './exit.ts'

const quietFor = 60_000

/**
 * Where the disk failed under the database, has all of it read by a process of its own, and ends this one should it be damaged: better no
 * server than one that goes on over a broken file. At most one look a minute.
 */
export function checkAfterFailures(app: App, end: (code: number) => void = code => process.exit(code)): void {
  let looked = Number.NEGATIVE_INFINITY
  app.store.writer.onFailure = code => {
    if (!/^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(code) || app.clock.monotonic() - looked < quietFor) return
    looked = app.clock.monotonic()
    app.log.error('the disk failed under the database; reading all of it', { code })
    look(app, end)
  }
}

function look(app: App, end: (code: number) => void): void {
  execFile(process.execPath, [...(isExecutable ? [] : [process.argv[1]!]), 'doctor', '--only', 'database', '--json', '--data', app.settings.data], { maxBuffer: 2 ** 24 }, (error, stdout) => {
    if (!error) return app.log.info('the database is whole')
    app.log.error('the database is damaged, or cannot be read: stopping', { found: stdout.slice(0, 2000) })
    end(exits.damaged)
  })
}
