import type { DateOrder } from '../../../kernel/time/date-orders.ts'
import { dateOrdersIn, isAmbiguousDate } from './records.ts'

// Detects the day and month order of a table's date columns.

export interface DateColumn {
  name: string
  /** The non-empty cells. */
  cells: readonly string[]
}

export interface DateOrders {
  /** By index of the given columns; undefined if nothing indicates the order. */
  orders: (DateOrder | undefined)[]
  /** Names the columns that were read in the usual order. */
  warnings: string[]
}

const orderTexts = { dmy: 'day/month/year', mdy: 'month/day/year' }

/**
 * A column's order comes from its own dates, else from those of the other columns, else from the organization's
 * convention (`defaultOrder`). A column with dates in both orders indicates nothing.
 */
export function ordersOfColumns(
  columns: readonly DateColumn[],
  defaultOrder: DateOrder | undefined,
): DateOrders {
  const evidence = columns.map(({ cells }) => dateOrdersIn(cells))
  const all = evidence.reduce((sum, orders) => sum.union(orders), new Set<DateOrder>())
  const warnings: string[] = []
  const orders = columns.map(({ name, cells }, i) => {
    const orders = evidence[i]?.size === 0 ? all : evidence[i]
    if (orders && orders.size > 0) return orders.size === 1 ? [...orders][0] : undefined
    const example = cells.find(isAmbiguousDate)
    if (defaultOrder !== undefined && example !== undefined)
      warnings.push(
        `Column ${JSON.stringify(name.slice(0, 100))}: dates such as ${JSON.stringify(example.slice(0, 50))} were read as ${orderTexts[defaultOrder]}, the usual order in your organization's time zone; set date_order to change it.`,
      )
    return defaultOrder
  })
  return { orders, warnings }
}
