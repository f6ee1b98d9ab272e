import { presenter } from '../../operations/listing/presenters.ts'
import { account } from '../accounts/access.ts'
import {
  email,
  emailDraft,
  emailRule,
  emailTemplate,
  mailThread,
  scheduledEmail,
} from './access.ts'
import { presentTemplates } from './drafts/presenter.ts'
import { presentAccounts } from './mailboxes/mailboxes.ts'
import { presentEmails, presentThreads } from './messages/presenter.ts'
import { presentDrafts, presentScheduled } from './outbox/presenter.ts'
import { presentRules } from './rules/presenter.ts'

/** Presenters for this module's items, and the operations that read them. */
export const emailPresenters = [
  presenter(account, { operation: 'list_email_accounts', entries: presentAccounts }),
  presenter(email, {
    operation: 'list_emails',
    entries: presentEmails,
    get: { operation: 'get_email', argument: 'email_id' },
  }),
  presenter(mailThread, {
    operation: 'list_email_threads',
    entries: presentThreads,
    get: { operation: 'get_email_thread', argument: 'thread_id' },
  }),
  presenter(emailDraft, { operation: 'list_email_drafts', entries: presentDrafts }),
  presenter(scheduledEmail, { operation: 'list_scheduled_emails', entries: presentScheduled }),
  presenter(emailRule, { operation: 'list_email_rules', entries: presentRules }),
  presenter(emailTemplate, { operation: 'list_email_templates', entries: presentTemplates }),
]
