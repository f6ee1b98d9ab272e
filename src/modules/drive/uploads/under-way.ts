import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'

/** Uploads of this process that are under way: a token is used once, also at once. */
const underWay = new Map<string, Row<'users'>['id']>()
const maxConcurrentUploads = 32
/** Maximum number of uploads in progress per person, so that a slow sender cannot occupy the places of others. */
const maxPerUpload = 8

/** Does something with an upload with which nothing else is done meanwhile. @throws Refusal conflict, unavailable */
export async function whileUnderWay<T>(
  session: Row<'upload_sessions'>,
  work: () => Promise<T>,
): Promise<T> {
  if (underWay.has(session.id)) throw new Refusal('conflict', 'This upload is already in progress.')
  const ownUploads = [...underWay.values()].filter((owner) => owner === session.owner_id).length
  if (underWay.size >= maxConcurrentUploads || ownUploads >= maxPerUpload)
    throw new Refusal('unavailable', 'Too many uploads are in progress.', {
      retry_after_seconds: 10,
    })
  underWay.set(session.id, session.owner_id)
  try {
    return await work()
  } finally {
    underWay.delete(session.id)
  }
}
