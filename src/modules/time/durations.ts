import { dayAt, dayLength } from '../../kernel/time/times.ts'

/** Maximum minutes of one entry: a day. */
export const maxMinutes = 1440
const minute = 60_000

/** Minutes of a duration, rounded; at least one, at most a day. */
export function roundedMinutes(milliseconds: number): number {
  return Math.min(maxMinutes, Math.max(1, Math.round(milliseconds / minute)))
}

/** True if a duration is longer than the maximum of an entry. */
export function isTooLong(milliseconds: number): boolean {
  return milliseconds > dayLength
}

/** The day of a timer: the local day on which it was started, even if it ran past midnight. */
export function dayOfTimer(startedAt: number, zone: string): string {
  return dayAt(startedAt, zone)
}

/** Minutes in readable form: 2 h 5 min. */
export function durationText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(rest > 0 || hours === 0 ? [`${rest} min`] : []),
  ].join(' ')
}
