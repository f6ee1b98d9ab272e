/** Converts the value of a local date-time field to the server's format; undefined if it is empty. */
export const isoOfLocal = (local: string): string | undefined =>
  local === '' ? undefined : new Date(local).toISOString()

/** Formats a timestamp for a local date-time field. */
export function toLocalDateTime(timestamp: string): string {
  const date = new Date(timestamp)
  const padTwo = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`
  return `${day}T${padTwo(date.getHours())}:${padTwo(date.getMinutes())}`
}

const minuteMs = 60_000

/** Rounds a timestamp up to a whole minute. */
export const ceilToMinute = (timestamp: string): string =>
  new Date(Math.ceil(new Date(timestamp).getTime() / minuteMs) * minuteMs).toISOString()
