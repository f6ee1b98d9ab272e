import { keys } from '../../texts/en/keys.ts'
import { t as shared } from '../../texts/index.ts'

/** Texts of these pages: loaded with them, not with the app. */
export const keyTexts = { ...shared, keys }
