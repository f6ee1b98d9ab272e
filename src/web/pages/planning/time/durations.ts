/** Parses a duration into minutes: `1:30`, `1.5`, `1,5`, `90m`, `2h`; 0 for an empty text, undefined if invalid. */
export function parseDuration(text: string): number | undefined {
  const input = text.trim().toLowerCase()
  if (input === '' || input === '-') return 0
  const clock = /^(\d{1,2}):([0-5]\d)$/.exec(input)
  if (clock) return 60 * Number(clock[1]) + Number(clock[2])
  const minutes = /^(\d{1,4})\s*m(in)?$/.exec(input)
  if (minutes) return Number(minutes[1])
  const hours = /^(\d{1,2})?([.,]\d{1,2})?\s*h?$/.exec(input)
  if (!hours || (hours[1] === undefined && hours[2] === undefined)) return undefined
  return Math.round(60 * Number(`${hours[1] ?? '0'}${(hours[2] ?? '').replace(',', '.')}`))
}

/** Minutes in sheet format: 1:30; empty for zero. */
export function formatDuration(minutes: number): string {
  if (minutes === 0) return ''
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}
