import type { WriteContext } from '../../../operations/context.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { emailDraft, emailDraftFile } from '../access.ts'
import { isHeld, newMessageId } from '../outbox/access-addresses.ts'
import type { Box } from '../outbox/messages.ts'
import { letterOfDraft, unfilledIn } from '../outbox/draft-messages.ts'
import { queueOutgoing, warningsFor } from '../outbox/composition.ts'
import { once } from '../outbox/recipients.ts'

const maxDrafts = 1000

/** Puts a draft on its way. @throws Refusal */
export async function sendDraft(ctx: WriteContext, draft: Row<'email_drafts'>) {
  const { letter: drafted, account: from, answered } = await letterOfDraft(ctx, draft)
  const letter = { ...drafted, message_id: newMessageId(from) } // the server knows its copy of the draft by the other one, and no one is to take the two for one
  const files = await emailDraftFile.of(ctx, [draft.id]).selectAll().execute()
  if (files.length !== letter.files.length)
    throw new Refusal(
      'conflict',
      'An attached file no longer exists, or you no longer have access to it.',
      'Set the files to attach with update_email_draft.',
    )
  const warnings = await warningsFor(ctx, letter, answered)
  const row = await queueOutgoing(ctx, from, letter, {
    draft,
    answered,
    unfilled: unfilledIn(draft),
  })
  return { row, letter, warnings }
}

/** Addresses as a draft keeps them, each once. */
export function recipientColumns({
  to,
  cc,
  bcc,
}: Record<'to' | 'cc' | 'bcc', Box[]>): Pick<
  Row<'email_drafts'>,
  'to_json' | 'cc_json' | 'bcc_json'
> {
  const copied = once(cc, to)
  return {
    to_json: JSON.stringify(to),
    cc_json: JSON.stringify(copied),
    bcc_json: JSON.stringify(once(bcc, [...to, ...copied])),
  }
}

/** Puts files to a draft, in this order. */
export async function attach(
  ctx: WriteContext,
  draft: Row<'email_drafts'>,
  files: readonly Row<'files'>[],
): Promise<void> {
  for (const [position, { id }] of files.entries())
    await ctx.add('email_draft_files', {
      draft_id: draft.id,
      source_id: id,
      position,
      file_id: id,
      attachment_id: null,
    })
}

/** These files in place of those that were there; of a forwarded message its attachments stay. */
export async function exchangeAttachments(
  ctx: WriteContext,
  draft: Row<'email_drafts'>,
  files: readonly Row<'files'>[],
): Promise<void> {
  const there = await emailDraftFile.of(ctx, [draft.id]).selectAll().execute()
  const driveAttachments = there.filter((item) => item.file_id !== null)
  if (driveAttachments.map((item) => item.file_id).join() === files.map((file) => file.id).join())
    return
  if ((ctx.actor.key || ctx.actor.via === 'automation') && (await isHeld(ctx, draft.id)))
    throw new Refusal(
      'conflict',
      'A call that sends this draft is waiting for approval, so its files cannot be changed.',
      'The owner has to approve or deny that call first.',
    )
  for (const item of driveAttachments)
    await ctx.remove('email_draft_files', item as Row<'email_draft_files'>)
  await attach(ctx, draft, files)
}

/** @throws Refusal conflict where the caller has as many drafts as one person may have */
export async function checkRoom(ctx: WriteContext): Promise<void> {
  const { count } = await emailDraft
    .visibleTo(ctx)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('email_drafts.state', '<>', 'sent')
    .executeTakeFirstOrThrow()
  if (count >= maxDrafts)
    throw new Refusal(
      'conflict',
      `You have ${count} drafts, the maximum per person.`,
      'Send some, or discard them with delete_email_draft.',
    )
}
