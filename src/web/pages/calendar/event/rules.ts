// The recurrence rules offered by the form, and descriptions of all rules.

import { addDays, shortDate } from '../../../ui/work/days.ts'
import { calendarTexts as t } from '../texts.ts'

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const
const workdays = 'MO,TU,WE,TH,FR'
const weekdayFormat = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
const yearDayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})
const utcMidnight = (day: string) => new Date(`${day}T00:00:00Z`)

/** The rules offered for an event on a day, with labels. */
export function ruleChoices(day: string): { rule: string; label: string }[] {
  const { rules } = t.calendar
  const date = utcMidnight(day)
  const code = weekdays[date.getUTCDay()] ?? 'MO'
  const name = weekdayFormat.format(date)
  const nth = nthOf(day)
  return [
    { rule: 'FREQ=DAILY', label: rules.daily },
    { rule: `FREQ=WEEKLY;BYDAY=${workdays}`, label: rules.weekdays },
    { rule: `FREQ=WEEKLY;BYDAY=${code}`, label: rules.weekly(name) },
    { rule: `FREQ=WEEKLY;INTERVAL=2;BYDAY=${code}`, label: rules.fortnightly(name) },
    {
      rule: `FREQ=MONTHLY;BYMONTHDAY=${date.getUTCDate()}`,
      label: rules.monthly(date.getUTCDate()),
    },
    {
      rule: `FREQ=MONTHLY;BYDAY=${nth}${code}`,
      label: rules.monthlyNth(rules.nth[nth === -1 ? 4 : nth - 1] ?? '', name),
    },
    { rule: 'FREQ=YEARLY', label: rules.yearly(yearDayFormat.format(date)) },
  ]
}

/** Ordinal of a day's weekday within the month; -1: the last, if it is the fourth or fifth. */
function nthOf(day: string): number {
  if (addDays(day, 7).slice(0, 7) !== day.slice(0, 7)) return -1
  return Math.ceil(utcMidnight(day).getUTCDate() / 7)
}

type RuleParts = Map<string, string>

const rulePartsOf = (rule: string): RuleParts =>
  new Map(
    rule
      .replace(/^RRULE:/, '')
      .split(';')
      .map((part) => part.split('=') as [string, string]),
  )

const ruleTextOf = (parts: RuleParts) =>
  [...parts].map(([name, value]) => `${name}=${value}`).join(';')

/** Splits a rule into the rule without its end, and its last day if it has one. */
export function splitRule(rule: string): { rule: string; until: string } {
  const parts = rulePartsOf(rule)
  const until = /^(\d{4})(\d\d)(\d\d)/.exec(parts.get('UNTIL') ?? '')
  if (until) parts.delete('UNTIL')
  return { rule: ruleTextOf(parts), until: until ? until.slice(1).join('-') : '' }
}

/** A rule with a last day. */
export const withUntil = (rule: string, until: string): string =>
  until === '' ? rule : `${rule};UNTIL=${until.replaceAll('-', '')}`

/** True if two rules are equivalent, whatever the order of their parts; `WKST=MO` and `INTERVAL=1` are ignored. */
export function isSameRule(a: string, b: string): boolean {
  const keyOf = (rule: string) => {
    const parts = rulePartsOf(rule)
    if (parts.get('WKST') === 'MO') parts.delete('WKST')
    if (parts.get('INTERVAL') === '1') parts.delete('INTERVAL')
    return [...parts]
      .map(([name, value]) => `${name}=${sortedDays(name, value)}`)
      .sort()
      .join(';')
  }
  return keyOf(a) === keyOf(b)
}

const sortedDays = (name: string, value: string) =>
  name === 'BYDAY' ? value.split(',').sort().join(',') : value

/** A rule in words. */
export function describeRule(rule: string, day: string): string {
  const { rules } = t.calendar
  const { rule: endless, until } = splitRule(rule)
  const parts = rulePartsOf(endless)
  const count = parts.get('COUNT')
  parts.delete('COUNT')
  const standardRule = ruleChoices(day).find((preset) => matchesPreset(preset.rule, parts))
  const words = standardRule?.label ?? rules.other(ruleTextOf(parts))
  if (until !== '') return rules.until(words, shortDate(until))
  return count === undefined ? words : rules.times(words, Number(count))
}

/** `FREQ=WEEKLY` alone means the weekday of its start, and `FREQ=MONTHLY` its day. */
function matchesPreset(presetRule: string, parts: RuleParts): boolean {
  const rule = ruleTextOf(parts)
  if (isSameRule(presetRule, rule)) return true
  const isExplicit = parts.has('BYDAY') || parts.has('BYMONTHDAY') || parts.has('BYMONTH')
  if (isExplicit) return false
  const presetParts = rulePartsOf(presetRule)
  const dependsOnStart =
    (presetParts.get('FREQ') === 'WEEKLY' && presetParts.get('BYDAY') !== workdays) ||
    presetParts.has('BYMONTHDAY')
  if (!dependsOnStart) return false
  presetParts.delete('BYDAY')
  presetParts.delete('BYMONTHDAY')
  return isSameRule(ruleTextOf(presetParts), rule)
}
