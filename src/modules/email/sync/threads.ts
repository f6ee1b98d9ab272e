import { chunks } from '../../../kernel/chunks.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import { isHidden } from '../threads/snooze-state.ts'
import { insertMany, type MailAccount, type Store } from './store.ts'
import { baseSubject } from '../messages/subjects.ts'

type Thread = Row<'mail_threads'>

/** Headers of a message that decide which conversation it belongs to. */
export interface ThreadInput {
  messageId: string
  inReplyTo: string | null
  references: readonly string[]
  /** Gmail's thread id. */
  serverThread: string | null
  subject: string
  receivedAt: number
  /** Lower-case addresses of its author and recipients. */
  people: readonly string[]
}

const maxSubjectGapMs = 30 * dayLength
const maxIds = 900

/**
 * Assigns messages to conversations, one after another, inside one transaction: by their own and referenced ids, in
 * any order of arrival; a late link merges two conversations. Replies without references are assigned by subject and
 * people of the last 30 days. Nothing is written before `save`.
 */
export class Threads {
  readonly #db: Store
  readonly #account: MailAccount
  readonly #now: number
  readonly #links = new Map<string, Thread['id']>()
  readonly #newLinks = new Map<string, Thread['id']>()
  readonly #createdById = new Map<Thread['id'], Thread>()
  /** Conversations created for a reply whose first message is unknown. */
  readonly #headless = new Set<Thread['id']>()
  /** All conversations that gained or lost messages. */
  readonly touched = new Set<Thread['id']>()

  constructor(db: Store, account: MailAccount, now: number) {
    this.#db = db
    this.#account = account
    this.#now = now
  }

