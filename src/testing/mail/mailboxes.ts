import { newId } from '../../kernel/ids.ts'
import type { Row } from '../../records/resource.ts'
import type { Store } from '../../db/open.ts'
import { recountThreads, wakeAnswered } from '../../modules/email/threads/access.ts'
import { reindexEmail } from '../../modules/email/sync/changes.ts'
import { baseSubject } from '../../modules/email/messages/subjects.ts'

interface Owner {
  id: string
  org_id: string
  email: string
}

type Role = NonNullable<Row<'mail_folders'>['role']>
type Account = Row<'accounts'>

export interface PlantedMailbox {
  store: Store
  owner: Owner
  account: Account
  /** Folders by role and by path. */
  folders: Map<string, Row<'mail_folders'>>
}

const blankFolder = {
  role_source: 'server',
  is_selectable: 1,
  uid_next: null,
  highest_modseq: null,
  highest_uid: null,
  lowest_uid: null,
  is_complete: 1,
  server_total: null,
  server_unread: null,
  checked_at: null,
  problem: null,
} as const

/**
 * A connected account in the state left by the sync, without a server: for tests of existing mail. `labels`: like
 * Gmail.
 */
export function plantMailbox(
  store: Store,
  owner: Owner,
  now: number,
  {
    address = owner.email,
    labels = false,
    folders = [],
  }: { address?: string; labels?: boolean; folders?: string[] } = {},
): Promise<PlantedMailbox> {
  return store.writer.run(async () => {
    const db = store.write
    const first =
      (await db
        .selectFrom('accounts')
        .select('id')
        .where('owner_id', '=', owner.id as Account['owner_id'])
        .executeTakeFirst()) === undefined
    const stamp = {
      revision: 1,
      created_at: now,
      updated_at: now,
      created_by: owner.id as Account['created_by'],
      created_via: 'web',
    } as const
    const account: Account = {
      ...stamp,
      id: newId('mac', now),
      org_id: owner.org_id as Account['org_id'],
      owner_id: owner.id as Account['owner_id'],
      provider: labels ? 'google' : 'imap',
      address: address.toLowerCase(),
      display_name: address.split('@')[0]!,
      login: address,
      has_mail: 1,
      has_calendar: 0,
      has_drive: 0,
      status: 'active',
      problem: null,
      problem_since: null,
      services_json: '{}',
      last_sync_at: now,
      synced_back_to: null,
      servers_json: '{}',
      scopes_json: null,
      signed_in_at: now,
      signature_markdown: null,
      is_default: first ? 1 : 0,
      removed_at: null,
    }
    await db.insertInto('accounts').values(account).execute()
    const foldersByRole = new Map<string, Row<'mail_folders'>>()
    const add = async (
      path: string,
      role: Role | null,
      kind: 'folder' | 'label',
      is_synced: 0 | 1,
    ) => {
      const row: Row<'mail_folders'> = {
        ...blankFolder,
        id: newId('mfo', now),
        org_id: account.org_id,
        account_id: account.id,
        path,
        name: path.split('/').at(-1)!,
        kind,
        role,
        is_synced,
        uid_validity: '1',
      }
      await db.insertInto('mail_folders').values(row).execute()
      foldersByRole.set(role ?? path, row)
    }
    if (labels) await add('[Gmail]/All Mail', 'all', 'folder', 1)
    await add('INBOX', 'inbox', 'folder', labels ? 0 : 1)
    for (const [path, role] of [
      ['Sent', 'sent'],
      ['Drafts', 'drafts'],
      ['Trash', 'trash'],
      ['Junk', 'spam'],
    ] as const)
      await add(path, role, 'folder', 1)
    for (const path of folders) await add(path, null, labels ? 'label' : 'folder', labels ? 0 : 1)
    return { store, owner, account, folders: foldersByRole }
  })
}

/** A message to plant; by default to the mailbox's owner alone, unread in the inbox. */
export interface GivenMail {
  from?: string
  fromName?: string
  to?: string[]
  cc?: string[]
  subject?: string
  text?: string
  place?: Row<'emails'>['place']
  /** Path of a custom folder, with place folder. */
  folder?: string
  unread?: boolean
  starred?: boolean
  bulk?: boolean
  labels?: string[]
  /** Its conversation; default: a new one. */
  thread?: string
  at?: number
  size?: number
  headers?: { name: string; value: string }[]
  /** `file`: of the drive, as for mail sent from here; without it there is only the text. */
  attachments?: { name: string; text: string; mime?: string; file?: string | undefined }[]
  /** Whether the mailbox rules process it as newly arrived mail. */
  news?: boolean
}

export interface PlantedMail {
  id: Row<'emails'>['id']
  thread_id: Row<'mail_threads'>['id']
  attachments: Row<'email_attachments'>['id'][]
}

let nextUid = 1

