import { inbox } from '../../texts/en/inbox.ts'
import { t as shared } from '../../texts/index.ts'

/** What the inbox says: loaded with it, not with the app. */
export const inboxTexts = { ...shared, inbox }
