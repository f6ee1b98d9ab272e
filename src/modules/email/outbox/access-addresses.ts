import type { Id } from '../../../kernel/ids.ts'
import { randomUUID } from 'node:crypto'
import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import { SearchIndex } from '../../../search/index.ts'
import { ownAddresses, recountThreads } from '../threads/access.ts'
import { email, emailTextsOf } from '../access.ts'
import { snippetOf, renderMessage, type NamedAddress, type OutgoingMessage } from './messages.ts'
import { Threads } from '../sync/threads.ts'

// Outgoing mail is first written to the owner's local mailbox and to the outbox; a job delivers it to the server.

/** A unique Message-ID. */
export function newMessageId({ address }: Pick<Row<'accounts'>, 'address'>): string {
  return `<${randomUUID()}@${address.slice(address.lastIndexOf('@') + 1)}>`
}

/** The caller's own addresses, in lower case. */
export function ownMailAddresses(viewer: Viewer): Promise<ReadonlySet<string>> {
  const { all, actor } = accessScopeOf(viewer)
  return ownAddresses(all, actor.id)
}

/** Number of messages that the caller sent from here within the last day, and the time of the first. */
export async function sentToday(reader: Viewer): Promise<{ count: number; firstSentAt: number }> {
  const { all, actor, now } = accessScopeOf(reader)
  const sentCount = await all
    .selectFrom('emails')
    .innerJoin('email_outbox', 'email_outbox.email_id', 'emails.id')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.min('emails.received_at').as('first'),
    ])
    .where('emails.owner_id', '=', actor.id)
    .where('emails.received_at', '>', now - dayLength)
    .executeTakeFirstOrThrow()
  return { count: sentCount.count, firstSentAt: Number(sentCount.first ?? now) }
}

/**
 * Bodies of messages by id; those whose text is not stored here are absent. The reader must be able to see the
 * messages.
 */
export async function bodiesOf(
  viewer: Viewer,
  rows: readonly Pick<Row<'emails'>, 'id'>[],
): Promise<Map<string, Row<'email_bodies'>>> {
  if (rows.length === 0) return new Map()
  const bodyRows = await accessScopeOf(viewer)
    .all.selectFrom('email_bodies')
    .selectAll()
    .where(
      'email_id',
      'in',
      rows.map((row) => row.id),
    )
    .execute()
  return new Map(bodyRows.map((row) => [row.email_id, row]))
}

/** Whether another person has replied in a conversation since a moment. */
export async function hasRepliesSince(
  viewer: Viewer,
  threadId: string,
  since: number,
): Promise<boolean> {
  const reply = await email
    .visibleTo(viewer)
    .select('emails.id')
    .where('emails.thread_id', '=', threadId as Id<'mail_threads'>)
    .where('emails.is_own', '=', 0)
    .where('emails.is_bulk', '=', 0)
    .where('emails.received_at', '>', since)
    .where('emails.place', '<>', 'spam')
    .limit(1)
    .executeTakeFirst()
  return reply !== undefined
}

/** Writes a message into the mailbox and the outbox, in the transaction of the call. */
export async function addOutgoing(
  ctx: WriteContext,
  {
    account,
    letter,
    draftId,
  }: { account: Row<'accounts'>; letter: OutgoingMessage; draftId: string | null },
): Promise<Row<'emails'>> {
  const { all } = accessScopeOf(ctx)
  const row = await ctx.add('emails', {
    ...outgoingEmailRow(account, letter, ctx.now),
    thread_id: await threadOf(ctx, account, letter),
  })
  await addAddresses(ctx, row, letter)
  const { text: _, html } = renderMessage(letter)
  await all
    .insertInto('email_bodies')
    .values({
      email_id: row.id,
      org_id: row.org_id,
      own_markdown: letter.body_markdown,
      quoted_markdown: quotedOf(letter),
      signature: letter.signature_markdown ?? '',
      html,
      headers_json: '[]',
      calendar_text: null,
      warnings_json: '[]',
    })
    .execute()
  await recountThreads(all, [row.thread_id])
  await addAttachments(ctx, row, letter)
  await all
    .insertInto('email_outbox')
    .values({
      email_id: row.id,
      org_id: row.org_id,
      account_id: row.account_id,
      draft_id: draftId,
      state: 'queued',
      letter_json: JSON.stringify(letter),
      attempts: 0,
      not_before: ctx.now,
      handing_at: null,
      handed_at: null,
      problem: null,
    })
    .execute()
  await new SearchIndex().addAll(all, row.org_id, await emailTextsOf(row.id, accessScopeOf(ctx)))
  return row
}