/** Adds a message to a planted mailbox, like the sync. */
export function plantEmail(
  mailbox: PlantedMailbox,
  mail: GivenMail,
  now: number,
): Promise<PlantedMail> {
  const { store, account, owner, folders } = mailbox
  return store.writer.run(async () => {
    const db = store.write
    const {
      place = 'inbox',
      from = 'sender@elsewhere.test',
      subject = 'Hello',
      text = 'Hello there.',
      at = now,
    } = mail
    const isOwn = from.toLowerCase() === account.address
    const to = (mail.to ?? (isOwn ? ['sender@elsewhere.test'] : [account.address])).map(
      (email) => ({
        email,
      }),
    )
    const cc = (mail.cc ?? []).map((email) => ({ email }))
    const stamp = {
      org_id: account.org_id,
      revision: 1,
      created_at: now,
      updated_at: now,
      created_by: account.created_by,
      created_via: 'sync',
    } as const
    const thread_id = (mail.thread ?? newId('thr', now)) as PlantedMail['thread_id']
    if (mail.thread === undefined) {
      const { subject: base, key } = baseSubject(subject)
      const figures = {
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
          ...stamp,
          ...figures,
          id: thread_id,
          owner_id: account.owner_id,
          account_id: account.id,
          subject: base,
          subject_key: key,
        })
        .execute()
    }
    const isInAll = account.provider === 'google' && !['trash', 'spam'].includes(place)
    const ownRole = place === 'folder' ? mail.folder! : place
    const role = isInAll ? 'all' : ownRole
    const uid = nextUid++
    const row: Row<'emails'> = {
      ...stamp,
      id: newId('eml', now),
      owner_id: account.owner_id,
      account_id: account.id,
      thread_id,
      folder_id: (folders.get(role) ?? folders.get('inbox'))!.id,
      uid,
      place,
      message_id: `<${uid}@planted.test>`,
      in_reply_to: null,
      references_json: '[]',
      from_name: mail.fromName ?? null,
      from_email: from.toLowerCase(),
      addresses_json: JSON.stringify({ to, cc, bcc: [], reply_to: [] }),
      is_own: isOwn ? 1 : 0,
      is_bulk: mail.bulk ? 1 : 0,
      subject,
      snippet: text.slice(0, 200),
      sent_at: at,
      received_at: at,
      size_bytes: mail.size ?? text.length + 500,
      unread: (mail.unread ?? !isOwn) ? 1 : 0,
      starred: mail.starred ? 1 : 0,
      answered: 0,
      has_attachment: mail.attachments?.length ? 1 : 0,
      unsubscribe_json: null,
      authentication_json: null,
      delivery: isOwn ? 'sent' : 'received',
      delivery_problem: null,
      body_state: 'ready',
      body_tried_at: null,
      server_message: null,
      server_thread: null,
      modseq: null,
    }
    await db.insertInto('emails').values(row).execute()
    const addresses = [
      ...[{ email: row.from_email, name: row.from_name }].map((item) => ({
        ...item,
        field: 'from' as const,
      })),
      ...to.map((item) => ({ ...item, name: null, field: 'to' as const })),
      ...cc.map((item) => ({ ...item, name: null, field: 'cc' as const })),
    ]
    for (const { field, email, name } of addresses)
      await db
        .insertInto('email_addresses')
        .values({
          email_id: row.id,
          field,
          address: email.toLowerCase(),
          org_id: row.org_id,
          owner_id: row.owner_id,
          name,
          received_at: at,
        })
        .execute()
    await db
      .insertInto('email_bodies')
      .values({
        email_id: row.id,
        org_id: row.org_id,
        own_markdown: text,
        quoted_markdown: '',
        signature: '',
        html: null,
        headers_json: JSON.stringify(mail.headers ?? []),
        calendar_text: null,
        warnings_json: '[]',
      })
      .execute()
    for (const name of mail.labels ?? [])
      await db
        .insertInto('email_labels')
        .values({
          email_id: row.id,
          name,
          org_id: row.org_id,
          account_id: row.account_id,
          added_at: now,
        })
        .execute()
    const attachments: PlantedMail['attachments'] = []
    for (const [position, one] of (mail.attachments ?? []).entries()) {
      const id = newId<'email_attachments'>('eat', now)
      attachments.push(id)
      await db
        .insertInto('email_attachments')
        .values({
          ...stamp,
          id,
          email_id: row.id,
          part: String(position + 2),
          position,
          name: one.name,
          mime_type: one.mime ?? 'text/plain',
          size_bytes: one.text.length,
          content_id: null,
          is_inline: 0,
          file_id: one.file ?? null,
          text_state: 'ready',
          text: one.text,
          text_cut: 0,
        })
        .execute()
    }
    await reindexEmail(db, row.id)
    await recountThreads(db, [thread_id])
    if (mail.news) {
      await wakeAnswered(db, [thread_id])
      await db
        .insertInto('email_rule_queue')
        .values({
          email_id: row.id,
          org_id: row.org_id,
          owner_id: owner.id,
          rule_id: null,
          added_at: now,
        })
        .execute()
    }
    return { id: row.id, thread_id, attachments }
  })
}
