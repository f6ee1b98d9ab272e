import { omitNullish } from '../../../kernel/present.ts'
import type { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { contactsByEmail } from '../../contacts/access.ts'
import { contactRef } from '../../contacts/shapes.ts'
import { person } from '../../directory/access.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import {
  commonOf,
  type Address,
  type ItemRef as ItemRefs,
  type Ref,
  trustOf,
} from '../../../records/shapes.ts'
import { task } from '../../tasks/access.ts'
import { email, emailAttachment, emailDraft, emailLabel, mailThread } from '../access.ts'
import {
  addressesOfCaller,
  lastMessagesOfThreads,
  externalThreads,
  folderPaths,
  labelsOfThreads,
  messagesOfThreads,
} from './access-presenter.ts'
import { awaitedRecipients } from '../threads/reply-detection.ts'
import { waitingSince } from '../threads/waiting-since.ts'
import type { Email, EmailThread } from '../shapes.ts'

export type EmailShape = z.infer<typeof Email>
export type ThreadShape = z.infer<typeof EmailThread>
type MailAddress = { name?: string; email: string }
type MailAddresses = Record<'to' | 'cc' | 'bcc' | 'reply_to', MailAddress[]>

/** Presents messages without their bodies, for lists. The caller must have access to the rows. */
export async function presentEmails(
  ctx: ReadContext,
  rows: readonly Row<'emails'>[],
): Promise<EmailShape[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const creators = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const boxes = rows.map(addressesOf)
  const addresses = await addressesFor(
    ctx,
    rows.flatMap((row, i) => [row.from_email, ...recipientEmails(boxes[i]!)]),
  )
  const folders = await folderPaths(
    ctx,
    rows.filter((row) => row.place === 'folder'),
  )
  const attachments = await attachmentsOf(ctx, ids)
  const labels = await labelsByEmail(ctx, ids)
  const linked = await tasksFrom(ctx, ids)
  return rows.map((row, i) =>
    omitNullish({
      ...commonOf(row, email.url(row, ctx.baseUrl), creators),
      account_id: row.account_id,
      thread_id: row.thread_id,
      message_id_header: row.message_id,
      ...correspondentsOf(row, boxes[i]!, addresses.present),
      subject: row.subject,
      date: iso(row.sent_at),
      snippet: row.snippet,
      ...trustOf(row.is_own === 0),
      body_state: row.body_state === 'ready' ? undefined : row.body_state,
      folder: row.place === 'folder' ? (folders.get(row.folder_id ?? '') ?? 'folder') : row.place,
      labels: (labels.get(row.id) ?? []).map((item) => item.name),
      unread: row.unread === 1,
      starred: row.starred === 1,
      attachments: attachments.get(row.id) ?? [],
      contact: addresses.contact(row.from_email),
      linked_items: linked.get(row.id) ?? [],
      list_unsubscribe: row.unsubscribe_json !== null,
      authentication: authenticationOf(row),
      delivery: row.delivery,
      delivery_problem: row.delivery_problem,
    }),
  )
}

function correspondentsOf(
  row: Row<'emails'>,
  { to, cc, bcc, reply_to }: MailAddresses,
  present: (address: MailAddress) => Address,
) {
  return {
    from: present(omitNullish({ name: row.from_name, email: row.from_email })),
    to: to.map(present),
    cc: cc.map(present),
    bcc: bcc.length > 0 ? bcc.map(present) : undefined,
    reply_to: isToSender(reply_to, row) ? undefined : reply_to.map(present),
  }
}

/** Whether Reply-To has no other address than the sender's. */
function isToSender(replyTo: readonly MailAddress[], { from_email }: Row<'emails'>): boolean {
  return replyTo.every(({ email: address }) => address.toLowerCase() === from_email.toLowerCase())
}

