import type { ContactImportProgress } from './progress.ts'
import { z } from 'zod'
import { GiveUp, jobKind } from '../../../operations/jobs/job.ts'
import {
  finishContactImport,
  finishAbandonedImports,
  findContactImport,
  saveImportProgress,
} from './access.ts'
import { defaultCountry } from '../contacts/fields.ts'
import type { ContactDraft } from './drafts.ts'
import { countOutcomes } from './results.ts'
import { ContactImporter, type OnMatch } from './writer.ts'
import { importers } from '../../import-sandbox.ts'
import type { Tick } from '../../../operations/jobs/tick.ts'

/** Records imported in one transaction. */
const batchSize = 200

export const contactImportJob = 'import_contacts'

export const importContactsJob = jobKind({
  name: contactImportJob,
  about: 'Imports the contacts of a large file, in batches',
  args: z.strictObject({ import_id: z.string() }),
  concurrency: 1,
  timeout: 60 * 60_000,
  async run({ import_id }, job) {
    const importRow = await job.write((system) => findContactImport(system, import_id))
    if (!importRow || importRow.content === null) throw new GiveUp('Nothing is left to import.')
    const mapping = JSON.parse(importRow.mapping_json) as Record<string, string | null>
    const country = await job.write((system) =>
      system.as(importRow.owner_id, (ctx) => defaultCountry(ctx)),
    )
    const drafts: ContactDraft[] = []
    for await (const batch of importers.batches(
      'contacts',
      { bytes: Buffer.from(importRow.content), format: importRow.format, mapping, country },
      { owner: importRow.owner_id },
    ))
      drafts.push(...batch)
    const result = JSON.parse(importRow.result_json) as ContactImportProgress
    for (let done = importRow.done; done < drafts.length; done += batchSize) {
      job.progress(done, drafts.length, 'records imported')
      await importBatch(
        job,
        importRow.owner_id,
        drafts.slice(done, done + batchSize),
        importRow.on_match,
        result,
        (system) => saveImportProgress(system, import_id, done + batchSize, result),
      )
    }
    await job.write((system) => finishContactImport(system, import_id))
    return result
  },
})

async function importBatch(
  job: Parameters<typeof importContactsJob.run>[1],
  owner: string,
  drafts: readonly ContactDraft[],
  onMatch: OnMatch,
  result: ContactImportProgress,
  saveProgress: (system: Parameters<typeof saveImportProgress>[0]) => Promise<void>,
): Promise<void> {
  await job.write(async (system) => {
    await system.as(owner, async (ctx) => {
      const outcomes = await new ContactImporter(ctx, onMatch, true).importDrafts(drafts)
      countOutcomes(result, outcomes)
      if (outcomes.some((outcome) => outcome.action === 'created' || outcome.action === 'updated'))
        result.undo_call_ids.push(ctx.callId)
    })
    await saveProgress(system)
  })
}

export const finishAbandonedImportsTick: Tick = {
  name: 'end_lost_contact_imports',
  run: finishAbandonedImports,
}
