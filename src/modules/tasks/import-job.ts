import { z } from 'zod'
import { GiveUp, jobKind } from '../../core/jobs.ts'
import type { Tick } from '../../core/operation.ts'
import { project } from '../projects/access.ts'
import { endImport, endLostImports, importOf, notePiece, pieceOf } from './access-imports.ts'
import { linksOf, report, type ImportReport } from './import-report.ts'
import { NameMap, TaskImport, type ImportOptions } from './import-writing.ts'

/** Records that one transaction writes. */
export const pieceSize = 100

export interface ImportProgress extends ImportReport {
  /** Each undoes a piece. */
  undo_call_ids: string[]
}

export const importJob = 'import_tasks'

export const importTasksJob = jobKind({
  name: importJob,
  about: 'Imports the tasks of a large file, in pieces',
  args: z.strictObject({ import_id: z.string() }),
  concurrency: 1,
  timeout: 60 * 60_000,
  async run({ import_id }, job) {
    const begun = await job.write(system => importOf(system, import_id))
    if (!begun || begun.finished_at !== null) throw new GiveUp('There is nothing left to import.')
    const options = JSON.parse(begun.options_json) as ImportOptions
    const result = JSON.parse(begun.result_json) as ImportProgress
    for (let n = begun.done; ; n++) {
      job.progress(Math.min(n * pieceSize, begun.records), begun.records, 'tasks imported')
      const isLast = await job.write(async system => {
        const records = await pieceOf(system, import_id, n)
        if (!records) return true
        const acting = { key: begun.key_id }
        await system.as(begun.owner_id, async ctx => {
          const into = await project.demand(ctx, begun.project_id, 'edit', 'project_id')
          const importing = new TaskImport(ctx, into, options, await NameMap.of(ctx, into.id, options))
          const outcomes = await importing.write(records)
          report(result, outcomes)
          result.warnings.push(...(await importing.link(await linksOf(ctx, into.id, options.format, records, outcomes))))
          if (outcomes.some(one => one.action === 'created')) result.undo_call_ids.push(ctx.callId)
        }, acting)
        await notePiece(system, import_id, n, result)
        return false
      })
      if (isLast) break
    }
    await job.write(system => endImport(system, import_id))
    return result
  },
})

export const endImports: Tick = { name: 'end_lost_task_imports', run: endLostImports }
