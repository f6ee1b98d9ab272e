import { Temporal } from 'temporal-polyfill'
import { mondayOf } from './weeks.ts'

// Parses names of weeks, months, quarters and years, which date libraries reduce to single days.

/** A range of days, end exclusive. */
export interface Days {
  from: string
  until: string
}

type Unit = 'week' | 'weekend' | 'month' | 'quarter' | 'year'

const units: Record<Unit, string> = {
  week: 'weeks?|woche|wochen|semaines?|semanas?|week|weken|settimana|vecka|週',
  weekend: 'week-?ends?|wochenende|fin de semana|fim de semana|weekeinde|週末',
  month: 'months?|monate?s?|mois|mes(?:es)?|mês|maand|maanden|mese|månad|月',
  quarter: 'quarters?|quartal(?:e|s)?|trimestres?|kwarta(?:al|len)|四半期',
  year: 'years?|jahr(?:e|es)?|an(?:née)?s?|años?|anos?|jaar|jaren|anno|år|年',
}

const steps: [words: string, step: number][] = [
  [
    'last|previous|past|letzte[nsr]?|vorige[nsr]?|vergangene[nsr]?|dernière?|passée?|pasad[oa]|passad[oa]|vorige|afgelopen|先|前の?|去|昨',
    -1,
  ],
  [
    'this|current|the current|diese[nsmr]?|aktuelle[nsr]?|dies|cette|cet?|est[ae]|est[ae]|deze|dit|今|この',
    0,
  ],
  [
    'next|the next|coming|following|nächste[nsmr]?|kommende[nsmr]?|prochaine?|próxim[oa]|volgende?|komende?|来|次の?|翌',
    1,
  ],
]

const ends =
  "the end of|end of|eom|ende (?:der|des|dieser|dieses|nächster|nächsten)|ende|(?:la )?fin (?:de la|du|de l'|de|del)|final(?: de| del)?|fim d[oa]|eind(?:e)?(?: van)?(?: de| het)?"
const starts =
  "the (?:start|beginning) of|start of|beginning of|anfang (?:der|des|dieser|dieses|nächster|nächsten)|anfang|(?:le )?début (?:de la|du|de l'|de)|(?:principio|inicio)s?(?: de| del)?|início d[oa]|begin(?: van)?(?: de| het)?"

const unitWord = Object.entries(units).map(
  ([unit, words]) => [unit as Unit, new RegExp(`^(?:${words})$`)] as const,
)
const edge = new RegExp(`^(?:(${ends})|(${starts})) (.+)$`)
const compound = /^(wochen|monats|quartals|jahres)(ende|anfang)$/
const compounds: Record<string, Unit> = {
  wochen: 'week',
  monats: 'month',
  quartals: 'quarter',
  jahres: 'year',
}

/** The days that a lower-case phrase names, relative to a day; undefined if it names no such period. */
export function periodIn(text: string, today: string): Days | undefined {
  const now = Temporal.PlainDate.from(today)
  const [, stem, part] = compound.exec(text) ?? []
  if (stem !== undefined && text !== 'wochenende')
    return edgeOf(daysOf(compounds[stem]!, now), part === 'ende')
  const [, end, , rest] = edge.exec(text) ?? []
  if (rest !== undefined) {
    const days = namedPeriod(rest, now) ?? unitPeriodOf(rest, now)
    return days && edgeOf(days, end !== undefined)
  }
  return namedPeriod(text, now)
}

/** The first or last day of a period. */
function edgeOf({ from, until }: Days, isEnd: boolean): Days {
  const day = isEnd
    ? Temporal.PlainDate.from(until).subtract({ days: 1 })
    : Temporal.PlainDate.from(from)
  return { from: day.toString(), until: day.add({ days: 1 }).toString() }
}

function namedPeriod(text: string, now: Temporal.PlainDate): Days | undefined {
  return (
    numberedWeek(text, now) ??
    numberedQuarter(text, now) ??
    numberedYear(text) ??
    relativePeriod(text, now)
  )
}

/** `week`, `the month`, as in "end of the month". */
function unitPeriodOf(text: string, now: Temporal.PlainDate): Days | undefined {
  const unit = unitOf(text.replace(/^(?:the|der|des|die|das|la|le|el|o|a|de|het) /, ''))
  return unit && daysOf(unit, now)
}

const unitOf = (word: string) => unitWord.find(([, words]) => words.test(word))?.[0]

