import { inbox } from '../../texts/en/inbox.ts'
import { t as shared } from '../../texts/index.ts'

/** Texts of the inbox: loaded with it, not with the app. */
export const inboxTexts = { ...shared, inbox }
