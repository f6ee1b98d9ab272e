import { z } from 'zod'
import { DriveFailure } from '../../../connectors/google/drive.ts'
import { jobKind, type JobContext } from '../../../operations/jobs/job.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { accountsToSync, type AccountRow } from '../../accounts/access.ts'
import { isGoogleDocument } from '../files/google-files.ts'
import { readText } from './contents.ts'
import { driveServer } from './google.ts'
import { storeExtractedText } from './texts.ts'

/** Limits on files and bytes for one run; the next visit to the account continues. */
const maxFiles = 300
const maxBytes = 200 * 2 ** 20
/** Larger files are read only on request. */
const maxFileBytes = 10 * 2 ** 20
const batchSize = 20

/** Reads the texts of files in Google drives for search, the newest first, within a budget. */
export const readDriveTexts = jobKind({
  name: 'read_drive_texts',
  about: 'Reads the texts of files in the Google drives of an account for search',
  args: z.strictObject({ account_id: z.string() }),
  concurrency: 1,
  async run({ account_id }, job) {
    const account = await job.write(async (system) =>
      (await accountsToSync(system, 'drive')).find((row) => row.id === account_id),
    )
    if (!account) return { read: 0 }
    const server = driveServer(job, account)
    let read = 0
    for (let bytes = 0; read < maxFiles && bytes < maxBytes; ) {
      const rows = await pendingOf(job, account)
      for (const row of rows) {
        job.signal.throwIfAborted()
        await readDriveText(job, server, row)
        read++
        bytes += row.size_bytes
      }
      if (rows.length < batchSize) break
    }
    return { read }
  },
})

function pendingOf(job: JobContext, account: AccountRow): Promise<Row<'files'>[]> {
  return job.write(({ all }) =>
    all
      .selectFrom('files')
      .innerJoin('drives', 'drives.id', 'files.drive_id')
      .selectAll('files')
      .where('drives.account_id', '=', account.id)
      .where('files.text_status', '=', 'pending')
      .where('files.remote_json', 'is not', null)
      .where('files.sha256', '=', '')
      .where('files.size_bytes', '<=', maxFileBytes)
      .where('files.deleted_at', 'is', null)
      .orderBy('files.modified_at', 'desc')
      .limit(batchSize)
      .execute(),
  )
}

async function readDriveText(
  job: JobContext,
  server: Parameters<typeof readText>[0],
  row: Row<'files'>,
): Promise<void> {
  try {
    const text = await readText(server, row)
    await job.write((system) => storeExtractedText(system, row, text))
  } catch (error) {
    if (
      !(error instanceof Refusal) &&
      !(error instanceof DriveFailure && !error.isTransient) &&
      !(error instanceof DriveFailure && error.reason === 'other_content')
    )
      throw error
    const why = error instanceof DriveFailure && error.isMissing ? 'gone' : error.message
    job.log.info('the text of a file in a Google drive could not be read', {
      file: row.id,
      document: isGoogleDocument(row.mime_type),
      why,
    })
    await job.write(({ all }) =>
      all
        .updateTable('files')
        .set({ text_status: 'none' })
        .where('id', '=', row.id)
        .where('version', '=', row.version)
        .execute(),
    )
  }
}
