import { call } from '../../api/client.ts'
import { addDays } from '../../ui/work/days.ts'
import { saveExported } from '../company/save-export.ts'
import { instantOf } from './data/wall.ts'
import { calendarTexts as t } from './texts.ts'

/** Saves the reader's events on consecutive days (YYYY-MM-DD, in a time zone) as an iCalendar file. */
export function exportDays(days: readonly string[], zone: string): Promise<void> {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return Promise.resolve()
  const midnight = (day: string) => new Date(instantOf(`${day}T00:00`, zone)).toISOString()
  const range = { from: midnight(first), to: midnight(addDays(last, 1)) }
  return saveExported(call('export_events', range), {
    name: `events-${first}.ics`,
    type: 'text/calendar',
    noticeOf: t.calendar.exported,
  })
}
