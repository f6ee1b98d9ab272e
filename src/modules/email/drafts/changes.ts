import type { WriteContext } from '../../../operations/context.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { emailDraft, emailDraftFile } from '../access.ts'
import { newMessageId } from '../outbox/access-addresses.ts'
import { isAwaitingApproval } from './access.ts'
import type { NamedAddress } from '../outbox/messages.ts'
import { messageOfDraft, unfilledVariablesOf } from '../outbox/draft-messages.ts'
import { queueOutgoing, warningsFor } from '../outbox/composition.ts'
import { withoutDuplicates } from '../outbox/recipients.ts'

const maxDrafts = 1000

/** Queues a draft for sending. @throws Refusal */
export async function sendDraft(ctx: WriteContext, draft: Row<'email_drafts'>) {
  const { letter: draftMessage, account: from, answered } = await messageOfDraft(ctx, draft)
  const letter = { ...draftMessage, message_id: newMessageId(from) } // a new id, since the server's copy of the draft has the other one
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
    unfilled: unfilledVariablesOf(draft),
  })
  return { row, letter, warnings }
}

/** Recipients as columns of a draft, without duplicates. */
export function recipientColumns({
  to,
  cc,
  bcc,
}: Record<'to' | 'cc' | 'bcc', NamedAddress[]>): Pick<
  Row<'email_drafts'>,
  'to_json' | 'cc_json' | 'bcc_json'
> {
  const uniqueCc = withoutDuplicates(cc, to)
  return {
    to_json: JSON.stringify(to),
    cc_json: JSON.stringify(uniqueCc),
    bcc_json: JSON.stringify(withoutDuplicates(bcc, [...to, ...uniqueCc])),
  }
}

/** Attaches files to a draft, in this order. */
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

/** Replaces the attached drive files of a draft; attachments of a forwarded message stay. */
export async function replaceAttachments(
  ctx: WriteContext,
  draft: Row<'email_drafts'>,
  files: readonly Row<'files'>[],
): Promise<void> {
  const attachments = await emailDraftFile.of(ctx, [draft.id]).selectAll().execute()
  const driveAttachments = attachments.filter((item) => item.file_id !== null)
  if (driveAttachments.map((item) => item.file_id).join() === files.map((file) => file.id).join())
    return
  if (
    (ctx.actor.key || ctx.actor.via === 'automation') &&
    (await isAwaitingApproval(ctx, draft.id))
  )
    throw new Refusal(
      'conflict',
      'A call that sends this draft is waiting for approval, so its files cannot be changed.',
      'The owner has to approve or deny that call first.',
    )
  for (const item of driveAttachments)
    await ctx.remove('email_draft_files', item as Row<'email_draft_files'>)
  await attach(ctx, draft, files)
}

/** @throws Refusal conflict if the caller has the maximum number of drafts */
export async function requireDraftQuota(ctx: WriteContext): Promise<void> {
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
