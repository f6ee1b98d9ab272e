import type { Input, Output } from '../../../api/client.ts'
import { base64Of } from '../../../api/upload/upload.ts'
import { pageImport as words } from '../../../texts/en/imports/pages.ts'
import { readTextFile } from '../text-file.ts'
import type { ImportOutcome } from '../run.ts'
import { useImportPlan } from '../plan.ts'
import type { ImportSource } from '../source.ts'

export type PagePlan = Output<'import_pages'>

export type PageOptions = Pick<Input<'import_pages'>, 'parent_id' | 'visibility' | 'format'>

/** Maximum size of a zip sent in the call; base64 makes it a third longer. */
const maxZipBytes = 290_000

/**
 * Reads files that are sent in the call: pages with titles of their own, as the call carries no file names, and small
 * archives.
 */
export async function readPages(file: File): Promise<string | undefined> {
  if (/\.zip$/i.test(file.name))
    return file.size <= maxZipBytes ? base64Of(new Uint8Array(await file.arrayBuffer())) : undefined
  if (/\.html?$/i.test(file.name)) return readTextFile(file)
  const text = await readTextFile(file)
  return /^(?:---\n|\s*#{1,6} )/.test(text) ? text : undefined
}

export const usePagePlan = (source: ImportSource, options: PageOptions) =>
  useImportPlan({
    operation: 'import_pages',
    source,
    options,
    input: { ...source.input, ...options, dry_run: true },
  })

export interface PageOutcome extends ImportOutcome {
  imported: PagePlan
}

export const pagesOutcome = (result: PagePlan): PageOutcome => ({
  text: words.done(result.created.length),
  callIds: result.undo_call_id === undefined ? [] : [result.undo_call_id],
  imported: result,
})
