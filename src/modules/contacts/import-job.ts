import { z } from 'zod'
import { GiveUp, jobKind } from '../../core/jobs.ts'
import { endImport, endLostImports, importOf, noteImported } from './access-imports.ts'
import { homeCountry } from './contact-fields.ts'
import type { Draft } from './import-drafts.ts'
import { tell, type Told } from './import-results.ts'
import { Importing, type OnMatch } from './import-writing.ts'
import { importers } from '../importing.ts'
import type { Tick } from '../../core/ticks.ts'

/** Records that one transaction takes. */
const piece = 200

export interface ImportProgress extends Told {
  undo_call_ids: string[]
}

export const importJob = 'import_contacts'

export const importContactsJob = jobKind({
  name: importJob,
  about: 'Imports the contacts of a large file, in batches',
  args: z.strictObject({ import_id: z.string() }),
  concurrency: 1,
  timeout: 60 * 60_000,
  async run({ import_id }, job) {
    const given = await job.write((system) => importOf(system, import_id))
    if (!given || given.content === null) throw new GiveUp('Nothing is left to import.')
    const mapping = JSON.parse(given.mapping_json) as Record<string, string | null>
    const country = await job.write((system) =>
      system.as(given.owner_id, (ctx) => homeCountry(ctx)),
    )
    const drafts: Draft[] = []
    for await (const batch of importers.batches(
      'contacts',
      { bytes: Buffer.from(given.content), format: given.format, mapping, country },
      { owner: given.owner_id },
    ))
      drafts.push(...batch)
    const result = JSON.parse(given.result_json) as ImportProgress
    for (let done = given.done; done < drafts.length; done += piece) {
      job.progress(done, drafts.length, 'records imported')
      await takePiece(
        job,
        given.owner_id,
        drafts.slice(done, done + piece),
        given.on_match,
        result,
        (soFar) => noteImported(soFar, import_id, done + piece, result),
      )
    }
    await job.write((system) => endImport(system, import_id))
    return result
  },
})

async function takePiece(
  job: Parameters<typeof importContactsJob.run>[1],
  owner: string,
  drafts: readonly Draft[],
  onMatch: OnMatch,
  result: ImportProgress,
  note: (system: Parameters<typeof noteImported>[0]) => Promise<void>,
): Promise<void> {
  await job.write(async (system) => {
    await system.as(owner, async (ctx) => {
      const outcomes = await new Importing(ctx, onMatch, true).take(drafts)
      tell(result, outcomes)
      if (outcomes.some((one) => one.action === 'created' || one.action === 'updated'))
        result.undo_call_ids.push(ctx.callId)
    })
    await note(system)
  })
}

export const endImports: Tick = { name: 'end_lost_contact_imports', run: endLostImports }
