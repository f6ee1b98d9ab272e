import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { App } from '../../operations/app.ts'
import { systemClock } from '../../kernel/time/clock.ts'
import { jobKind } from '../../operations/jobs/job.ts'
import type { Module } from '../../operations/module.ts'
import { readSettings } from '../../config/settings.ts'
import { openApp } from '../../start.ts'
import { Queue } from '../queue.ts'

// Test helper: a process that runs the jobs of a data directory until killed. `node ledger.ts <dir> <ledger> <options
// as JSON>`.
// Each job writes a line to the ledger when it begins and ends, with its process.

export interface LedgerLine {
  event: 'begin' | 'end'
  n: number
  pid: number
}

/** A kind of job that records its runs in the ledger. */
export function ledgerModule(ledger: string): Module {
  const record = (event: LedgerLine['event'], n: number) =>
    appendFileSync(ledger, `${JSON.stringify({ event, n, pid: process.pid })}\n`)
  const work = jobKind({
    name: 'work',
    about: 'For the tests',
    args: z.strictObject({ n: z.int(), hangs: z.boolean().default(false) }),
    concurrency: 100,
    async run({ n, hangs }, { attempt }) {
      record('begin', n)
      await pause(hangs && attempt === 1 ? 600_000 : 4)
      record('end', n)
    },
  })
  return { name: 'ledger', about: 'For the tests.', operations: [], jobs: [work] }
}

/** Opens the data directory alongside those processes. */
export function openLedger(dir: string, ledger: string, role: 'server' | 'command'): Promise<App> {
  const log = {
    info() {},
    warn() {},
    error: (message: string, more?: object) => console.error(message, more),
  }
  return openApp({
    settings: { ...readSettings({}, {}), data: dir },
    clock: systemClock,
    modules: [ledgerModule(ledger)],
    log,
    role,
  })
}

if (process.argv[1] === import.meta.filename) {
  const [dir, ledger, options] = process.argv.slice(2) as [string, string, string]
  new Queue(await openLedger(dir, ledger, 'command'), JSON.parse(options) as object).start()
  setInterval(() => {}, 60_000) // until it is killed
}
