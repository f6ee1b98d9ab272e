import { z } from 'zod'
import { storedBlobs, putBlob, sweepDrafts } from '../../../files/blobs.ts'
import { deletePartial, partialUploads } from '../../../files/partial-blobs.ts'
import { deleteUnusedBlob } from '../../../files/blob-uses.ts'
import { jobKind, type JobContext } from '../../../operations/jobs/job.ts'
import { openUploads } from '../uploads/access.ts'
import { filesWithInlineContent, markStoredOnDisk } from './access-contents.ts'

/** Milliseconds for which unreferenced content is kept: an upload may be about to refer to it. */
const gracePeriodMs = 60 * 60_000
const sessionRetentionMs = 7 * 24 * 60 * 60_000

/** Deletes contents of erased files and remains of interrupted uploads; moves inline contents to blobs. */
export const sweepContents = jobKind({
  name: 'sweep_contents',
  about: 'Sweeps contents of files that nothing names any more',
  args: z.strictObject({}),
  concurrency: 1,
  async run(_, job) {
    const moved = await moveInlineContents(job)
    const drafts = sweepDrafts(job.settings.data, Date.now() - gracePeriodMs)
    const swept = job.mayErase() ? await sweep(job) : 0
    const sessions = await job.write(({ all, now }) =>
      all
        .deleteFrom('upload_sessions')
        .where('expires_at', '<', now - sessionRetentionMs)
        .executeTakeFirst(),
    )
    const partial = await sweepPartial(job)
    return { moved, drafts, partial, swept, sessions: Number(sessions.numDeletedRows) }
  },
})

async function sweep(job: JobContext): Promise<number> {
  let swept = 0
  for (const { sha256, at } of storedBlobs(job.settings.data)) {
    if (job.signal.aborted) break
    if (at > Date.now() - gracePeriodMs) continue
    if (await job.write(({ all }) => deleteUnusedBlob(all, job.settings.data, sha256))) swept++
  }
  return swept
}

/** Deletes the parts of abandoned, completed or expired uploads. */
async function sweepPartial(job: JobContext): Promise<number> {
  const partialIds = partialUploads(job.settings.data)
  if (partialIds.length === 0) return 0
  const open = await job.write(({ all, now }) => openUploads(all, partialIds, now))
  const ended = partialIds.filter((id) => !open.has(id))
  for (const id of ended) deletePartial(job.settings.data, id)
  return ended.length
}

/** Moves contents that are still in the database to the disk; a row is cleared only after its content is stored. */
async function moveInlineContents(job: JobContext): Promise<number> {
  let moved = 0
  while (!job.signal.aborted) {
    const inlineRows = await job.write(({ all }) => filesWithInlineContent(all))
    if (inlineRows.length === 0) break
    for (const row of inlineRows) {
      const { sha256, size } = putBlob(job.settings.data, Buffer.from(row.content_base64, 'base64'))
      await job.write(({ all }) => markStoredOnDisk(all, row.id, { sha256, size }))
      moved++
    }
  }
  return moved
}
