import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { newId } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import type { Tables } from '../../../db/tables.ts'

// The outbox for its jobs: reads and writes whole tables, in transactions of the system.

export type Outbox = Row<'email_outbox'>
type TableAccess = Pick<TickContext, 'all'>

export interface QueuedEmail {
  outbox: Outbox
  email: Row<'emails'>
  /** Undefined if the account is being removed. */
  account: Row<'accounts'> | undefined
  /** Whether its owner is active. */
  isActive: boolean
}

/** A message of the outbox with its context; undefined if it no longer exists. */
export async function queuedEmailOf(
  { all }: TableAccess,
  emailId: string,
): Promise<QueuedEmail | undefined> {
  const outbox = await all
    .selectFrom('email_outbox')
    .selectAll()
    .where('email_id', '=', emailId as Outbox['email_id'])
    .executeTakeFirst()
  const email =
    outbox &&
    (await all
      .selectFrom('emails')
      .selectAll()
      .where('id', '=', outbox.email_id as Row<'emails'>['id'])
      .executeTakeFirst())
  if (!email) return undefined
  const account = await all
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', email.account_id as Row<'accounts'>['id'])
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  const owner = await all
    .selectFrom('users')
    .select('status')
    .where('id', '=', email.owner_id as Row<'users'>['id'])
    .executeTakeFirst()
  return { outbox, email, account, isActive: owner?.status === 'active' }
}

export async function changeOutbox(
  { all }: TableAccess,
  emailId: string,
  patch: Partial<Outbox>,
): Promise<void> {
  await all
    .updateTable('email_outbox')
    .set(patch)
    .where('email_id', '=', emailId as Outbox['email_id'])
    .execute()
}

/** Whether there may be a message without a job. */
export async function hasMessagesWithoutJob(all: Kysely<Tables>): Promise<boolean> {
  return (await messagesWithoutJob(all, Infinity, 1)).length > 0
}

/** Queued messages of active people without a job. */
export function messagesWithoutJob(
  all: Kysely<Tables>,
  now: number,
  limit: number,
): Promise<{ email_id: string; owner_id: string }[]> {
  return all
    .selectFrom('email_outbox')
    .innerJoin('emails', (join) => join.onRef('emails.id', '=', 'email_outbox.email_id'))
    .innerJoin('users', (join) => join.onRef('users.id', '=', 'emails.owner_id'))
    .select(['email_outbox.email_id', 'emails.owner_id'])
    .where('users.status', '=', 'active')
    .where('email_outbox.state', 'in', ['queued', 'handing'])
    .where('email_outbox.not_before', '<=', Math.min(now, Number.MAX_SAFE_INTEGER))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('jobs')
            .select('jobs.id')
            .where('jobs.kind', '=', 'send_letter')
            .where('jobs.unique_key', '=', eb.ref('email_outbox.email_id'))
            .where('jobs.finished_at', 'is', null),
        ),
      ),
    )
    .orderBy('email_outbox.not_before')
    .limit(limit)
    .execute()
}

