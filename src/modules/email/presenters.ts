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
import { showTemplates } from './drafts/presenter.ts'
import { showAccounts } from './mailboxes/mailboxes.ts'
import { showEmails, showThreads } from './messages/presenter.ts'
import { showDrafts, showScheduled } from './outbox/presenter.ts'
import { showRules } from './rules/presenter.ts'

/** How the items of this module look in lists, and what reads one of them. */
export const emailPresenters = [
  presenter(account, { operation: 'list_email_accounts', entries: showAccounts }),
  presenter(email, {
    operation: 'list_emails',
    entries: showEmails,
    get: { operation: 'get_email', argument: 'email_id' },
  }),
  presenter(mailThread, {
    operation: 'list_email_threads',
    entries: showThreads,
    get: { operation: 'get_email_thread', argument: 'thread_id' },
  }),
  presenter(emailDraft, { operation: 'list_email_drafts', entries: showDrafts }),
  presenter(scheduledEmail, { operation: 'list_scheduled_emails', entries: showScheduled }),
  presenter(emailRule, { operation: 'list_email_rules', entries: showRules }),
  presenter(emailTemplate, { operation: 'list_email_templates', entries: showTemplates }),
]
