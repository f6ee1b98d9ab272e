import { omitNullish } from '../../../kernel/present.ts'
import { type Repeat, nextAfter } from '../../../kernel/time/recurrence.ts'
import { dayAt, iso } from '../../../kernel/time/times.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import type { ListedRow } from '../lists/access-lists.ts'
import { momentsIn } from '../lists/dates.ts'

export function recurrenceOf(ctx: ReadContext, row: ListedRow) {
  const next = nextRecurrenceAt(ctx, row)
  return omitNullish({
    rrule: row.recurrence_rrule!,
    timezone: row.recurrence_timezone!,
    create_next: row.recurrence_create_next!,
    ends_on: row.recurrence_ends_on,
    ...(next === null
      ? {}
      : omitNullish({
          next_at: iso(next),
          next_on: repeatsByDay(row) ? dayAt(next, row.recurrence_timezone!) : undefined,
        })),
  })
}

/** True if the tasks of a rule are due on days: the due date is a day, or the rule was set on a task without dates. */
export function repeatsByDay(row: Pick<Row<'tasks'>, 'due_at' | 'due_on' | 'start_at'>): boolean {
  return row.due_at === null ? row.start_at === null : row.due_on !== null
}

/** The moment after which a task repeats: its date in the zone of the rule, or now if that is later. */
export function repeatsAfter(
  row: Parameters<typeof momentsIn>[0],
  zone: string,
  now: number,
): number {
  const { due_at, start_at } = momentsIn(row, zone)
  return Math.max(now, due_at ?? start_at ?? 0)
}

/** The rule of a task that repeats. */
export function repeatOf(row: ListedRow): Repeat {
  return {
    rrule: row.recurrence_rrule!,
    timezone: row.recurrence_timezone!,
    start: row.recurrence_start!,
    endsOn: row.recurrence_ends_on,
  }
}

/** When the next one would be due: the stored moment, unless it has passed or a new due date is later. */
function nextRecurrenceAt(ctx: ReadContext, row: ListedRow): number | null {
  const scheduled = row.recurrence_next_at
  const after = repeatsAfter(row, row.recurrence_timezone!, ctx.now)
  if (scheduled === null || scheduled > after || row.recurrence_create_next === 'on_schedule')
    return scheduled
  return nextAfter(repeatOf(row), after) ?? null
}
