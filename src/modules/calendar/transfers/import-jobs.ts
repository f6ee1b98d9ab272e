import { z } from 'zod'
import { GiveUp, jobKind } from '../../../operations/jobs/job.ts'
import type { Tick } from '../../../operations/jobs/tick.ts'
import { importers } from '../../import-sandbox.ts'
import { calendar } from '../access.ts'
import {
  endCalendarImport,
  endAbandonedCalendarImports,
  calendarImportJob,
  calendarImport,
  saveCalendarImportProgress,
  readOptionsFor,
  type ImportCounts,
} from './access-imports.ts'
import { importEvents } from './event-import.ts'

/** Maximum duration of one import transaction, so that other writers get their turn. */
const maxTransactionMs = 40

export const importCalendarFile = jobKind({
  name: calendarImportJob,
  about: 'Imports the events of a large calendar file, in pieces',
  args: z.strictObject({ import_id: z.string() }),
  concurrency: 1,
  timeout: 60 * 60_000,
  async run({ import_id }, job) {
    const pending = await job.write((system) => calendarImport(system, import_id))
    if (!pending || pending.importRow.content === null)
      throw new GiveUp('The content to import is no longer stored.')
    const { importRow, calendar: target } = pending
    const readOptions = await job.write((system) => readOptionsFor(system, target))
    const counts = JSON.parse(importRow.result_json) as ImportCounts
    let readCount = 0
    for await (const { total, events } of importers.batches(
      'eventBatches',
      { bytes: Buffer.from(importRow.content!), isText: true, ...readOptions },
      { owner: importRow.owner_id },
    )) {
      const start = readCount
      readCount += events.length
      for (let done = Math.max(importRow.done, start); done < readCount; ) {
        job.signal.throwIfAborted()
        job.progress(done, total, 'events imported')
        done = await job.write(async (system) => {
          const storedCount = await system.as(importRow.owner_id, async (ctx) => {
            const targetCalendar = await calendar.find(ctx, target.id, 'edit')
            if (!targetCalendar) throw new GiveUp('The calendar no longer exists.')
            return importEvents(
              ctx,
              targetCalendar,
              events.slice(done - start),
              counts,
              maxTransactionMs,
            )
          })
          await saveCalendarImportProgress(system, import_id, done + storedCount, counts)
          return done + storedCount
        })
      }
    }
    await job.write((system) => endCalendarImport(system, import_id))
    return counts
  },
})

export const endCalendarImportsTick: Tick = {
  name: 'end_lost_calendar_imports',
  run: endAbandonedCalendarImports,
}
