import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { account } from '../../accounts/access.ts'
import { BulkResult } from '../../../records/shapes.ts'
import { email } from '../access.ts'
import { sameNewsletter } from './access-newsletters.ts'
import { buildMessage, queueOutgoing } from './composition.ts'
import { parseMailAddress } from './recipients.ts'
import {
  unsubscribeMethod,
  type UnsubscribeInfo,
  type UnsubscribeMethod,
} from './unsubscribe-methods.ts'

const maxArchived = 200

const Unsubscription = BulkResult.extend({
  by: z
    .enum(['post', 'mail'])
    .describe('post: a request to the address that the sender names; mail: from your account'),
  to: z.string().describe('the address or the mailbox that gets the request'),
  status: z
    .enum(['requested', 'requested_before'])
    .describe('neither says that the sender has done it'),
  note: z.string(),
  more: z.int().optional().describe('messages that are still in the inbox; call again'),
})

export const unsubscribeFromSender = operation({
  name: 'unsubscribe_from_sender',
  searchHint: 'newsletter, stop these mails, get off a mailing list, marketing mail',
  kind: 'destructive',
  idempotent: true,
  rest: 'POST /api/emails/{email_id}/unsubscribe',
  about: 'Ask the sender of a newsletter to send no more, and optionally archive that newsletter',
  on: { email: email.edit },
  input: {
    archive_existing: z
      .boolean()
      .default(false)
      .describe('archives up to 200 messages of this newsletter, no other mail of its sender'),
  },
  output: Unsubscription,
  outbound: true,
  dryRun: true,
  async handle({ email: row, archive_existing }, ctx) {
    const info = JSON.parse(row.unsubscribe_json ?? '{}') as UnsubscribeInfo
    const method = requireAutomaticMethod(info, row)
    const isNew = info.asked_at === undefined
    if (isNew) await requestUnsubscribe(ctx, row, info, method)
    const ids = archive_existing ? await sameNewsletter(ctx, row) : []
    const archived = await archiveAll(ctx, ids.slice(0, maxArchived))
    return {
      ...unsubscribeResult(ctx, row, isNew, archived),
      by: method.by,
      to: method.by === 'mail' ? method.to : method.url,
      status: isNew ? ('requested' as const) : ('requested_before' as const),
      note: notes[method.by],
      ...(ids.length > maxArchived ? { more: ids.length - maxArchived } : {}),
    }
  },
})

type Result = z.infer<typeof BulkResult>

/** The request and the archived messages as one result. */
function unsubscribeResult(
  ctx: WriteContext,
  row: Row<'emails'>,
  isNew: boolean,
  archived: Result,
): Result {
  return {
    requested: 1 + archived.requested,
    matched: 1 + archived.matched,
    changed: (isNew ? 1 : 0) + archived.changed,
    skipped: [
      ...(isNew ? [] : [{ id: row.id, reason: 'already_unsubscribed' }]),
      ...archived.skipped,
    ],
    failed: archived.failed,
    items: [email.ref(row, ctx.baseUrl), ...archived.items.filter((item) => item.id !== row.id)],
    dry_run: ctx.dryRun,
    ...(archived.changed > 0 ? { undo_call_id: ctx.callId } : {}),
  }
}

const notes = {
  post: 'The request is sent in the background; a notification says if it fails. The sender does not confirm it.',
  mail: 'The request is a mail from your account; a notification says if it comes back. The sender may answer it, and does not confirm it otherwise.',
}

type AutomaticMethod = Extract<UnsubscribeMethod, { by: 'post' | 'mail' }>

/** @throws Refusal conflict if only a person can unsubscribe, or the message offers no method */
function requireAutomaticMethod(
  leaving: UnsubscribeInfo,
  { authentication_json }: Row<'emails'>,
): AutomaticMethod {
  const way = unsubscribeMethod(leaving, authentication_json)
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
  return way
}

async function requestUnsubscribe(
  ctx: WriteContext,
  row: Row<'emails'>,
  leaving: UnsubscribeInfo,
  way: AutomaticMethod,
): Promise<void> {
  if (way.by === 'mail') await sendUnsubscribeMail(ctx, row, way)
  await ctx.change('emails', row, {
    unsubscribe_json: JSON.stringify({ ...leaving, asked_at: ctx.now }),
  })
  if (way.by === 'post') await ctx.job('unsubscribe', { email_id: row.id }, { uniqueKey: row.id })
}

async function sendUnsubscribeMail(
  ctx: WriteContext,
  row: Row<'emails'>,
  { to, subject, body }: { to: string; subject: string; body: string },
): Promise<void> {
  const from = await account.demand(ctx, row.account_id, 'see', 'email_id')
  const letter = await buildMessage(ctx, {
    account: { ...from, signature_markdown: null },
    to: [parseMailAddress(to, 'email_id')],
    cc: [],
    bcc: [],
    subject,
    body,
    files: [],
    attachments: [],
  })
  await queueOutgoing(ctx, from, letter)
}

async function archiveAll(ctx: WriteContext, ids: readonly string[]): Promise<Result> {
  if (ids.length > 0) return ctx.call('archive_emails', { email_ids: ids })
  const none = { requested: 0, matched: 0, changed: 0, skipped: [], failed: [], items: [] }
  return { ...none, dry_run: ctx.dryRun }
}
