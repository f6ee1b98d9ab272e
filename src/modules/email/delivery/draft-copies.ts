import type { Outside } from '../../../operations/jobs/job.ts'
import { NoRights } from '../../../operations/jobs/job.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { findEmailDraft } from '../outbox/access.ts'
import { messageOfDraft } from '../outbox/draft-messages.ts'
import { bytesOfLetter, MissingAttachment } from './attachments.ts'

export interface DraftCopy {
  /** The draft from which the bytes were composed: its revision is the one that the server gets. */
  row: Row<'email_drafts'>
  /** Undefined if it is no longer a draft: the server's copy must then be deleted. */
  bytes: Buffer | undefined
}

/** The current draft for the server; undefined if it cannot be composed. @throws errors of the mail server when attachments are fetched */
export async function copyOfDraft(
  outside: Outside,
  draftId: string,
): Promise<DraftCopy | undefined> {
  const draftCopy = await outside.write(async (system) => {
    const row = await findEmailDraft(system, draftId)
    if (!row) return undefined
    if (row.deleted_at !== null || row.state === 'sent') return { row, composed: undefined }
    return {
      row,
      composed: await system
        .as(row.owner_id, (ctx) => messageOfDraft(ctx, row))
        .catch(ignoreRefusals),
    }
  })
  if (!draftCopy) return undefined
  const { row, composed } = draftCopy
  if (!composed)
    return row.deleted_at !== null || row.state === 'sent' ? { row, bytes: undefined } : undefined
  try {
    return {
      row,
      bytes: await bytesOfLetter(
        outside,
        composed.account,
        { ...composed.letter, date: row.updated_at },
        { keepsBcc: true },
      ),
    }
  } catch (error) {
    if (error instanceof MissingAttachment) return undefined
    throw error
  }
}

function ignoreRefusals(error: unknown): undefined {
  if (error instanceof Refusal || error instanceof NoRights) return undefined
  throw error
}
