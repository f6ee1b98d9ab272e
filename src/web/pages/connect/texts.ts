import { connect } from '../../texts/en/settings/connect.ts'
import { keys } from '../../texts/en/keys.ts'
import { t as shared } from '../../texts/index.ts'

/** What this page says: loaded with it, not with the app. */
export const connectTexts = { ...shared, connect, keys }