/** `next week`, `la semaine prochaine`, `来週`. */
function relativePeriod(text: string, now: Temporal.PlainDate): Days | undefined {
  const bare = text.replace(/^(?:in the|in der|im|in|la|le|el|l'|o|a|de|het|the) ?(?=\S)/, '')
  for (const [words, step] of steps) {
    const [, before] = new RegExp(`^(?:${words}) ?(.+)$`).exec(bare) ?? []
    const [, after] = new RegExp(`^(.+?) (?:${words})$`).exec(bare) ?? []
    const unit = unitOf(before ?? '') ?? unitOf(after ?? '')
    if (unit) return daysOf(unit, shifted(unit, now, step))
  }
  return undefined
}

function shifted(unit: Unit, now: Temporal.PlainDate, step: number): Temporal.PlainDate {
  if (unit === 'month' || unit === 'quarter')
    return now.with({ day: 1 }).add({ months: step * (unit === 'month' ? 1 : 3) })
  return unit === 'year'
    ? now.with({ month: 1, day: 1 }).add({ years: step })
    : now.add({ weeks: step })
}

/** The week, month and so on containing a day. */
function daysOf(unit: Unit, on: Temporal.PlainDate): Days {
  const monday = on.subtract({ days: on.dayOfWeek - 1 })
  const days = (from: Temporal.PlainDate, length: Temporal.DurationLike) => ({
    from: from.toString(),
    until: from.add(length).toString(),
  })
  if (unit === 'week') return days(monday, { weeks: 1 })
  if (unit === 'weekend') return days(monday.add({ days: 5 }), { days: 2 })
  if (unit === 'month') return days(on.with({ day: 1 }), { months: 1 })
  if (unit === 'year') return days(on.with({ month: 1, day: 1 }), { years: 1 })
  return days(on.with({ day: 1, month: Math.floor((on.month - 1) / 3) * 3 + 1 }), { months: 3 })
}

/** `week 48`, `KW 3/2027`, `2026-W48`: without a year, the next one that is not over. */
function numberedWeek(text: string, now: Temporal.PlainDate): Days | undefined {
  const [, isoYear, isoNumber] = /^(\d{4})-?w(\d{1,2})$/.exec(text) ?? []
  const [, number, year] =
    /^(?:(?:calendar |iso )?week|cw|kw|w|kalenderwoche|semaine|semana|settimana|vecka|第) ?(\d{1,2})(?:週)?(?:(?:[ /,-]| of | in | de )+(\d{4}))?$/.exec(
      text,
    ) ?? []
  const week = Number(isoNumber ?? number ?? 0)
  if (week === 0) return undefined
  const yearText = isoYear ?? year
  const from = yearText === undefined ? nextWeek(week, now) : mondayOf(Number(yearText), week)
  return from === undefined
    ? undefined
    : { from, until: Temporal.PlainDate.from(from).add({ weeks: 1 }).toString() }
}

function nextWeek(week: number, now: Temporal.PlainDate): string | undefined {
  const currentMonday = now.subtract({ days: now.dayOfWeek - 1 }).toString()
  return Array.from({ length: 8 }, (_, i) => mondayOf(now.yearOfWeek! + i, week)).find(
    (monday) => monday !== undefined && monday >= currentMonday,
  )
}

/** `Q1`, `3. Quartal 2027`, `T2`: without a year, the next one that is not over. */
function numberedQuarter(text: string, now: Temporal.PlainDate): Days | undefined {
  const [, q, n, t, year] =
    /^(?:q ?([1-4])|([1-4])(?:\.|st|nd|rd|th|er|e|º)? ?(?:quarter|quartal|trimestre|kwartaal)|t ?([1-4]))(?:(?:[ /,-]| of | de )+(\d{4}))?$/.exec(
      text,
    ) ?? []
  const quarter = Number(q ?? n ?? t ?? 0)
  if (quarter === 0) return undefined
  const quarterIn = (inYear: number) =>
    daysOf('quarter', Temporal.PlainDate.from({ year: inYear, month: quarter * 3, day: 1 }))
  if (year !== undefined) return quarterIn(Number(year))
  const thisYears = quarterIn(now.year)
  return thisYears.until > now.toString() ? thisYears : quarterIn(now.year + 1)
}

function numberedYear(text: string): Days | undefined {
  return /^(?:in |im jahr |en )?(19|20|21)\d\d$/.test(text)
    ? daysOf('year', Temporal.PlainDate.from(`${text.slice(-4)}-01-01`))
    : undefined
}
