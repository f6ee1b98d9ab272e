import type { Outside } from '../../../operations/jobs/job.ts'
import { NoRights } from '../../../operations/jobs/job.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { findEmailDraft } from '../outbox/access.ts'
import { letterOfDraft } from '../outbox/draft-messages.ts'
import { bytesOfLetter, Missing } from './attachments.ts'

export interface DraftCopy {
  /** Draft as it was when the bytes were made from it: its revision is the one that the server then has. */
  row: Row<'email_drafts'>
  /** Undefined where it is no draft any more: then the server shall have no copy. */
  bytes: Buffer | undefined
}

/** The server's copy of a draft, as it is now; undefined where it cannot be made. @throws what the mail server throws where attachments are fetched */
export async function copyOfDraft(
  outside: Outside,
  draftId: string,
): Promise<DraftCopy | undefined> {
  const draftCopy = await outside.write(async (system) => {
    const row = await findEmailDraft(system, draftId)
    if (!row) return undefined
    if (row.deleted_at !== null || row.state === 'sent') return { row, made: undefined }
    return {
      row,
      made: await system.as(row.owner_id, (ctx) => letterOfDraft(ctx, row)).catch(passedOver),
    }
  })
  if (!draftCopy) return undefined
  const { row, made } = draftCopy
  if (!made)
    return row.deleted_at !== null || row.state === 'sent' ? { row, bytes: undefined } : undefined
  try {
    return {
      row,
      bytes: await bytesOfLetter(
        outside,
        made.account,
        { ...made.letter, date: row.updated_at },
        { keepsBcc: true },
      ),
    }
  } catch (error) {
    if (error instanceof Missing) return undefined
    throw error
  }
}

function passedOver(error: unknown): undefined {
  if (error instanceof Refusal || error instanceof NoRights) return undefined
  throw error
}
