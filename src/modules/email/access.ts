import { sql, type Expression, type SqlBool } from 'kysely'
import { part } from '../../records/part.ts'
import { extend, type TaskDraft } from '../../records/resource-extensions.ts'
import { type Row, resource } from '../../records/resource.ts'
import type { AccessScope } from '../../records/access-scope.ts'
import {
  changesTemplateAwaitingApproval,
  changesDraftAwaitingApproval,
  queueDraftChange,
  queueDraftFileChange,
} from './drafts/access.ts'
import { forgetUid, queueEmailPushes, queueLabelPush } from './messages/access-changes.ts'
import { formerThreads } from './threads/access.ts'
import { isNotHandedOver, cancelQueued } from './outbox/access-unsent.ts'
import { emailSearchLines } from './messages/search-lines.ts'

/** Whether a column's account is not being removed: its mail is hidden at once, before a job erases it. */
function isAccountKept(scope: AccessScope, column: string): Expression<SqlBool> {
  const removedAccounts = scope.all
    .selectFrom('accounts')
    .select('accounts.id')
    .where('accounts.owner_id', '=', scope.actor.id)
    .where('accounts.removed_at', 'is not', null)
  return sql<SqlBool>`(${sql.ref(column)} is null or ${sql.ref(column)} not in ${removedAccounts})`
}

const ownEmails = (scope: AccessScope) =>
  scope.all
    .selectFrom('emails')
    .where('emails.owner_id', '=', scope.actor.id)
    .where(isAccountKept(scope, 'emails.account_id'))
const ownThreads = (scope: AccessScope) =>
  scope.all
    .selectFrom('mail_threads')
    .where('mail_threads.owner_id', '=', scope.actor.id)
    .where(isAccountKept(scope, 'mail_threads.account_id'))
const ownDrafts = (scope: AccessScope) =>
  scope.all
    .selectFrom('email_drafts')
    .where('email_drafts.owner_id', '=', scope.actor.id)
    .where(isAccountKept(scope, 'email_drafts.account_id'))
const ownScheduled = (scope: AccessScope) =>
  scope.all
    .selectFrom('scheduled_emails')
    .where('scheduled_emails.owner_id', '=', scope.actor.id)
    .where(isAccountKept(scope, 'scheduled_emails.account_id'))
const ownRules = (scope: AccessScope) =>
  scope.all
    .selectFrom('email_rules')
    .where('email_rules.owner_id', '=', scope.actor.id)
    .where(isAccountKept(scope, 'email_rules.account_id'))

/** Messages of the caller's own accounts. Even administrators cannot see those of others. */
export const email = resource('emails', {
  type: 'email',
  approval: { ignore: true },
  prefix: 'eml',
  see: ownEmails,
  edit: ownEmails,
  own: (s) => ownEmails(s).where(isNotHandedOver(s)),
  title: (row) => row.subject || '(no subject)',
  isExternal: (row) => row.is_own === 0,
  path: (row) => `mail/${row.thread_id}/${row.id}`,
  unaudited: [
    'snippet',
    'addresses_json',
    'references_json',
    'unsubscribe_json',
    'authentication_json',
    'body_state',
    'body_tried_at',
    'modseq',
    'uid',
    'folder_id',
    'server_message',
    'server_thread',
    'delivery_problem',
  ],
  hardDelete: true,
})

extend(email, 'searchLines', {
  linesOf: (row, s) => emailTextsOf(row.id, s),
})

extend(email, 'changes', {
  alsoSet: forgetUid,
  afterChange: queueEmailPushes,
})

extend(email, 'undo', {
  undoCreate: cancelQueued,
})

extend(email, 'taskSource', {
  asTask: (row, s) => taskFrom(row, s),
})

/** Labels of a message, recorded as changes of the message. */
export const emailLabel = part('email_labels', {
  table: 'emails',
  by: 'email_id',
  unique: ['email_id', 'name'],
  field: 'labels',
  value: (row) => row.name,
  touch: 'revision',
  settle: queueLabelPush,
})

export const mailThread = resource('mail_threads', {
  type: 'thread',
  approval: { ignore: true },
  prefix: 'thr',
  see: ownThreads,
  edit: ownThreads,
  title: (row) => row.subject || '(no subject)',
  isExternal: () => true,
  path: (row) => `mail/${row.id}`,
  unaudited: [
    'subject_key',
    'participants_json',
    'message_count',
    'unread_count',
    'first_message_at',
    'last_message_at',
    'in_inbox',
    'waiting_told_at',
  ],
  hardDelete: true,
})

extend(mailThread, 'formerIds', {
  currentIds: formerThreads,
})

export const emailAttachment = resource('email_attachments', {
  type: 'email_attachment',
  prefix: 'eat',
  see: (s) =>
    s.all.selectFrom('email_attachments').where(email.holds(s, 'email_attachments.email_id')),
  inheritsVisibilityFrom: 'email_id',
  title: (row) => row.name,
  isExternal: () => true,
  path: (row) => `mail/${row.email_id}`,
  partOf: {
    table: 'emails',
    by: 'email_id',
    field: 'attachments',
    value: (row) => row.name,
    touch: 'time',
  },
  unaudited: ['text', 'text_state'],
  hardDelete: true,
})

