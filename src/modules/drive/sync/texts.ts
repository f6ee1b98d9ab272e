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

/** Maximum number of characters of a file's text that search finds and assistants can read. */
const maxTextLength = 500_000

/** Reads the text of a file in the background, so that no call waits for a PDF or fails because of a broken one. */
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
    if (!row || row.sha256 === '') return { done: false } // moved to a Google drive meanwhile: see google-texts.ts
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
      done: await job.write((system) => storeExtractedText(system, row, text)),
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

/** Stores and indexes the text, unless the file has another version by now, which is read by a job of its own. */
export async function storeExtractedText(
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
  const hasText = text.kind === 'native' && text.text.trim() !== ''
  await all
    .updateTable('files')
    .set({ text_status: hasText ? 'indexed' : 'none' })
    .where('id', '=', id)
    .execute()
  await all.deleteFrom('file_texts').where('file_id', '=', id).execute()
  const body = hasText ? text.text.toWellFormed().replaceAll('\0', '') : ''
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
  if (hasText && row.deleted_at === null)
    await new SearchIndex().put(all, id, row.org_id, textOfFile(row, body))
  return true
}
