import { useCommands } from '../../../keys/commands.ts'
import { dayOf } from '../../../ui/work/days.ts'
import { taskRowOf } from '../data/rows.ts'
import { targetIds } from '../../../ui/work/table/selection.ts'
import { setSpan, shiftTasks } from './dates.ts'
import { taskSpanOf, type BarEdge } from './spans.ts'

/** Keyboard commands for the days of the current tasks. Tasks without a day get today by any of them. */
export function useBarCommands(): void {
  const shift = (edge: BarEdge, days: number) => () => {
    const rows = targetIds()
      .map(taskRowOf)
      .filter((row) => row !== undefined)
    if (rows.length === 0) return false
    const today = dayOf()
    for (const row of rows) if (!taskSpanOf(row)) setSpan(row, { from: today, to: today })
    shiftTasks(rows, edge, days) // undated rows stay as they are: `rows` holds their previous state
    return true
  }
  useCommands({
    'days.earlier': shift('both', -1),
    'days.later': shift('both', 1),
    'days.weekEarlier': shift('both', -7),
    'days.weekLater': shift('both', 7),
    'days.shorter': shift('to', -1),
    'days.longer': shift('to', 1),
  })
}