async function addAttachments(
  ctx: WriteContext,
  row: Row<'emails'>,
  letter: OutgoingMessage,
): Promise<void> {
  for (const [i, file] of letter.files.entries()) {
    await ctx.add('email_attachments', {
      email_id: row.id,
      part: String(i + 2),
      position: i,
      name: file.name,
      mime_type: file.mime_type,
      size_bytes: file.size_bytes,
      content_id: null,
      is_inline: 0,
      file_id: file.file_id ?? null,
      text_state: 'none',
      text: null,
      text_cut: 0,
    })
  }
}

function outgoingEmailRow(
  account: Row<'accounts'>,
  letter: OutgoingMessage,
  now: number,
): Omit<
  Row<'emails'>,
  | 'id'
  | 'org_id'
  | 'thread_id'
  | 'revision'
  | 'created_at'
  | 'updated_at'
  | 'created_by'
  | 'created_via'
> {
  return {
    owner_id: account.owner_id,
    account_id: account.id,
    folder_id: null,
    uid: null,
    place: 'sent',
    message_id: letter.message_id,
    in_reply_to: letter.in_reply_to,
    references_json: JSON.stringify(letter.references),
    from_name: letter.from.name ?? null,
    from_email: letter.from.email.toLowerCase(),
    addresses_json: JSON.stringify({ to: letter.to, cc: letter.cc, bcc: letter.bcc, reply_to: [] }),
    is_own: 1,
    is_bulk: 0,
    subject: letter.subject,
    snippet: snippetOf(letter.body_markdown),
    sent_at: letter.date,
    received_at: now,
    size_bytes:
      Buffer.byteLength(letter.body_markdown) +
      letter.files.reduce((sum, file) => sum + file.size_bytes, 0),
    unread: 0,
    starred: 0,
    answered: 0,
    has_attachment: letter.files.length > 0 ? 1 : 0,
    unsubscribe_json: null,
    authentication_json: null,
    delivery: 'sending',
    delivery_problem: null,
    body_state: 'ready',
    body_tried_at: null,
    server_message: null,
    server_thread: null,
    modseq: null,
  }
}

async function threadOf(
  ctx: WriteContext,
  account: Row<'accounts'>,
  letter: OutgoingMessage,
): Promise<Row<'mail_threads'>['id']> {
  const { all } = accessScopeOf(ctx)
  const threads = new Threads(all, account, ctx.now)
  const people = [letter.from, ...letter.to, ...letter.cc].map((box) => box.email.toLowerCase())
  const threadInput = {
    messageId: letter.message_id,
    inReplyTo: letter.in_reply_to,
    references: letter.references,
    serverThread: null,
    subject: letter.subject,
    receivedAt: ctx.now,
    people: [...new Set(people)].slice(0, 50),
  }
  await threads.prepare([threadInput])
  const answered =
    letter.in_reply_to === null || !letter.answers
      ? undefined
      : await email.find(ctx, letter.answers.email_id)
  const id = answered
    ? threads.join(threadInput, answered.thread_id)
    : await threads.find(threadInput)
  await threads.save()
  return id
}

async function addAddresses(
  ctx: WriteContext,
  row: Row<'emails'>,
  letter: OutgoingMessage,
): Promise<void> {
  const { all } = accessScopeOf(ctx)
  const fields = {
    from: [letter.from],
    to: letter.to,
    cc: letter.cc,
    bcc: letter.bcc,
  } satisfies Record<string, NamedAddress[]>
  for (const [field, boxes] of Object.entries(fields) as [
    'from' | 'to' | 'cc' | 'bcc',
    NamedAddress[],
  ][]) {
    const boxesByAddress = new Map(boxes.map((box) => [box.email.toLowerCase(), box]))
    for (const [address, { name }] of boxesByAddress)
      await all
        .insertInto('email_addresses')
        .values({
          email_id: row.id,
          field,
          address,
          org_id: row.org_id,
          owner_id: row.owner_id,
          name: name ?? null,
          received_at: row.received_at,
        })
        .execute()
  }
}

function quotedOf({ quote }: OutgoingMessage): string {
  return (quote?.messages ?? [])
    .map((message) => `${message.intro}\n\n${message.markdown}`)
    .join('\n\n')
    .slice(0, 500_000)
}
