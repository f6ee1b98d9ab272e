import { activity } from '../../texts/en/activity.ts'
import { t as shared } from '../../texts/index.ts'

/** What these pages say: loaded with them, not with the app. */
export const activityTexts = { ...shared, activity }
