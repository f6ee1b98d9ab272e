import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'

/** Uploads in progress in this process: a token cannot be used twice at the same time. */
const activeUploads = new Map<string, Row<'users'>['id']>()
const maxConcurrentUploads = 32
/** Maximum number of uploads in progress per person, so that a slow sender cannot occupy the places of others. */
const maxPerPerson = 8

/** Runs work on an upload exclusively. @throws Refusal conflict, unavailable */
export async function withExclusiveUpload<T>(
  session: Row<'upload_sessions'>,
  work: () => Promise<T>,
): Promise<T> {
  if (activeUploads.has(session.id))
    throw new Refusal('conflict', 'This upload is already in progress.')
  const ownUploads = [...activeUploads.values()].filter(
    (owner) => owner === session.owner_id,
  ).length
  if (activeUploads.size >= maxConcurrentUploads || ownUploads >= maxPerPerson)
    throw new Refusal('unavailable', 'Too many uploads are in progress.', {
      retry_after_seconds: 10,
    })
  activeUploads.set(session.id, session.owner_id)
  try {
    return await work()
  } finally {
    activeUploads.delete(session.id)
  }
}
