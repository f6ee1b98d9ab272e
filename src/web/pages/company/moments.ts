/** Converts the value of a local date-time field to the server's format; undefined if it is empty. */
export const isoOfLocal = (local: string): string | undefined =>
  local === '' ? undefined : new Date(local).toISOString()

/** A moment in the format of a date and time field. */
export function localMoment(at: string): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

const minuteMs = 60_000

/** The end of a moment's minute, so that no seconds remain after it. */
export const wholeMinute = (at: string): string =>
  new Date(Math.ceil(new Date(at).getTime() / minuteMs) * minuteMs).toISOString()
