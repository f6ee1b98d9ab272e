import { z } from 'zod'
import { readBlob } from '../../../files/blobs.ts'
import { jobKind } from '../../../operations/jobs/job.ts'
import type { Row } from '../../../records/resource.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { extractText } from '../../../connectors/extract.ts'
import type { ExtractedText } from '../../../connectors/extract-shapes.ts'
import { SearchIndex } from '../../../search/index.ts'
import { textOfFile } from '../files/access-texts.ts'
import { maxReadBytes } from '../files/creation.ts'

/** Characters of a file that are found by search, and read by assistants. */
const maxTextLength = 500_000

/** Reads the text of a file in the background: no one waits for a PDF, and none that is broken stops anything. */
export const readFileText = jobKind({
  name: 'read_file_text',
  about: 'Reads the text of a file for search',
  args: z.strictObject({ file_id: z.string() }),
  concurrency: 1,
  maxAttempts: 3,
  timeout: 120_000,
  async run({ file_id }, job) {
    const row = await job.write(({ all }) =>
      all
        .selectFrom('files')
        .selectAll()
        .where('id', '=', file_id as Row<'files'>['id'])
        .where('text_status', '=', 'pending')
        .executeTakeFirst(),
    )
    if (!row || row.sha256 === '') return { done: false } // gone to a Google drive meanwhile, from where its text is read
    const text =
      row.size_bytes > maxReadBytes
        ? tooLarge
        : await extractText(
            readBlob(job.settings.data, { sha256: row.sha256, size: row.size_bytes }),
            row.mime_type,
            row.name,
            { characters: maxTextLength },
          )
    return {
      done: await job.write((system) => storeSyncedText(system, row, text)),
      kind: text.kind,
    }
  },
})

const tooLarge: ExtractedText = {
  text: '',
  kind: 'none',
  format: 'text',
  warnings: ['The file is too large for text extraction.'],
}

/** Puts the text where search finds it, unless the file has another version by now: then that one is read by its own job. */
export async function storeSyncedText(
  { all }: TickContext,
  { id, version }: Row<'files'>,
  text: ExtractedText,
): Promise<boolean> {
  const row = await all
    .selectFrom('files')
    .selectAll()
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (!row) return false
  const isFound = text.kind === 'native' && text.text.trim() !== ''
  await all
    .updateTable('files')
    .set({ text_status: isFound ? 'indexed' : 'none' })
    .where('id', '=', id)
    .execute()
  await all.deleteFrom('file_texts').where('file_id', '=', id).execute()
  const body = isFound ? text.text.toWellFormed().replaceAll('\0', '') : ''
  await all
    .insertInto('file_texts')
    .values({
      file_id: id,
      org_id: row.org_id,
      version,
      format: text.format,
      body,
      problem: text.warnings.length > 0 ? text.warnings.join(' ') : null,
    })
    .execute()
  if (isFound && row.deleted_at === null)
    await new SearchIndex().put(all, id, row.org_id, textOfFile(row, body))
  return true
}
