import { chunks } from '../../../kernel/chunks.ts'
import { omitNullish } from '../../../kernel/present.ts'
import type { Kysely } from 'kysely'
import type { Row } from '../../../records/resource.ts'
import type { AccessScope } from '../../../records/access-scope.ts'
import type { Tables } from '../../../db/tables.ts'
import { asksForAnswer } from './answer-requests.ts'
import { awaitingOf, type ThreadMessage } from './reply-detection.ts'

/**
 * Conversation counts, derived from messages: all code that changes messages (operations, sync, sending) recomputes
 * them here.
 */

const messageColumns = [
  'id',
  'from_email',
  'from_name',
  'is_own',
  'is_bulk',
  'place',
  'sent_at',
  'received_at',
  'subject',
  'answered',
  'delivery',
  'unread',
  'addresses_json',
] as const
type Message = Pick<Row<'emails'>, (typeof messageColumns)[number]>
type Addresses = Partial<
  Record<'to' | 'cc' | 'bcc' | 'reply_to', { name?: string; email: string }[]>
>

const maxParticipants = 50

/**
 * Recomputes conversations from their messages: counts, unread, first and last moment, presence in the inbox,
 * participants, who waits for whom. Deletes conversations without messages. `all` writes, inside a transaction.
 */
export async function recountThreads(
  all: Kysely<Tables>,
  threadIds: Iterable<string>,
): Promise<void> {
  const addressesByOwner = new Map<string, ReadonlySet<string>>()
  for (const id of new Set(threadIds)) {
    const thread = await all
      .selectFrom('mail_threads')
      .selectAll()
      .where('id', '=', id as Row<'mail_threads'>['id'])
      .executeTakeFirst()
    if (!thread) continue
    const messages = await all
      .selectFrom('emails')
      .select(messageColumns)
      .where('thread_id', '=', thread.id)
      .orderBy('sent_at')
      .orderBy('id')
      .execute()
    if (messages.length === 0) {
      await all.deleteFrom('mail_threads').where('id', '=', thread.id).execute()
      continue
    }
    const ownerAddresses =
      addressesByOwner.get(thread.owner_id) ?? (await ownAddresses(all, thread.owner_id))
    addressesByOwner.set(thread.owner_id, ownerAddresses)
    const threadMessages = await threadMessagesOf(all, messages)
    const { awaiting, since } = await awaitingOf(threadMessages, ownerAddresses, (message) =>
      requestsAnswer(all, message),
    )
    const awaitingColumns =
      awaiting !== thread.awaiting || since !== thread.waiting_since
        ? { awaiting, waiting_since: since, waiting_told_at: null }
        : {}
    await all
      .updateTable('mail_threads')
      .set({ ...countsOf(messages), ...awaitingColumns })
      .where('id', '=', thread.id)
      .execute()
  }
}

/** Counts of a conversation's messages. Drafts, spam and trash count only if there is nothing else. */
function countsOf(messages: readonly Message[]) {
  const visibleMessages = messages.filter(
    (message) => !['drafts', 'spam', 'trash'].includes(message.place),
  )
  const counted = visibleMessages.length > 0 ? visibleMessages : messages
  const moments = counted.map((message) => message.received_at)
  return {
    participants_json: JSON.stringify(participantsOf(counted)),
    message_count: counted.length,
    unread_count: visibleMessages.filter((message) => message.unread === 1).length,
    first_message_at: moments.reduce((a, b) => Math.min(a, b)),
    last_message_at: moments.reduce((a, b) => Math.max(a, b)),
    in_inbox: messages.some((message) => message.place === 'inbox') ? (1 as const) : (0 as const),
  }
}

function participantsOf(messages: readonly Message[]): { name?: string; email: string }[] {
  const participants = new Map<string, { name?: string; email: string }>()
  for (const message of messages) {
    const { to = [], cc = [] } = JSON.parse(message.addresses_json) as Addresses
    for (const { name, email } of [
      { name: message.from_name ?? undefined, email: message.from_email },
      ...to,
      ...cc,
    ]) {
      const participant = participants.get(email.toLowerCase())
      if (!participant && participants.size < maxParticipants)
        participants.set(email.toLowerCase(), omitNullish({ name: name || undefined, email }))
      else if (participant && name && !participant.name) participant.name = name
    }
  }
  return [...participants.values()]
}

async function requestsAnswer(
  all: Kysely<Tables>,
  { id, subject }: Message,
): Promise<boolean | undefined> {
  const body = await all
    .selectFrom('email_bodies')
    .select('own_markdown')
    .where('email_id', '=', id)
    .executeTakeFirst()
  return body && asksForAnswer(subject, body.own_markdown)
}

async function threadMessagesOf(
  all: Kysely<Tables>,
  messages: readonly Message[],
): Promise<(Message & ThreadMessage)[]> {
  const invitations = new Set<string>()
  for (const batch of chunks(messages, 500)) {
    const ids = batch.map((message) => message.id)
    const invitationBodies = await all
      .selectFrom('email_bodies')
      .select('email_id')
      .where('email_id', 'in', ids)
      .where('calendar_text', 'is not', null)
      .execute()
    for (const item of invitationBodies) invitations.add(item.email_id)
  }
  return messages.map((message) => ({
    ...message,
    to: ((JSON.parse(message.addresses_json) as Addresses).to ?? []).map((to) =>
      to.email.toLowerCase(),
    ),
    calendar: invitations.has(message.id),
  }))
}

/** Current conversations for former ids, so that ids from before a merge remain valid. */
export async function formerThreads(
  { all, actor }: AccessScope,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const ownAccounts = all.selectFrom('accounts').select('id').where('owner_id', '=', actor.id)
  const rows = await all
    .selectFrom('mail_thread_links')
    .select(['message_id', 'thread_id'])
    .where('account_id', 'in', ownAccounts)
    .where('message_id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.message_id, row.thread_id]))
}

/** A person's addresses: those of their accounts and the sign-in address. In lower case. */
export async function ownAddresses(
  all: Kysely<Tables>,
  ownerId: string,
): Promise<ReadonlySet<string>> {
  const id = ownerId as Row<'users'>['id']
  const accounts = await all
    .selectFrom('accounts')
    .select('address')
    .where('owner_id', '=', id)
    .execute()
  const person = await all
    .selectFrom('users')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirst()
  return new Set(
    [...accounts.map((account) => account.address), ...(person ? [person.email] : [])].map((name) =>
      name.toLowerCase(),
    ),
  )
}

/** Ends snoozes that wait for a reply, after a message from another person arrived. */
export async function wakeAnswered(
  all: Kysely<Tables>,
  threadIds: Iterable<string>,
): Promise<void> {
  for (const id of new Set(threadIds)) {
    await all
      .updateTable('mail_threads')
      .set({ snoozed_until: null, snoozed_until_reply: 0 })
      .where('id', '=', id as Row<'mail_threads'>['id'])
      .where('snoozed_until_reply', '=', 1)
      .execute()
  }
}
