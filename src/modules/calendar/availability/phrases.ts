import type { ParsedComponents, ParsedResult } from 'chrono-node'
import { Temporal } from 'temporal-polyfill'
import { dayAt } from '../../../kernel/time/times.ts'
import { periodIn } from './periods.ts'
import { ianaZone } from '../ical/zones.ts'

/** Start and exclusive end. */
export interface ResolvedTime {
  from: number
  to: number
}

/** Languages tried; if two match the same length of a phrase, the first counts. */
const languages = [
  'en',
  'de',
  'fr',
  'es',
  'nl',
  'pt',
  'ja',
  'it',
  'sv',
  'ru',
  'uk',
  'zh',
  'fi',
  'vi',
  'id',
] as const

/** The time named by a phrase, relative to a moment in a zone; undefined if it names none. */
export async function resolvePhrase(
  phrase: string,
  now: number,
  zone: string,
): Promise<ResolvedTime | undefined> {
  const text = phrase.normalize('NFKC').trim().replaceAll(/\s+/g, ' ')
  const days = periodIn(text.toLowerCase(), dayAt(now, zone))
  const midnight = (day: string) => ianaZone(zone).instant(`${day}T00:00:00`)
  if (days) return { from: midnight(days.from), to: midnight(days.until) }
  const parsedPhrase = await parseTimePhrase(text, now, zone)
  return parsedPhrase && timeOf(parsedPhrase, zone)
}

/**
 * Parses a phrase with the language that understands most of it. The library is large, so it is loaded on first use.
 */
async function parseTimePhrase(
  text: string,
  now: number,
  zone: string,
): Promise<ParsedResult | undefined> {
  const chrono = await import('chrono-node')
  const offset =
    Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).offsetNanoseconds / 60e9
  const reference = { instant: new Date(now), timezone: offset }
  const results = languages.flatMap((language) => {
    try {
      return (chrono[language] as typeof chrono.en)
        .parse(text, reference, { forwardDate: !/\b(last|ago|yesterday|past)\b/i.test(text) })
        .slice(0, 1)
    } catch {
      return [] // a parser that throws does not understand the phrase
    }
  })
  return results.sort((a, b) => b.text.length - a.text.length)[0]
}

function timeOf({ start, end }: ParsedResult, zone: string): ResolvedTime {
  const first = phraseSpanOf(start, zone)
  if (!end) return first
  const last = phraseSpanOf(end, zone)
  return { from: first.from, to: Math.max(first.from, last.to) }
}

/** A moment if an hour is named, else the whole day, month or year. */
function phraseSpanOf(part: ParsedComponents, zone: string): ResolvedTime {
  const at = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).epochMilliseconds
  if (part.isCertain('hour')) {
    const moment = phraseMomentOf(part, zone)
    return { from: moment, to: moment }
  }
  const date = Temporal.PlainDate.from({
    year: part.get('year')!,
    month: part.get('month')!,
    day: part.get('day')!,
  })
  if (part.isCertain('day') || part.isCertain('weekday') || !part.isCertain('month'))
    return { from: at(date), to: at(date.add({ days: 1 })) }
  const month = date.with({ day: 1 })
  return { from: at(month), to: at(month.add({ months: 1 })) }
}

/** Wall-clock time of the zone, unless the phrase names another zone or counts hours from now. */
function phraseMomentOf(part: ParsedComponents, zone: string): number {
  if (part.isCertain('timezoneOffset')) return part.date().getTime()
  const [year, month, day, hour, minute, second] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((name) => part.get(name) ?? 0) as [number, number, number, number, number, number]
  return Temporal.PlainDateTime.from({ year, month, day, hour, minute, second }).toZonedDateTime(
    zone,
  ).epochMilliseconds
}
