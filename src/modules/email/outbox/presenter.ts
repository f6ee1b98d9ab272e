import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { commonOf, trustOf } from '../../../records/shapes.ts'
import { emailDraft, scheduledEmail } from '../access.ts'
import { renderMessage, type OutgoingMessage } from './messages.ts'
import { recipientsOfDraft, attachmentsOfDrafts, messageOfDraft } from './draft-messages.ts'
import { warningsFor } from './composition.ts'
import { Email, type EmailDraft, type ScheduledEmail } from '../shapes.ts'
import { addressesFor, presentEmails } from '../messages/presenter.ts'

/** A message being sent, with warnings for its sender; a dry run includes the full outgoing content. */
export const SentEmail = Email.extend({
  warnings: z
    .array(z.string())
    .describe('possible problems: recipients outside, a missing attachment'),
  outgoing: z
    .strictObject({
      text: z.string(),
      html: z.string(),
      in_reply_to: z.string().optional(),
      references: z.array(z.string()),
    })
    .optional()
    .describe('dry_run: what would go out, word for word'),
})

/** Presents a message that was just queued for sending. */
export async function presentOutgoing(
  ctx: ReadContext,
  row: Row<'emails'>,
  letter: OutgoingMessage,
  warnings: string[],
): Promise<z.input<typeof SentEmail>> {
  const [shape] = await presentEmails(ctx, [row])
  const { text, html } = renderMessage(letter)
  return omitNullish({
    ...shape!,
    content: {
      text: letter.body_markdown,
      format: 'markdown',
      trust: 'internal',
      source: `email ${row.id}`,
      offset: 0,
      total_chars: letter.body_markdown.length,
    },
    warnings,
    outgoing: ctx.dryRun
      ? {
          text,
          html,
          ...(letter.in_reply_to === null ? {} : { in_reply_to: letter.in_reply_to }),
          references: letter.references,
        }
      : undefined,
  })
}

/** Presents drafts to their author. */
export async function presentDrafts(
  ctx: ReadContext,
  rows: readonly Row<'email_drafts'>[],
): Promise<z.input<typeof EmailDraft>[]> {
  const boxes = rows.map(recipientsOfDraft)
  const { present } = await addressesFor(
    ctx,
    boxes.flatMap((item) => [...item.to, ...item.cc, ...item.bcc].map((box) => box.email)),
  )
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const attachmentsByDraft = await attachmentsOfDrafts(ctx, rows)
  return Promise.all(
    rows.map(async (row, i) => {
      const { files, attachments } = attachmentsByDraft.get(row.id)!
      return omitNullish({
        ...commonOf(row, emailDraft.url(row, ctx.baseUrl), people),
        account_id: row.account_id,
        thread_id: row.thread_id,
        in_reply_to: row.answers_id,
        to: boxes[i]!.to.map(present),
        cc: boxes[i]!.cc.map(present),
        bcc: boxes[i]!.bcc.map(present),
        subject: row.subject,
        body_markdown: row.body_markdown,
        ...trustOf(row.answers_id !== null),
        attachment_files: [...files, ...attachments].map((file) => ({
          id: file.id,
          title: file.name,
        })),
        state: row.state,
        warnings: await draftWarnings(ctx, row),
      })
    }),
  )
}

async function draftWarnings(ctx: ReadContext, row: Row<'email_drafts'>): Promise<string[]> {
  if (row.state === 'sent') return []
  try {
    const { letter, answered } = await messageOfDraft(ctx, row)
    return await warningsFor(ctx, letter, answered)
  } catch (error) {
    return [(error as Error).message]
  }
}

/** Presents scheduled messages with their drafts. */
export async function presentScheduled(
  ctx: ReadContext,
  rows: readonly Row<'scheduled_emails'>[],
): Promise<z.input<typeof ScheduledEmail>[]> {
  const drafts = await emailDraft.among(
    ctx,
    rows.map((row) => row.draft_id),
  )
  const visibleRows = rows.filter((row) => drafts.has(row.draft_id))
  const shownDrafts = await presentDrafts(
    ctx,
    visibleRows.map((row) => drafts.get(row.draft_id)!),
  )
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  return visibleRows.map((row, i) =>
    omitNullish({
      ...commonOf(row, scheduledEmail.url(row, ctx.baseUrl), people),
      draft: shownDrafts[i]!,
      send_at: iso(row.send_at),
      cancel_if_replied: row.cancel_if_replied === 1,
      status: row.status,
      error: row.problem,
    }),
  )
}
