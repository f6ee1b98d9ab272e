import { z } from 'zod'
import { secret } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { BulkResult } from '../../../records/shapes.ts'
import { email, mailThread } from '../access.ts'
import { requireExistingLabels, parseLabelChange } from '../mailboxes/label-names.ts'
import { affectedPlaces, MailOrganizer } from './action-changes.ts'
import { maxTargets, applyToMail } from './action-targets.ts'

const targetParams = {
  emails: email.edit.many.maybe,
  threads: mailThread.edit.many.maybe.describe('whole conversations'),
}

const byQuery = {
  query: secret(z.string().min(1).max(2000))
    .optional()
    .describe('as in search_emails, with operators; or send ids'),
  max_items: z
    .int()
    .min(1)
    .max(maxTargets)
    .default(maxTargets)
    .describe('refuse when more messages match'),
}

export const markEmailsRead = operation({
  name: 'mark_emails_read',
  searchHint: 'seen, unread again, mark all as read',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/emails/mark-read',
  about: 'Mark messages or whole threads read, or unread with read=false',
  on: targetParams,
  input: { read: z.boolean().default(true).describe('false marks as unread') },
  reportsProgress: true,
  output: BulkResult,
  async handle({ emails, threads, read }, ctx) {
    return applyToMail(ctx, { emails, threads }, affectedPlaces.read, (organizing, row) =>
      organizing.read(row, read),
    )
  },
})

export const archiveEmails = operation({
  name: 'archive_emails',
  searchHint: 'clean up the inbox, inbox zero, get out of the way, done with it',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/emails/archive',
  about: 'Take messages or threads out of the inbox, by ids or by a search with preview',
  on: targetParams,
  input: byQuery,
  dryRun: true,
  reportsProgress: true,
  output: BulkResult,
  async handle(args, ctx) {
    return applyToMail(ctx, args, affectedPlaces.archive, (organizing, row) =>
      organizing.archive(row),
    )
  },
})

export const moveEmails = operation({
  name: 'move_emails',
  searchHint: 'put into a folder, file away, not spam',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/emails/move',
  about: 'Move messages or threads to a folder, including back from trash or spam',
  on: targetParams,
  input: {
    folder: z
      .string()
      .min(1)
      .max(500)
      .describe('inbox, archive, trash, spam, or the name or path of a folder (list_email_labels)'),
  },
  reportsProgress: true,
  output: BulkResult,
  async handle({ emails, threads, folder }, ctx) {
    return applyToMail(ctx, { emails, threads }, affectedPlaces.move, (organizing, row) =>
      organizing.move(row, folder),
    )
  },
})

export const trashEmails = operation({
  name: 'trash_emails',
  searchHint: 'delete mail, bin',
  kind: 'destructive',
  idempotent: true,
  rest: 'POST /api/emails/trash',
  about: 'Move messages or threads to the mailbox trash, with preview; never erases for good',
  on: targetParams,
  input: byQuery,
  dryRun: true,
  reportsProgress: true,
  output: BulkResult,
  async handle(args, ctx) {
    return applyToMail(ctx, args, affectedPlaces.trash, (organizing, row) => organizing.trash(row))
  },
})

const labelNames = () => z.array(z.string().min(1).max(100)).max(20)

export const labelEmails = operation({
  name: 'label_emails',
  searchHint: 'star, flag, spam, junk, tag a mail, important',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/emails/labels',
  about: 'Add or remove labels, including the system ones starred, important and spam',
  on: targetParams,
  input: {
    add: labelNames().optional().describe('names of labels'),
    remove: labelNames().optional().describe('names of labels'),
    create_missing: z.boolean().default(false).describe('create labels that do not exist yet'),
  },
  reportsProgress: true,
  output: BulkResult,
  async handle({ emails, threads, add, remove, create_missing }, ctx) {
    const wish = parseLabelChange(add, remove)
    const organizing = new MailOrganizer(ctx)
    await organizing.loadMailboxes(
      [...(emails ?? []), ...(threads ?? [])].map((row) => row.account_id),
    )
    requireExistingLabels(
      wish,
      organizing.mailboxes.flatMap((mailbox) => organizing.labelsOf(mailbox)),
      create_missing,
    )
    return applyToMail(
      ctx,
      { emails, threads },
      affectedPlaces.label,
      (organizing, row) => organizing.label(row, wish),
      organizing,
    )
  },
})
