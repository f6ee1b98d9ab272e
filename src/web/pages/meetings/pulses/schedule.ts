// Schedules of pulses: the rules offered by the form, and descriptions of all rules.

import { pulseTexts } from '../../../texts/en/company/pulses.ts'

const { repeats: names, schedule: words } = pulseTexts
const workdays = 'MO,TU,WE,TH,FR'

export type PulseRepeat = keyof typeof names

export const pulseRepeats = Object.keys(names) as PulseRepeat[]

const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type WeekdayCode = (typeof weekdayCodes)[number]

const weekdayFormat = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })

/** The weekdays from Monday on, with names. 1 January 2024 was a Monday. */
export const pulseWeekdays: readonly { code: WeekdayCode; name: string }[] = weekdayCodes.map(
  (code, n) => ({
    code,
    name: weekdayFormat.format(new Date(Date.UTC(2024, 0, n + 1))),
  }),
)

/** Form values of a schedule. */
export interface PulseSchedule {
  repeat: PulseRepeat
  weekday: WeekdayCode
  /** `09:30` */
  time: string
  /** A rule that the form does not offer. */
  rule: string
}

export const defaultSchedule: PulseSchedule = {
  repeat: 'weekdays',
  weekday: 'MO',
  time: '09:00',
  rule: '',
}

const ruleOfRepeat: Readonly<
  Record<Exclude<PulseRepeat, 'other'>, (weekday: WeekdayCode) => string>
> = {
  weekdays: () => `FREQ=WEEKLY;BYDAY=${workdays}`,
  daily: () => 'FREQ=DAILY',
  weekly: (weekday) => `FREQ=WEEKLY;BYDAY=${weekday}`,
  fortnightly: (weekday) => `FREQ=WEEKLY;INTERVAL=2;BYDAY=${weekday}`,
  monthly: () => 'FREQ=MONTHLY;BYMONTHDAY=1',
}

/** True if the form asks for the weekday. */
export const hasWeekday = (repeat: PulseRepeat) => repeat === 'weekly' || repeat === 'fortnightly'

/** The RFC 5545 rule of a schedule. */
export function scheduleRule({ repeat, weekday, time, rule }: PulseSchedule): string {
  if (repeat === 'other') return rule.trim()
  const [hour, minute] = time.split(':').map(Number)
  return `${ruleOfRepeat[repeat](weekday)};BYHOUR=${hour};BYMINUTE=${minute}`
}

/** The schedule of a rule; the default hour is 9:00. */
export function scheduleOf(rule: string): PulseSchedule {
  const parts = new Map(
    rule.split(';').map((part) => part.split('=') as [name: string, value: string]),
  )
  const timePart = (name: string, defaultValue: string) =>
    (parts.get(name) ?? defaultValue).padStart(2, '0')
  const time = `${timePart('BYHOUR', '9')}:${timePart('BYMINUTE', '0')}`
  const customSchedule: PulseSchedule = { ...defaultSchedule, repeat: 'other', rule }
  if (!/^\d\d:\d\d$/.test(time)) return customSchedule
  const sortParts = (text: string) => text.split(';').sort().join(';')
  const ruleWithoutTime = sortParts(
    [...parts]
      .filter(([name]) => !['BYHOUR', 'BYMINUTE', 'BYSECOND'].includes(name))
      .map(([name, value]) => `${name}=${value}`)
      .join(';'),
  )
  for (const repeat of pulseRepeats) {
    if (repeat === 'other') continue
    const weekday = weekdayCodes.find(
      (code) => sortParts(ruleOfRepeat[repeat](code)) === ruleWithoutTime,
    )
    if (weekday) return { ...defaultSchedule, repeat, weekday, time }
  }
  return customSchedule
}

/** A rule in words: “Every Monday at 09:00”. */
export function describeSchedule(rule: string): string {
  const { repeat, weekday, time } = scheduleOf(rule)
  if (repeat === 'other') return words.other(rule)
  const day = pulseWeekdays.find(({ code }) => code === weekday)?.name ?? weekday
  const interval = hasWeekday(repeat)
    ? words[repeat as 'weekly' | 'fortnightly'](day)
    : names[repeat]
  return words.at(interval, time)
}
