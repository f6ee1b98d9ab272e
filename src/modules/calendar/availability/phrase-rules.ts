import { addDays, dayAt, weekday } from '../../../kernel/time/times.ts'
import type { ResolvedTime } from './phrases.ts'
import { ianaZone } from '../ical/zones.ts'

const maxCount = 250
/** Ends the search for weeks without a working day. */
const maxSearchDays = 3 * 366

const businessDay =
  '(?:business|working|work) ?days?|arbeitstag(?:e|en)?|werktag(?:e|en)?|jours? ouvr(?:és?|ables?)|días? (?:hábil(?:es)?|laborables?)|werkdag(?:en)?'
const counted = new RegExp(
  `^(?:in|within|en|dans|over)? ?(\\d{1,3}|a|an|one|einem) (?:${businessDay})( from (?:now|today)| ago)?$`,
)

/** `in 3 business days`, `2 working days ago`: a day by the organization's week and holidays; today is not counted. */
export function byBusinessDays(
  phrase: string,
  now: number,
  zone: string,
  isBusinessDay: (day: string) => boolean,
): ResolvedTime | undefined {
  const [, number, direction] =
    counted.exec(phrase.normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/g, ' ')) ?? []
  if (number === undefined) return undefined
  const count = /\d/.test(number) ? Number(number) : 1
  if (count === 0 || count > maxCount) return undefined
  const step = direction === ' ago' ? -1 : 1
  let day = dayAt(now, zone)
  for (let i = 0, left = count; i < maxSearchDays; i++) {
    day = addDays(day, step)
    if (isBusinessDay(day) && --left === 0)
      return { from: midnight(day, zone), to: midnight(addDays(day, 1), zone) }
  }
  return undefined
}

/** Describes the interpretation of a phrase, with the alternative for phrases that people understand in two ways. */
export function describeReading(
  phrase: string,
  { from, to }: ResolvedTime,
  now: number,
  zone: string,
): string {
  const [first, last] = [dayAt(from, zone), dayAt(Math.max(from, to - 1), zone)]
  const interpretation = spanName({ from, to }, first, last, zone)
  return [interpretation, ...otherReading(phrase, first, dayAt(now, zone))].join('; ')
}

function spanName({ from, to }: ResolvedTime, first: string, last: string, zone: string): string {
  if (from === to) return `${dayName(first)}, ${ianaZone(zone).wall(from).slice(11, 16)}`
  return first === last ? dayName(first) : `${dayName(first)} to ${dayName(last)}`
}

function otherReading(phrase: string, day: string, today: string): string[] {
  const text = phrase.toLowerCase()
  if (/\bnext (mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b/.test(text)) {
    const comingDay = nextDay(today, weekday(day))
    return comingDay === day
      ? []
      : [
          `the coming ${dayName(comingDay)} was not meant: for that, say “this ${dayName(comingDay).split(' ')[0]!.toLowerCase()}”`,
        ]
  }
  return /\bend of (?:the |this |next |last )?week\b/.test(text)
    ? ['weeks run from Monday to Sunday']
    : []
}

/** The next given weekday after a day. */
function nextDay(after: string, wanted: number): string {
  return addDays(after, ((wanted - weekday(after) + 6) % 7) + 1)
}

function dayName(day: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
    .format(new Date(`${day}T00:00:00Z`))
    .replace(',', '')
}

const midnight = (day: string, zone: string) => ianaZone(zone).instant(`${day}T00:00:00`)
