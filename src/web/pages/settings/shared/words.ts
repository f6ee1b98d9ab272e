/** Formats lists in words. */
const lists = new Intl.ListFormat(undefined, { type: 'conjunction' })
export const listWords = (words: readonly string[]) => lists.format(words)

/** The name of a day of the week; 1 is Monday. */
export function weekday(day: number, length: 'long' | 'short' = 'long'): string {
  return new Intl.DateTimeFormat(undefined, { weekday: length, timeZone: 'UTC' }).format(
    new Date(Date.UTC(2024, 0, day)),
  )
}

export const number = (value: number) => new Intl.NumberFormat().format(value)

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** “3.2 GB”. */
export function bytes(value: number): string {
  const step = Math.min(units.length - 1, value < 1 ? 0 : Math.floor(Math.log10(value) / 3))
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: units[step]!,
    unitDisplay: 'short',
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(value / 1000 ** step)
}
