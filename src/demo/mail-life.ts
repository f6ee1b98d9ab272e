// Inserts the sample mail: no operation creates incoming mail, so it is written as an account sync would write it.

import type { Kysely } from 'kysely'
import type { Actor } from '../kernel/actor.ts'
import type { App } from '../operations/app.ts'
import { newId, type Id } from '../kernel/ids.ts'
import type { Tables } from '../db/tables.ts'
import { mails, sampleMailRule, type SampleMail } from './sample-mail.ts'
import type { Studio } from './seeder.ts'

const hour = 3600_000

type Row<T extends keyof Tables> = Tables[T]

interface Mailbox {
  db: Kysely<Tables>
  owner: Actor
  account: Id<'accounts'>
  folders: ReadonlyMap<string, Id<'mail_folders'>>
  now: number
}

export async function insertSampleMail(studio: Studio): Promise<void> {
  for (const [who, ownerMails] of Map.groupBy(mails, (mail) => mail.owner)) {
    const inserted = await studio.write(who, (app, owner) => insertMails(app, owner, ownerMails))
    for (const { id, mail } of inserted) {
      await studio.call(who, 'mark_emails_read', { email_ids: [id], read: !mail.unread }, 0)
      if (mail.labels || mail.starred)
        await studio.call(
          who,
          'label_emails',
          {
            email_ids: [id],
            add: [...(mail.labels ?? []), ...(mail.starred ? ['starred'] : [])],
            create_missing: true,
          },
          0,
        )
    }
  }
  const { by, ...rule } = sampleMailRule
  await studio.call(by, 'create_email_rule', rule)
}

interface InsertedMail {
  id: Id<'emails'>
  mail: SampleMail
}

/**
 * Each message is inserted with the opposite read state: marking it through the operation then updates its
 * conversation.
 */
async function insertMails(
  app: App,
  owner: Actor,
  ownerMails: readonly SampleMail[],
): Promise<InsertedMail[]> {
  const box = await openMailbox(app.store.write, owner, Date.now())
  const threads = new Map<string, Id<'mail_threads'>>()
  const inserted: InsertedMail[] = []
  for (const [i, mail] of ownerMails.entries()) {
    const thread = threads.get(mail.subject) ?? (await addThread(box, mail))
    threads.set(mail.subject, thread)
    const id = await addMessage(box, mail, thread, i + 1)
    const text = {
      title: mail.subject,
      body: `${mail.from ?? mail.to ?? ''}\n${mail.text}`,
      container: box.account,
      part: 'item' as const,
      item_id: id,
      item_type: 'email',
      at: box.now - mail.hours * hour,
    }
    await app.search.addAll(box.db, owner.org_id, [{ ...text, ref: `${id}:body` }])
    inserted.push({ id, mail })
  }
  return inserted
}

async function openMailbox(db: Kysely<Tables>, owner: Actor, now: number): Promise<Mailbox> {
  const account = newId<'accounts'>('mac', now)
  const emptyFields = {
    problem_since: null,
    last_sync_at: now,
    synced_back_to: null,
    scopes_json: null,
    signature_markdown: null,
    removed_at: null,
  }
  const serviceFields = { has_mail: 1, has_calendar: 0, has_drive: 0, is_default: 0 } as const
  const accountFields = {
    owner_id: owner.id,
    provider: 'imap',
    address: owner.email,
    display_name: owner.display_name,
    login: owner.email,
    status: 'disabled',
    problem: 'A sample: there is no mail server behind it.',
  } as const
  await db
    .insertInto('accounts')
    .values({
      ...emptyFields,
      ...serviceFields,
      ...accountFields,
      ...stampFields(owner, now),
      id: account,
      services_json: '{}',
      servers_json: '{}',
      signed_in_at: now,
    })
    .execute()
  return { db, owner, account, folders: await addFolders(db, owner, account, now), now }
}

async function addFolders(
  db: Kysely<Tables>,
  owner: Actor,
  account: Id<'accounts'>,
  now: number,
): Promise<Map<string, Id<'mail_folders'>>> {
  const folders = new Map<string, Id<'mail_folders'>>()
  for (const [role, path] of [
    ['inbox', 'INBOX'],
    ['sent', 'Sent'],
    ['archive', 'Archive'],
    ['drafts', 'Drafts'],
    ['trash', 'Trash'],
    ['spam', 'Junk'],
  ] as const) {
    const id = newId<'mail_folders'>('mfo', now)
    const unknown = {
      uid_validity: '1',
      uid_next: null,
      highest_modseq: null,
      highest_uid: null,
      lowest_uid: null,
      server_total: null,
      server_unread: null,
      checked_at: null,
      problem: null,
    }
    await db
      .insertInto('mail_folders')
      .values({
        ...unknown,
        id,
        org_id: owner.org_id,
        account_id: account,
        path,
        name: path,
        kind: 'folder',
        role,
        role_source: 'server',
        is_selectable: 1,
        is_synced: 1,
        is_complete: 1,
      })
      .execute()
    folders.set(role, id)
  }
  return folders
}

