import { dayAt, dayLength } from '../../kernel/time/times.ts'

/** Minutes that one entry holds at most: a day. */
export const maxMinutes = 1440
const minute = 60_000

/** Minutes of a stretch of time, to the nearest one; what is shorter than that counts as one, and a day is the most. */
export function roundedMinutes(milliseconds: number): number {
  return Math.min(maxMinutes, Math.max(1, Math.round(milliseconds / minute)))
}

/** Whether a stretch is longer than one entry holds. */
export function isTooLong(milliseconds: number): boolean {
  return milliseconds > dayLength
}

/** The day that a timer counts for: the local one on which it began, also when it ran past midnight. */
export function dayOfTimer(startedAt: number, zone: string): string {
  return dayAt(startedAt, zone)
}

/** Minutes as people say them: 2 h 5 min. */
export function spoken(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(rest > 0 || hours === 0 ? [`${rest} min`] : []),
  ].join(' ')
}