/** The first recipient addresses, to look up people and contacts. */
function recipientEmails({ to, cc, bcc, reply_to }: MailAddresses): string[] {
  return [...to, ...cc, ...bcc, ...reply_to].slice(0, maxResolvedAddresses).map((box) => box.email)
}

/** Attachments by message, without inline images. */
async function attachmentsOf(ctx: ReadContext, ids: readonly Row<'emails'>['id'][]) {
  const rows = await emailAttachment
    .of(ctx, ids)
    .selectAll('email_attachments')
    .where('email_attachments.is_inline', '=', 0)
    .orderBy('email_attachments.position')
    .orderBy('email_attachments.id')
    .execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.email_id)].map(([id, emailRows]) => [
      id,
      emailRows.map(({ id, name, mime_type, size_bytes }) => ({ id, name, mime_type, size_bytes })),
    ]),
  )
}

async function labelsByEmail(ctx: ReadContext, ids: readonly Row<'emails'>['id'][]) {
  const rows = await emailLabel
    .of(ctx, ids)
    .select(['email_labels.email_id', 'email_labels.name'])
    .orderBy('email_labels.name')
    .execute()
  return Map.groupBy(rows, (row) => row.email_id)
}

function authenticationOf({ authentication_json }: Row<'emails'>): EmailShape['authentication'] {
  const results = authentication_json === null ? {} : (JSON.parse(authentication_json) as object)
  return { spf: 'none', dkim: 'none', dmarc: 'none', ...results }
}

/** Maximum addresses of one message for which people and contacts are looked up. */
const maxResolvedAddresses = 100

function addressesOf(row: Row<'emails'>): MailAddresses {
  return { to: [], cc: [], bcc: [], reply_to: [], ...(JSON.parse(row.addresses_json) as object) }
}

/** Resolves addresses to people of the organization and contacts in its directory. */
export async function addressesFor(
  ctx: ReadContext,
  emails: readonly string[],
): Promise<{
  present: (box: MailAddress) => Address
  contact: (email: string) => Ref | undefined
}> {
  const uniqueEmails = [
    ...new Set(emails.map((name) => name.toLowerCase()).filter((name) => name !== '')),
  ]
  const people =
    uniqueEmails.length === 0
      ? []
      : await person
          .visibleTo(ctx)
          .select(['users.id', 'users.email', 'users.display_name'])
          .where('users.org_id', '=', ctx.actor.org_id)
          .where('users.email', 'in', uniqueEmails)
          .execute()
  const contacts = await contactsByEmail(ctx, uniqueEmails)
  const byEmail = new Map(
    people.map((item) => [
      item.email.toLowerCase(),
      { id: item.id as string, title: item.display_name },
    ]),
  )
  const contact = (address: string) => {
    const contactRow = contacts.get(address.toLowerCase())
    return contactRow && contactRef(contactRow)
  }
  const present = ({ name, email: address }: MailAddress): Address => {
    const [colleague, contactOfAddress] = [byEmail.get(address.toLowerCase()), contact(address)]
    return omitNullish({
      name: name || undefined,
      email: address === '' ? undefined : address,
      person: colleague,
      contact: contactOfAddress,
    })
  }
  return { present, contact }
}

/** Tasks created from messages or conversations, visible to the caller. */
async function tasksFrom(
  ctx: ReadContext,
  ids: readonly string[],
): Promise<Map<string, ItemRef[]>> {
  const rows = await task
    .visibleTo(ctx)
    .selectAll('tasks')
    .where('tasks.source_id', 'in', ids as string[])
    .orderBy('tasks.id')
    .execute()
  const tasksByEmail = new Map<string, ItemRef[]>()
  for (const row of rows)
    tasksByEmail.set(row.source_id!, [
      ...(tasksByEmail.get(row.source_id!) ?? []),
      task.ref(row, ctx.baseUrl),
    ])
  return tasksByEmail
}

