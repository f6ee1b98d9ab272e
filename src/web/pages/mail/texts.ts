import { inbox } from '../../texts/en/inbox.ts'
import { mailHandling } from '../../texts/en/settings/mail-actions.ts'
import { mailbox } from '../../texts/en/settings/mailbox.ts'
import { t as shared } from '../../texts/index.ts'

/** Texts of the mail screen: loaded with it, not with the app. */
export const mailTexts = { ...shared, inbox, mailbox, handling: mailHandling }
