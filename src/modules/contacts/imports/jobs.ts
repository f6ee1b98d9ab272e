import type { ContactImportProgress } from './progress.ts'
import { z } from 'zod'
import { GiveUp, jobKind } from '../../../operations/jobs/job.ts'
import {
  endContactImport,
  endLostContactImports,
  contactImport,
  noteContactImport,
} from './access.ts'
import { homeCountry } from '../contacts/fields.ts'
import type { ContactDraft } from './drafts.ts'
import { countOutcomes } from './results.ts'
import { Importing, type OnMatch } from './writer.ts'
import { importers } from '../../import-sandbox.ts'
import type { Tick } from '../../../operations/jobs/tick.ts'

/** Records that one transaction takes. */
const piece = 200

export const contactImportJob = 'import_contacts'

export const importContactsJob = jobKind({
  name: contactImportJob,
  about: 'Imports the contacts of a large file, in batches',
  args: z.strictObject({ import_id: z.string() }),
  concurrency: 1,
  timeout: 60 * 60_000,
  async run({ import_id }, job) {
    const importRow = await job.write((system) => contactImport(system, import_id))
    if (!importRow || importRow.content === null) throw new GiveUp('Nothing is left to import.')
    const mapping = JSON.parse(importRow.mapping_json) as Record<string, string | null>
    const country = await job.write((system) =>
      system.as(importRow.owner_id, (ctx) => homeCountry(ctx)),
    )
    const drafts: ContactDraft[] = []
    for await (const batch of importers.batches(
      'contacts',
      { bytes: Buffer.from(importRow.content), format: importRow.format, mapping, country },
      { owner: importRow.owner_id },
    ))
      drafts.push(...batch)
    const result = JSON.parse(importRow.result_json) as ContactImportProgress
    for (let done = importRow.done; done < drafts.length; done += piece) {
      job.progress(done, drafts.length, 'records imported')
      await takePiece(
        job,
        importRow.owner_id,
        drafts.slice(done, done + piece),
        importRow.on_match,
        result,
        (soFar) => noteContactImport(soFar, import_id, done + piece, result),
      )
    }
    await job.write((system) => endContactImport(system, import_id))
    return result
  },
})

async function takePiece(
  job: Parameters<typeof importContactsJob.run>[1],
  owner: string,
  drafts: readonly ContactDraft[],
  onMatch: OnMatch,
  result: ContactImportProgress,
  note: (system: Parameters<typeof noteContactImport>[0]) => Promise<void>,
): Promise<void> {
  await job.write(async (system) => {
    await system.as(owner, async (ctx) => {
      const outcomes = await new Importing(ctx, onMatch, true).take(drafts)
      countOutcomes(result, outcomes)
      if (outcomes.some((outcome) => outcome.action === 'created' || outcome.action === 'updated'))
        result.undo_call_ids.push(ctx.callId)
    })
    await note(system)
  })
}

export const endContactImportsTick: Tick = {
  name: 'end_lost_contact_imports',
  run: endLostContactImports,
}
