/** Converts the value of a local date-time field to the server's format; undefined if it is empty. */
export const isoOfLocal = (local: string): string | undefined =>
  local === '' ? undefined : new Date(local).toISOString()

/** A moment as a field of date and time takes it. */
export function localMoment(at: string): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

const minuteMs = 60_000

/** The end of the minute of a moment: what ends then leaves no seconds over. */
export const wholeMinute = (at: string): string =>
  new Date(Math.ceil(new Date(at).getTime() / minuteMs) * minuteMs).toISOString()
