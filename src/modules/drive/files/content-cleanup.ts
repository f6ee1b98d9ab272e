import { z } from 'zod'
import { storedBlobs, putBlob, sweepDrafts } from '../../../files/blobs.ts'
import { deletePartial, partialUploads } from '../../../files/partial-blobs.ts'
import { deleteUnusedBlob } from '../../../files/blob-uses.ts'
import { jobKind, type JobContext } from '../../../operations/jobs/job.ts'
import { openUploads } from '../uploads/access.ts'
import { filesWithInlineContent, markStoredOnDisk } from './access-contents.ts'

/** Milliseconds for which unreferenced content is kept: an upload may be about to refer to it. */
const grace = 60 * 60_000
const sessionsKept = 7 * 24 * 60 * 60_000

/** Sweeps the content of erased files, and what uploads left that were cut off; puts content from before there were blobs where it belongs. */
export const sweepContents = jobKind({
  name: 'sweep_contents',
  about: 'Sweeps contents of files that nothing names any more',
  args: z.strictObject({}),
  concurrency: 1,
  async run(_, job) {
    const moved = await moveOut(job)
    const drafts = sweepDrafts(job.settings.data, Date.now() - grace)
    const swept = job.mayErase() ? await sweep(job) : 0
    const sessions = await job.write(({ all, now }) =>
      all
        .deleteFrom('upload_sessions')
        .where('expires_at', '<', now - sessionsKept)
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
    if (at > Date.now() - grace) continue
    if (await job.write(({ all }) => deleteUnusedBlob(all, job.settings.data, sha256))) swept++
  }
  return swept
}

/** Parts of uploads that were given up, completed, or expired. */
async function sweepPartial(job: JobContext): Promise<number> {
  const there = partialUploads(job.settings.data)
  if (there.length === 0) return 0
  const open = await job.write(({ all, now }) => openUploads(all, there, now))
  const ended = there.filter((id) => !open.has(id))
  for (const id of ended) deletePartial(job.settings.data, id)
  return ended.length
}

/** Contents of attachments that are in the database still, one after the other; each is on the disk before the row gives it up. */
async function moveOut(job: JobContext): Promise<number> {
  let moved = 0
  while (!job.signal.aborted) {
    const restingRows = await job.write(({ all }) => filesWithInlineContent(all))
    if (restingRows.length === 0) break
    for (const row of restingRows) {
      const { sha256, size } = putBlob(job.settings.data, Buffer.from(row.content_base64, 'base64'))
      await job.write(({ all }) => markStoredOnDisk(all, row.id, { sha256, size }))
      moved++
    }
  }
  return moved
}
