/** Formats a list as text, such as “a, b and c”. */
const listFormat = new Intl.ListFormat(undefined, { type: 'conjunction' })
export const formatList = (items: readonly string[]) => listFormat.format(items)

/** The name of a day of the week; 1 is Monday. */
export function weekdayName(day: number, length: 'long' | 'short' = 'long'): string {
  return new Intl.DateTimeFormat(undefined, { weekday: length, timeZone: 'UTC' }).format(
    new Date(Date.UTC(2024, 0, day)),
  )
}

export const formatNumber = (value: number) => new Intl.NumberFormat().format(value)

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Formats a size, such as “3.2 GB”. */
export function formatBytes(value: number): string {
  const unitIndex = Math.min(units.length - 1, value < 1 ? 0 : Math.floor(Math.log10(value) / 3))
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: units[unitIndex]!,
    unitDisplay: 'short',
    maximumFractionDigits: unitIndex === 0 ? 0 : 1,
  }).format(value / 1000 ** unitIndex)
}