async function addThread(
  { db, owner, account, now }: Mailbox,
  { subject, hours }: SampleMail,
): Promise<Id<'mail_threads'>> {
  const id = newId<'mail_threads'>('thr', now)
  const at = now - hours * hour
  const counters = {
    participants_json: '[]',
    message_count: 0,
    unread_count: 0,
    first_message_at: at,
    last_message_at: at,
    in_inbox: 0,
    awaiting: 'none',
    waiting_since: null,
    waiting_told_at: null,
    snoozed_until: null,
    snoozed_until_reply: 0,
  } as const
  await db
    .insertInto('mail_threads')
    .values({
      ...counters,
      ...stampFields(owner, now),
      id,
      owner_id: owner.id,
      account_id: account,
      subject,
      subject_key: subject.toLowerCase(),
    })
    .execute()
  return id
}

async function addMessage(
  box: Mailbox,
  mail: SampleMail,
  thread_id: Id<'mail_threads'>,
  uid: number,
): Promise<Id<'emails'>> {
  const { db, owner } = box
  const self = { name: owner.display_name, email: owner.email }
  const from = mail.from === undefined ? self : parseAddress(mail.from)
  const to = mail.to === undefined ? self : parseAddress(mail.to)
  const row = messageRow(box, mail, { thread_id, uid, from, to })
  await db.insertInto('emails').values(row).execute()
  const addressFields = {
    email_id: row.id,
    org_id: owner.org_id,
    owner_id: owner.id,
    received_at: row.received_at,
  }
  await db
    .insertInto('email_addresses')
    .values([
      { ...addressFields, field: 'from', address: from.email, name: from.name },
      { ...addressFields, field: 'to', address: to.email, name: to.name },
    ])
    .execute()
  await db
    .insertInto('email_bodies')
    .values({
      email_id: row.id,
      org_id: owner.org_id,
      own_markdown: mail.text,
      quoted_markdown: '',
      signature: '',
      html: null,
      headers_json: '[]',
      calendar_text: null,
      warnings_json: '[]',
    })
    .execute()
  return row.id
}

interface Correspondents {
  from: { name: string; email: string }
  to: { name: string; email: string }
}

function messageRow(
  { owner, account, folders, now }: Mailbox,
  mail: SampleMail,
  { thread_id, uid, from, to }: Correspondents & { thread_id: Id<'mail_threads'>; uid: number },
): Row<'emails'> {
  const id = newId<'emails'>('eml', now)
  const at = now - mail.hours * hour
  const place = placeOfSample(mail)
  const unknown = {
    in_reply_to: null,
    unsubscribe_json: null,
    authentication_json: null,
    delivery_problem: null,
    body_tried_at: null,
    server_message: null,
    server_thread: null,
    modseq: null,
  }
  return {
    ...unknown,
    ...stampFields(owner, now),
    id,
    owner_id: owner.id,
    account_id: account,
    thread_id,
    folder_id: folders.get(place)!,
    uid,
    place,
    message_id: `<${id}@sample.invalid>`,
    references_json: '[]',
    from_name: from.name,
    from_email: from.email,
    addresses_json: JSON.stringify({ to: [to], cc: [], bcc: [], reply_to: [] }),
    is_own: mail.from === undefined ? 1 : 0,
    is_bulk: mail.bulk ? 1 : 0,
    subject: mail.subject,
    snippet: mail.text.replaceAll(/\s+/g, ' ').slice(0, 200),
    sent_at: at,
    received_at: at,
    size_bytes: mail.text.length + 400,
    unread: mail.unread ? 0 : 1,
    starred: 0,
    answered: 0,
    has_attachment: 0,
    delivery: mail.from === undefined ? 'sent' : 'received',
    body_state: 'ready',
  }
}

function placeOfSample(mail: SampleMail): 'sent' | 'archive' | 'inbox' {
  if (mail.from === undefined) return 'sent'
  return mail.archived ? 'archive' : 'inbox'
}

function stampFields(owner: Actor, now: number) {
  return {
    org_id: owner.org_id,
    revision: 1,
    created_at: now,
    updated_at: now,
    created_by: owner.id,
    created_via: 'sync',
  } as const
}

function parseAddress(text: string): { name: string; email: string } {
  const [, name = '', email = ''] = /^(.*) <(.*)>$/.exec(text) ?? []
  return { name, email }
}
