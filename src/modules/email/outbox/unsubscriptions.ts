import type { Id } from '../../../kernel/ids.ts'
import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { account } from '../../accounts/access.ts'
import { BulkResult } from '../../../records/shapes.ts'
import { email } from '../access.ts'
import { letterOf, send } from './composition.ts'
import { readBox } from './recipients.ts'
import { wayOut, type Leaving } from './unsubscribe-methods.ts'

const mostArchived = 200

export const unsubscribeFromSender = operation({
  name: 'unsubscribe_from_sender',
  searchHint: 'newsletter, stop these mails, get off a mailing list, marketing mail',
  kind: 'destructive',
  idempotent: true,
  rest: 'POST /api/emails/{email_id}/unsubscribe',
  about: "Use the message's one-click unsubscribe and optionally archive that sender's mail",
  on: { email: email.edit },
  input: {
    archive_existing: z
      .boolean()
      .default(false)
      .describe('archives what that sender has sent, up to 200 messages'),
  },
  output: BulkResult,
  outbound: true,
  async handle({ email: row, archive_existing }, ctx) {
    const leaving = JSON.parse(row.unsubscribe_json ?? '{}') as Leaving
    const isNew = leaving.asked_at === undefined
    if (isNew) await leave(ctx, row, leaving)
    const archived = archive_existing ? await archiveAll(ctx, row) : undefined
    return {
      requested: 1 + (archived?.requested ?? 0),
      matched: 1 + (archived?.matched ?? 0),
      changed: (isNew ? 1 : 0) + (archived?.changed ?? 0),
      skipped: [
        ...(isNew ? [] : [{ id: row.id, reason: 'already_unsubscribed' }]),
        ...(archived?.skipped ?? []),
      ],
      failed: archived?.failed ?? [],
      items: [
        email.ref(row, ctx.baseUrl),
        ...(archived?.items ?? []).filter((item) => item.id !== row.id),
      ],
      dry_run: ctx.dryRun,
      ...(archived && archived.changed > 0 ? { undo_call_id: ctx.callId } : {}),
    }
  },
})

async function leave(ctx: WriteContext, row: Row<'emails'>, leaving: Leaving): Promise<void> {
  const way = wayOut(leaving, row.authentication_json)
  if (way.by === 'link')
    throw new Refusal('conflict', 'You can only unsubscribe on the page of this sender.', {
      hint: 'The recipient has to open the link and decide there.',
      context: { link: way.url, why: way.why },
    })
  if (way.by === 'nothing')
    throw new Refusal(
      'conflict',
      'This message offers no way to unsubscribe.',
      'A rule (create_email_rule) can archive what this sender sends.',
    )
  if (way.by === 'mail') await mailOut(ctx, row, way)
  await ctx.change('emails', row, {
    unsubscribe_json: JSON.stringify({ ...leaving, asked_at: ctx.now }),
  })
  if (way.by === 'post') await ctx.job('unsubscribe', { email_id: row.id }, { uniqueKey: row.id })
}

async function mailOut(
  ctx: WriteContext,
  row: Row<'emails'>,
  { to, subject, body }: { to: string; subject: string; body: string },
): Promise<void> {
  const from = await account.demand(ctx, row.account_id, 'see', 'email_id')
  const letter = await letterOf(ctx, {
    account: { ...from, signature_markdown: null },
    to: [readBox(to, 'email_id')],
    cc: [],
    bcc: [],
    subject,
    body,
    files: [],
    attachments: [],
  })
  await send(ctx, from, letter)
}

async function archiveAll(
  ctx: WriteContext,
  row: Row<'emails'>,
): Promise<z.infer<typeof BulkResult> | undefined> {
  const found = await email
    .editableBy(ctx)
    .select('emails.id')
    .where('emails.account_id', '=', row.account_id as Id<'accounts'>)
    .where('emails.from_email', '=', row.from_email)
    .where('emails.place', '=', 'inbox')
    .orderBy('emails.received_at', 'desc')
    .limit(mostArchived)
    .execute()
  return found.length === 0
    ? undefined
    : ctx.call('archive_emails', { email_ids: found.map((item) => item.id) })
}