/** Queues a copy of a message for the server's folder of sent mail. */
export async function queueSentCopy(
  { all, now }: Pick<TickContext, 'all' | 'now'>,
  email: Row<'emails'>,
): Promise<void> {
  const existing = await all
    .selectFrom('mail_pushes')
    .select('id')
    .where('email_id', '=', email.id)
    .where('kind', '=', 'file')
    .executeTakeFirst()
  if (existing) return
  await all
    .insertInto('mail_pushes')
    .values({
      id: newId('mps', now) as Row<'mail_pushes'>['id'],
      org_id: email.org_id,
      account_id: email.account_id,
      email_id: email.id,
      draft_id: null,
      kind: 'file',
      wanted_json: '{}',
      version: 1,
      attempts: 0,
      not_before: now,
      problem: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/** Records that the copy is stored in Sent, and deletes the content that it was composed from. */
export async function recordSentCopy(system: TableAccess, emailId: string): Promise<void> {
  await system.all
    .updateTable('email_outbox')
    .set({ state: 'filed', letter_json: '{}' })
    .where('email_id', '=', emailId as Outbox['email_id'])
    .where('state', '=', 'handed')
    .execute()
}

/** Files of the drive by their ids, without an access check: those of a message were checked when it was written. */
export function filesOf({ all }: TableAccess, ids: readonly string[]): Promise<Row<'files'>[]> {
  return ids.length === 0
    ? Promise.resolve([])
    : all
        .selectFrom('files')
        .selectAll()
        .where('id', 'in', ids as Row<'files'>['id'][])
        .execute()
}

/** Attachments by id, with the location of their messages on the server. */
export async function attachmentsOf({ all }: TableAccess, ids: readonly string[]) {
  if (ids.length === 0) return []
  return all
    .selectFrom('email_attachments')
    .innerJoin('emails', (join) => join.onRef('emails.id', '=', 'email_attachments.email_id'))
    .leftJoin('mail_folders', (join) => join.onRef('mail_folders.id', '=', 'emails.folder_id'))
    .select([
      'email_attachments.id',
      'email_attachments.part',
      'email_attachments.position',
      'email_attachments.name',
      'email_attachments.file_id',
      'email_attachments.size_bytes',
      'emails.uid',
      'emails.id as email_id',
      'mail_folders.path',
      'mail_folders.uid_validity',
    ])
    .where('email_attachments.id', 'in', ids as Row<'email_attachments'>['id'][])
    .execute()
}

/** The folders of an account that may contain a sent message. */
export function sentFolders({ all }: TableAccess, accountId: string): Promise<{ path: string }[]> {
  return all
    .selectFrom('mail_folders')
    .select('path')
    .where('account_id', '=', accountId as Row<'accounts'>['id'])
    .where('role', 'in', ['sent', 'all', 'inbox'])
    .where('is_selectable', '=', 1)
    .execute()
}

/** Whether the sync has found a message on the server. */
export async function isOnServer(
  { all }: TableAccess,
  { account_id, message_id }: Row<'emails'>,
): Promise<boolean> {
  const serverCopy = await all
    .selectFrom('emails')
    .select('id')
    .where('account_id', '=', account_id)
    .where('message_id', '=', message_id)
    .where('folder_id', 'is not', null)
    .where('uid', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return serverCopy !== undefined
}

/** Scheduled emails that are due. */
export function dueScheduled(
  all: Kysely<Tables>,
  now: number,
  limit: number,
): Promise<
  (Pick<Row<'scheduled_emails'>, 'id' | 'owner_id' | 'draft_id'> & {
    ownerStatus: Row<'users'>['status']
  })[]
> {
  return all
    .selectFrom('scheduled_emails')
    .innerJoin('users', 'users.id', 'scheduled_emails.owner_id')
    .select([
      'scheduled_emails.id',
      'scheduled_emails.owner_id',
      'scheduled_emails.draft_id',
      'users.status as ownerStatus',
    ])
    .where('scheduled_emails.status', '=', 'queued')
    .where('send_at', '<=', now)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('jobs')
            .select('jobs.id')
            .where('jobs.kind', '=', 'send_scheduled_email')
            .where('jobs.unique_key', '=', sql.ref<string>('scheduled_emails.id'))
            .where('jobs.finished_at', 'is', null),
        ),
      ),
    )
    .orderBy('send_at')
    .limit(limit)
    .execute()
}

export async function scheduledRow(
  { all }: TableAccess,
  id: string,
): Promise<
  { row: Row<'scheduled_emails'>; draft: Row<'email_drafts'>; isActive: boolean } | undefined
> {
  const row = await all
    .selectFrom('scheduled_emails')
    .selectAll()
    .where('id', '=', id as Row<'scheduled_emails'>['id'])
    .executeTakeFirst()
  const draft =
    row &&
    (await all
      .selectFrom('email_drafts')
      .selectAll()
      .where('id', '=', row.draft_id as Row<'email_drafts'>['id'])
      .executeTakeFirst())
  if (!draft) return undefined
  const owner = await all
    .selectFrom('users')
    .select('status')
    .where('id', '=', row.owner_id as Row<'users'>['id'])
    .executeTakeFirst()
  return { row, draft, isActive: owner?.status === 'active' }
}

/** The schedule entry of a draft that is being sent. */
export function sendingScheduleOf(
  { all }: TableAccess,
  draftId: string,
): Promise<Row<'scheduled_emails'> | undefined> {
  return all
    .selectFrom('scheduled_emails')
    .selectAll()
    .where('draft_id', '=', draftId as Row<'email_drafts'>['id'])
    .where('status', '=', 'sending')
    .executeTakeFirst()
}

export function findEmailDraft(
  { all }: TableAccess,
  draftId: string,
): Promise<Row<'email_drafts'> | undefined> {
  return all
    .selectFrom('email_drafts')
    .selectAll()
    .where('id', '=', draftId as Row<'email_drafts'>['id'])
    .executeTakeFirst()
}
