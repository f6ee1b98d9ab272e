import type { RowOf } from '../../../store/index.ts'

/** A task that time can be planned for. */
export type PlannableTask = Pick<RowOf<'task'>, 'id' | 'key' | 'title' | 'estimate_minutes'>

const usualMinutes = 60
const mostMinutes = 240
const stepMinutes = 15

/** How much time is planned for a task: its estimate, in quarters of an hour, at most half a day. */
export function minutesFor({ estimate_minutes: estimate = usualMinutes }: PlannableTask): number {
  const steps = Math.max(1, Math.ceil(estimate / stepMinutes))
  return Math.min(mostMinutes, steps * stepMinutes)
}
