// Repeat rules that the form offers; other rules come from assistants and are only displayed.

const rules = {
  daily: 'FREQ=DAILY',
  weekdays: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  weekly: 'FREQ=WEEKLY',
  monthly: 'FREQ=MONTHLY',
} as const

export type Repeat = keyof typeof rules

export const repeats = Object.keys(rules) as Repeat[]

/** Rule in the format of RFC 5545. */
export const rruleOfRepeat = (repeat: Repeat): string => rules[repeat]

/** The repetition option for a rule; undefined for other rules. */
export const repeatOf = (rule: string): Repeat | undefined =>
  repeats.find((repeat) => rules[repeat] === rule)
