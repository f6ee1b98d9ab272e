import { calendar } from '../../texts/en/calendar.ts'
import { t as shared } from '../../texts/index.ts'

/** Texts of the calendar: loaded with it, not with the app. */
export const calendarTexts = { ...shared, calendar }