async function tasksOfThreads(
  ctx: ReadContext,
  rows: readonly Row<'mail_threads'>[],
): Promise<Map<string, ItemRef[]>> {
  const emailIds = await messagesOfThreads(ctx, rows)
  const tasks = await tasksFrom(ctx, [...emailIds.values()].flat())
  return new Map([...emailIds].map(([id, ids]) => [id, ids.flatMap((id) => tasks.get(id) ?? [])]))
}

type ItemRef = z.infer<typeof ItemRefs>

/** Presents conversations without their messages. The caller must have access to the rows. */
export async function presentThreads(
  ctx: ReadContext,
  rows: readonly Row<'mail_threads'>[],
): Promise<ThreadShape[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const makers = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const participants = rows.map((row) => JSON.parse(row.participants_json) as MailAddress[])
  const lastMessages = await lastMessagesOfThreads(ctx, rows)
  const senders = [...lastMessages.values()].flatMap(({ last }) => last?.from_email ?? [])
  const ownAddresses = await addressesOfCaller(ctx)
  const recipients = rows.map((row) =>
    presentAwaitedRecipients(lastMessages.get(row.id)?.question, ownAddresses),
  )
  const addresses = await addressesFor(
    ctx,
    [...participants.flat(), ...recipients.flat()]
      .map((participant) => participant.email)
      .concat(senders),
  )
  const labels = await labelsOfThreads(ctx, rows)
  const drafts = await emailDraft
    .visibleTo(ctx)
    .selectAll('email_drafts')
    .where('email_drafts.thread_id', 'in', ids as string[])
    .where('email_drafts.state', '<>', 'sent')
    .orderBy('email_drafts.id')
    .execute()
  const external = await externalThreads(ctx, ids)
  const tasks = await tasksOfThreads(ctx, rows)
  return rows.map((row, i) =>
    omitNullish({
      ...commonOf(row, mailThread.url(row, ctx.baseUrl), makers),
      account_id: row.account_id,
      subject: row.subject,
      participants: participants[i]!.map(addresses.present),
      message_count: row.message_count,
      unread_count: row.unread_count,
      last_message_at: iso(row.last_message_at),
      ...lastMessageOf(lastMessages.get(row.id)?.last, addresses.present),
      ...trustOf(external.has(row.id)),
      waiting_for: recipients[i]!.length > 0 ? recipients[i]!.map(addresses.present) : undefined,
      awaiting: row.awaiting,
      waiting_since: waitingSince(row),
      in_inbox: row.in_inbox === 1,
      snoozed_until: row.snoozed_until === null ? undefined : iso(row.snoozed_until),
      snoozed_until_reply: row.snoozed_until_reply === 1 ? true : undefined,
      labels: labels.get(row.id) ?? [],
      drafts: drafts.filter((draft) => draft.thread_id === row.id).map(draftRef),
      linked_items: tasks.get(row.id) ?? [],
    }),
  )
}

function draftRef(draft: Row<'email_drafts'>): Ref {
  const { title } = emailDraft.definition
  return { id: draft.id, title: title(draft), ...trustOf(draft.answers_id !== null) }
}

/** Summary of the last message of a conversation: enough to rank it and to answer. */
function lastMessageOf(
  last: Row<'emails'> | undefined,
  present: (address: MailAddress) => Address,
): Pick<ThreadShape, 'last_email_id' | 'last_sender' | 'snippet'> {
  if (!last) return {}
  const sender =
    last.from_email === '' && last.from_name === null
      ? {}
      : {
          last_sender: present(
            omitNullish({
              name: last.from_name,
              email: last.from_email,
            }),
          ),
        }
  return omitNullish({
    last_email_id: last.id,
    ...sender,
    snippet: last.snippet === '' ? undefined : last.snippet,
  })
}

function presentAwaitedRecipients(
  question: Row<'emails'> | undefined,
  mine: ReadonlySet<string>,
): MailAddress[] {
  return question
    ? awaitedRecipients(addressesOf(question).to, mine).slice(0, maxResolvedAddresses)
    : []
}
