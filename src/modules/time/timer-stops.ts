import type { Row } from '../../records/resource.ts'
import { roundedMinutes } from './durations.ts'

/** Returns the column changes that stop a running timer at the given time. */
export function stopColumns(
  { running_since_at }: Row<'time_entries'>,
  at: number,
): Partial<Row<'time_entries'>> {
  return {
    running_since_at: null,
    stopped_at: at,
    duration_minutes: roundedMinutes(at - running_since_at!),
  }
}