  /** Looks up all ids of these messages at once. */
  async prepare(messages: readonly ThreadInput[]): Promise<void> {
    const ids = [...new Set(messages.flatMap(threadReferences))]
    for (const batch of chunks(ids, maxIds)) {
      const rows = await this.#db
        .selectFrom('mail_thread_links')
        .select(['message_id', 'thread_id'])
        .where('account_id', '=', this.#account.id)
        .where('message_id', 'in', batch)
        .execute()
      for (const row of rows) this.#links.set(row.message_id, row.thread_id as Thread['id'])
    }
  }

  /** The conversation of a prepared message. */
  async find(message: ThreadInput): Promise<Thread['id']> {
    const ids = threadReferences(message)
    const threadIds = [
      ...new Set(ids.map((id) => this.#links.get(id)).filter((id) => id !== undefined)),
    ]
    const thread =
      threadIds.length > 0
        ? await this.#merged(threadIds)
        : ((await this.#bySubject(message)) ?? this.#make(message))
    this.#link(ids, thread)
    return thread
  }

  /** The same for a message with a known conversation, such as a reply written here. */
  join(message: ThreadInput, thread: Thread['id']): Thread['id'] {
    this.#link(
      threadReferences(message).filter((id) => !this.#links.has(id)),
      thread,
    )
    return thread
  }

  #link(ids: readonly string[], thread: Thread['id']): void {
    for (const id of ids) {
      if (this.#links.get(id) === thread) continue
      this.#links.set(id, thread)
      this.#newLinks.set(id, thread)
    }
    this.touched.add(thread)
  }

  /** Writes conversations and links, before the messages that reference them. */
  async save(): Promise<void> {
    await insertMany(this.#db, 'mail_threads', [...this.#createdById.values()])
    const { id: account_id, org_id } = this.#account
    await insertMany(
      this.#db,
      'mail_thread_links',
      [...this.#newLinks].map(([message_id, thread_id]) => ({
        account_id,
        message_id,
        org_id,
        thread_id,
      })),
    )
    this.#createdById.clear()
    this.#newLinks.clear()
  }

  async #merged([first, ...others]: Thread['id'][]): Promise<Thread['id']> {
    if (others.length === 0) return first!
    await this.save()
    const rows = await this.#db
      .selectFrom('mail_threads')
      .selectAll()
      .where('id', 'in', [first!, ...others])
      .execute()
    rows.sort((a, b) => b.message_count - a.message_count || (a.id < b.id ? -1 : 1))
    const [target, ...absorbedThreads] = rows
    for (const item of absorbedThreads) await this.#absorb(target!, item)
    return target!.id
  }

  async #absorb(target: Thread, absorbed: Thread): Promise<void> {
    const to = { thread_id: target.id }
    await this.#db.updateTable('emails').set(to).where('thread_id', '=', absorbed.id).execute()
    await this.#db
      .updateTable('mail_thread_links')
      .set(to)
      .where('thread_id', '=', absorbed.id)
      .execute()
    await this.#db
      .updateTable('email_drafts')
      .set(to)
      .where('thread_id', '=', absorbed.id)
      .execute()
    await insertMany(this.#db, 'mail_thread_links', [
      {
        account_id: this.#account.id,
        message_id: absorbed.id,
        org_id: this.#account.org_id,
        thread_id: target.id,
      },
    ]) // the former id remains valid (formerThreads)
    const { snoozed_until, snoozed_until_reply } = absorbed
    if (!isHidden(target) && isHidden(absorbed))
      await this.#db
        .updateTable('mail_threads')
        .set({ snoozed_until, snoozed_until_reply })
        .where('id', '=', target.id)
        .execute()
    if (absorbed.first_message_at < target.first_message_at)
      await this.#db
        .updateTable('mail_threads')
        .set({ subject: absorbed.subject, subject_key: absorbed.subject_key })
        .where('id', '=', target.id)
        .execute()
    await this.#db.deleteFrom('mail_threads').where('id', '=', absorbed.id).execute()
    for (const [id, thread] of this.#links)
      if (thread === absorbed.id) this.#links.set(id, target.id)
    this.touched.delete(absorbed.id)
    this.touched.add(target.id)
  }

  /** Some programs reply without references: then the same subject between the same people is one conversation. */
  async #bySubject(message: ThreadInput): Promise<Thread['id'] | undefined> {
    if (message.references.length > 0 || message.inReplyTo !== null) return undefined
    const { key, isAnswer } = baseSubject(message.subject)
    if (key === '') return undefined
    const { receivedAt } = message
    const stored = await this.#db
      .selectFrom('mail_threads')
      .selectAll()
      .where('account_id', '=', this.#account.id)
      .where('subject_key', '=', key)
      .where('last_message_at', '>=', receivedAt - maxSubjectGapMs)
      .where('first_message_at', '<=', receivedAt + maxSubjectGapMs)
      .orderBy('last_message_at', 'desc')
      .limit(5)
      .execute()
    const newThreads = [...this.#createdById.values()].filter(
      (row) =>
        row.subject_key === key && Math.abs(row.last_message_at - receivedAt) <= maxSubjectGapMs,
    )
    for (const row of [...newThreads, ...stored]) {
      const people = (JSON.parse(row.participants_json) as { email: string }[]).map((person) =>
        person.email.toLowerCase(),
      )
      const shared = message.people.filter(
        (person) => person !== this.#account.address && people.includes(person),
      )
      if (shared.length > 0 && (isAnswer || (await this.#isHeadless(row.id)))) return row.id
    }
    return undefined
  }

  async #isHeadless(id: Thread['id']): Promise<boolean> {
    if (this.#createdById.has(id)) return this.#headless.has(id)
    const oldest = await this.#db
      .selectFrom('emails')
      .select(['subject', 'in_reply_to', 'references_json'])
      .where('thread_id', '=', id)
      .orderBy('sent_at')
      .limit(1)
      .executeTakeFirst()
    return (
      oldest !== undefined &&
      oldest.in_reply_to === null &&
      oldest.references_json === '[]' &&
      baseSubject(oldest.subject).isAnswer
    )
  }

  #make(message: ThreadInput): Thread['id'] {
    const { id: account_id, org_id, owner_id } = this.#account
    const { subject, key, isAnswer } = baseSubject(message.subject)
    const id: Thread['id'] = newId('thr', this.#now)
    this.#createdById.set(id, {
      id,
      org_id,
      owner_id,
      account_id,
      subject,
      subject_key: key,
      participants_json: JSON.stringify(message.people.map((email) => ({ email }))),
      message_count: 0,
      unread_count: 0,
      first_message_at: message.receivedAt,
      last_message_at: message.receivedAt,
      in_inbox: 0,
      awaiting: 'none',
      waiting_since: null,
      waiting_told_at: null,
      snoozed_until: null,
      snoozed_until_reply: 0,
      revision: 1,
      created_at: this.#now,
      updated_at: this.#now,
      created_by: owner_id,
      created_via: 'sync',
    })
    if (isAnswer) this.#headless.add(id)
    return id
  }
}

function threadReferences({
  messageId,
  inReplyTo,
  references,
  serverThread,
}: ThreadInput): string[] {
  return [
    ...new Set([
      messageId,
      ...(inReplyTo === null ? [] : [inReplyTo]),
      ...references,
      ...(serverThread === null ? [] : [`<${serverThread}@thread.gmail.invalid>`]),
    ]),
  ]
}
