import type { RowOf } from '../../../store/index.ts'

/** A task that time can be planned for. */
export type PlannableTask = Pick<RowOf<'task'>, 'id' | 'key' | 'title' | 'estimate_minutes'>

const defaultMinutes = 60
const maxMinutes = 240
const stepMinutes = 15

/** Minutes planned for a task: its estimate, in quarters of an hour, at most half a day. */
export function minutesFor({ estimate_minutes: estimate = defaultMinutes }: PlannableTask): number {
  const steps = Math.max(1, Math.ceil(estimate / stepMinutes))
  return Math.min(maxMinutes, steps * stepMinutes)
}
