import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps'

/** A day or local time in the format of answers: 2026-12-01, 2026-12-01T11:00:00+01:00. */
export interface LocalDate {
  day: string
  /** Local wall-clock time, such as 11:00; undefined for a whole day. */
  time: string | undefined
  /** Milliseconds of the moment, or of the end of the day. */
  endMs: number
}

/** @returns undefined if the text is not in this format */
export function localDate(text: string | undefined): LocalDate | undefined {
  if (text === undefined) return undefined
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?/.exec(text) ?? []
  if (day === undefined) return undefined
  const ms = Date.parse(time === undefined ? `${day}T23:59:59` : text)
  return { day, time, endMs: ms }
}

/** Formats a date in the host's language: Tue, 1 Dec, 11:00. Includes the year only if it is not the current one. */
export function describeDate({ day, time }: LocalDate, locale: string | undefined): string {
  const isThisYear = day.startsWith(String(new Date().getFullYear()))
  const text = new Date(`${day}T12:00:00Z`).toLocaleDateString(usableLocale(locale), {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
  return time === undefined ? text : `${text}, ${time}`
}

/** Formats a moment (2026-12-01T10:00:00.000Z) in the person's time zone and language. */
export function describeMoment(
  moment: string | undefined,
  { locale, timeZone }: Pick<McpUiHostContext, 'locale' | 'timeZone'>,
): string {
  const at = new Date(moment ?? '')
  if (Number.isNaN(at.getTime())) return 'an unknown time'
  return at.toLocaleString(usableLocale(locale), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: isTimeZone(timeZone) ? timeZone : undefined,
  })
}

function isTimeZone(name: string | undefined): boolean {
  try {
    return name !== undefined && Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** The host's language; undefined if it is invalid, so that it cannot break the view. */
function usableLocale(locale: string | undefined): string | undefined {
  try {
    return locale === undefined ? undefined : Intl.getCanonicalLocales(locale)[0]
  } catch {
    return undefined
  }
}
