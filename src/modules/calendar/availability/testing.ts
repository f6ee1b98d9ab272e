import type { Someone } from '../../../testing/harness.ts'

/** Formats milliseconds like the operations do. */
export const isoTimeOf = (at: number) => new Date(at).toISOString()

/** Adds an event to someone's calendar. */
export const addTestEvent = (
  who: Someone,
  title: string,
  start: number,
  end: number,
  more: object = {},
) =>
  who.call('create_event', { title, starts_at: isoTimeOf(start), ends_at: isoTimeOf(end), ...more })
