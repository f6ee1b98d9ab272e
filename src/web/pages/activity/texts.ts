import { activity } from '../../texts/en/activity.ts'
import { t as shared } from '../../texts/index.ts'

/** Texts of these pages: loaded with them, not with the app. */
export const activityTexts = { ...shared, activity }
