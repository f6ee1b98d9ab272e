import { connect } from '../../texts/en/settings/connect.ts'
import { keys } from '../../texts/en/keys.ts'
import { t as shared } from '../../texts/index.ts'

/** Texts of this page: loaded with it, not with the app. */
export const connectTexts = { ...shared, connect, keys }