export const emailDraft = resource(
  'email_drafts',
  {
    type: 'email_draft',
    prefix: 'drf',
    see: ownDrafts,
    edit: (s) => ownDrafts(s).where('email_drafts.state', '=', 'draft'),
    own: (s) => ownDrafts(s).where('email_drafts.state', '=', 'draft'),
    rule: {
      edit: 'It was sent or is queued: cancel_scheduled_email turns a queued email back into a draft.',
      own: 'It was sent or is queued: cancel_scheduled_email turns a queued email back into a draft.',
    },
    isOutbound: changesDraftAwaitingApproval,
    title: (row) => row.subject || '(no subject)',
    isExternal: (row) => row.answers_id !== null,
    path: (row) => `mail/drafts/${row.id}`,
    unaudited: [
      'body_markdown',
      'to_json',
      'cc_json',
      'bcc_json',
      'unfilled_json',
      'message_id',
      'email_id',
      'folder_id',
      'uid',
      'pushed_revision',
    ],
  },
  { trash: true },
)

extend(emailDraft, 'changes', {
  afterChange: queueDraftChange,
})

extend(emailDraft, 'undo', {
  levelBefore: 'see', // a queued draft cannot be edited, and undoing send_email_draft makes it editable again
})

export const emailDraftFile = part('email_draft_files', {
  table: 'email_drafts',
  by: 'draft_id',
  unique: ['draft_id', 'source_id'],
  field: 'attachments',
  value: (row) => row.source_id,
  touch: 'revision',
  settle: queueDraftFileChange,
})

export const scheduledEmail = resource('scheduled_emails', {
  type: 'scheduled_email',
  prefix: 'sch',
  see: ownScheduled,
  edit: (s) => ownScheduled(s).where('scheduled_emails.status', '=', 'queued'),
  own: (s) => ownScheduled(s).where('scheduled_emails.status', '=', 'queued'),
  rule: {
    edit: 'It is no longer queued; see its status.',
    own: 'It is no longer queued; see its status.',
  },
  title: () => 'Scheduled email',
  path: (row) => `mail/scheduled/${row.id}`,
  isOutbound: (row, before) => row.status === 'queued' && before?.status !== 'queued',
  unaudited: ['key_id'],
})

export const emailRule = resource(
  'email_rules',
  {
    type: 'email_rule',
    prefix: 'rul',
    see: ownRules,
    edit: ownRules,
    own: ownRules,
    names: { columns: ['name'] },
    list: { tool: 'list_email_rules' },
    title: (row) => row.name,
    path: (row) => `settings/mail/rules/${row.id}`,
    unaudited: ['hits', 'last_hit_at', 'problem', 'sweep_at', 'sweep_id'],
  },
  { trash: true },
)

/** Templates of the caller, and those shared by colleagues. */
export const emailTemplate = resource(
  'email_templates',
  {
    type: 'email_template',
    prefix: 'etp',
    see: (s) =>
      s.all
        .selectFrom('email_templates')
        .where('email_templates.org_id', '=', s.actor.org_id)
        .where((eb) =>
          eb.or([
            eb('email_templates.owner_id', '=', s.actor.id),
            eb('email_templates.shared', '=', 1),
          ]),
        ),
    edit: (s) =>
      s.all.selectFrom('email_templates').where('email_templates.owner_id', '=', s.actor.id),
    own: (s) =>
      s.all.selectFrom('email_templates').where('email_templates.owner_id', '=', s.actor.id),
    rule: {
      edit: 'Only the creator of a template can change it.',
      own: 'Only the creator of a template can change it.',
    },
    isOutbound: changesTemplateAwaitingApproval,
    names: { columns: ['name'] },
    list: { tool: 'list_email_templates' },
    title: (row) => row.name,
    path: (row) => `settings/mail/templates/${row.id}`,
    unaudited: ['body_markdown'],
  },
  { trash: true },
)

/** Drafts a task from a message: text by others counts as external, text by the owner as the organization's. */
async function taskFrom(row: Row<'emails'>, { all }: AccessScope): Promise<TaskDraft> {
  const body = await all
    .selectFrom('email_bodies')
    .select('own_markdown')
    .where('email_id', '=', row.id)
    .executeTakeFirst()
  const from = row.from_name ? `${row.from_name} <${row.from_email}>` : row.from_email
  return {
    title: row.subject,
    body_markdown: `${row.is_own === 1 ? '' : `From: ${from}\n\n`}${body?.own_markdown ?? row.snippet}`,
    trust: row.is_own === 1 ? 'internal' : 'external',
  }
}

/** Searchable texts of a message in its current state. */
export async function emailTextsOf(id: string, { all }: AccessScope) {
  const row = await all
    .selectFrom('emails')
    .selectAll()
    .where(sql<SqlBool>`id = ${id}`)
    .executeTakeFirst()
  if (!row || row.place === 'spam') return []
  const body = await all
    .selectFrom('email_bodies')
    .select('own_markdown')
    .where('email_id', '=', row.id)
    .executeTakeFirst()
  const attachments = await all
    .selectFrom('email_attachments')
    .select(['id', 'name', 'text'])
    .where('email_id', '=', row.id)
    .where('is_inline', '=', 0)
    .orderBy('position')
    .execute()
  return emailSearchLines(row, body?.own_markdown ?? row.snippet, attachments)
}
