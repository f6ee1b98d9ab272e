import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { account } from '../../accounts/access.ts'
import { file } from '../../drive/access.ts'
import { email, emailAttachment, emailDraftFile } from '../access.ts'
import { unfilledVariables } from '../drafts/variables.ts'
import { buildMessage } from './composition.ts'
import type { NamedAddress, OutgoingMessage } from './messages.ts'

/** Recipients of a draft. */
export function recipientsOfDraft({
  to_json,
  cc_json,
  bcc_json,
}: Row<'email_drafts'>): Record<'to' | 'cc' | 'bcc', NamedAddress[]> {
  return {
    to: JSON.parse(to_json) as NamedAddress[],
    cc: JSON.parse(cc_json) as NamedAddress[],
    bcc: JSON.parse(bcc_json) as NamedAddress[],
  }
}

/** Builds the message of a draft in its current state. */
export async function messageOfDraft(
  ctx: ReadContext,
  row: Row<'email_drafts'>,
): Promise<{
  letter: OutgoingMessage
  account: Row<'accounts'>
  answered: Row<'emails'> | undefined
}> {
  const from = await account.demand(ctx, row.account_id, 'see', 'account_id')
  const answered = row.answers_id === null ? undefined : await email.find(ctx, row.answers_id)
  const { files, attachments } = await attachmentsOfDrafts(ctx, [row]).then(
    (enclosures) => enclosures.get(row.id)!,
  )
  const answers =
    answered && row.answers_as !== null
      ? { row: answered, as: row.answers_as, quote: row.quote }
      : undefined
  const boxes = recipientsOfDraft(row)
  const letter = await buildMessage(ctx, {
    account: from,
    ...boxes,
    subject: row.subject,
    body: row.body_markdown,
    files,
    attachments,
    answers,
    messageId: row.message_id,
  })
  return { letter, account: from, answered }
}

/** Unfilled template variables of a draft. */
export function unfilledVariablesOf({
  subject,
  body_markdown,
  unfilled_json,
}: Row<'email_drafts'>): string[] {
  const remaining = unfilledVariables(subject, body_markdown)
  return (JSON.parse(unfilled_json) as string[]).filter((name) => remaining.includes(name))
}

export interface DraftAttachments {
  files: Row<'files'>[]
  attachments: Row<'email_attachments'>[]
}

/** Attachments of drafts, in order; those that were deleted, or are no longer visible, are absent. */
export async function attachmentsOfDrafts(
  ctx: ReadContext,
  drafts: readonly Row<'email_drafts'>[],
): Promise<Map<string, DraftAttachments>> {
  const enclosedByDraft = new Map<string, DraftAttachments>(
    drafts.map((row) => [row.id, { files: [], attachments: [] }]),
  )
  if (drafts.length === 0) return enclosedByDraft
  const rows = await emailDraftFile
    .of(
      ctx,
      drafts.map((row) => row.id),
    )
    .selectAll()
    .orderBy('position')
    .execute()
  const files = await file.among(
    ctx,
    rows.flatMap((row) => row.file_id ?? []),
  )
  const attachments = await emailAttachment.among(
    ctx,
    rows.flatMap((row) => row.attachment_id ?? []),
  )
  for (const row of rows) {
    const enclosed = enclosedByDraft.get(row.draft_id)!
    const item = row.file_id === null ? undefined : files.get(row.file_id)
    const other = row.attachment_id === null ? undefined : attachments.get(row.attachment_id)
    if (item) enclosed.files.push(item)
    if (other) enclosed.attachments.push(other)
  }
  return enclosedByDraft
}
