import { z } from 'zod'
import { chunks } from '../../../kernel/chunks.ts'
import type { WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { GiveUp, jobKind } from '../../../operations/jobs/job.ts'
import type { Tick } from '../../../operations/jobs/tick.ts'
import { project } from '../../portfolio/access.ts'
import { endTaskImport, endLostTaskImports, taskImport, recordBatch, batchOf } from './access.ts'
import {
  addWarnings,
  blockedOf,
  importLinks,
  localTasks,
  addImportOutcomes,
  type ImportReport,
} from './report.ts'
import { NameMap, TaskImport, type ImportOptions } from './writer.ts'

const maxPending = 10_000

/** Records per transaction. */
export const batchSize = 100

export interface TaskImportProgress extends ImportReport {
  /** The calls to undo, one per batch. */
  undo_call_ids: string[]
  /** Links to tasks of later batches, by their names in the file; created at the end. */
  pending?: { task: Id<'tasks'>; by: string[] }[]
  /** Parents identified only by their line in the file, for subtasks in later batches. */
  local?: Record<string, Id<'tasks'>>
}

export const taskImportJob = 'import_tasks'

export const importTasksJob = jobKind({
  name: taskImportJob,
  about: 'Imports the tasks of a large file, in batches',
  args: z.strictObject({ import_id: z.string() }),
  concurrency: 1,
  timeout: 60 * 60_000,
  async run({ import_id }, job) {
    const importRow = await job.write((system) => taskImport(system, import_id))
    if (!importRow || importRow.finished_at !== null) throw new GiveUp('Nothing is left to import.')
    const options = JSON.parse(importRow.options_json) as ImportOptions
    const result = JSON.parse(importRow.result_json) as TaskImportProgress
    for (let n = importRow.done; ; n++) {
      job.progress(Math.min(n * batchSize, importRow.records), importRow.records, 'tasks imported')
      const isLast = await job.write(async (system) => {
        const records = await batchOf(system, import_id, n)
        if (!records) return true
        await system.as(
          importRow.owner_id,
          async (ctx) => {
            const { importing } = await importInto(ctx, importRow.project_id, options)
            const outcomes = await importing.write(records, result.local)
            addImportOutcomes(result, outcomes)
            result.local = { ...result.local, ...localTasks(records, outcomes) }
            result.pending = [...(result.pending ?? []), ...blockedOf(records, outcomes)].slice(
              0,
              maxPending,
            )
            if (outcomes.some((outcome) => outcome.action === 'created'))
              result.undo_call_ids.push(ctx.callId)
          },
          { key: importRow.key_id },
        )
        await recordBatch(system, import_id, n, result)
        return false
      })
      if (isLast) break
    }
    const { pending = [], local: _, ...summary } = result
    for (const batch of chunks(pending, batchSize)) {
      await job.write((system) =>
        system.as(
          importRow.owner_id,
          async (ctx) => {
            const { importing, into } = await importInto(ctx, importRow.project_id, options)
            const links = await importLinks(ctx, into.id, options.format, batch)
            addWarnings(summary, await importing.link(links))
          },
          { key: importRow.key_id },
        ),
      )
    }
    await job.write((system) => endTaskImport(system, import_id))
    return summary
  },
})

/** @throws Refusal where the owner of the import may no longer edit the project */
async function importInto(ctx: WriteContext, projectId: string, options: ImportOptions) {
  const projectRow = await project.demand(ctx, projectId, 'edit', 'project_id')
  const names = await NameMap.of(ctx, projectRow.id, options)
  return { into: projectRow, importing: new TaskImport(ctx, projectRow, options, names) }
}

export const endTaskImportsTick: Tick = { name: 'end_lost_task_imports', run: endLostTaskImports }
