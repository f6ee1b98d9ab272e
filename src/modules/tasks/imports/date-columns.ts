import type { DateOrder } from '../../../kernel/time/date-orders.ts'
import { dateOrdersIn, isAmbiguousDate } from './records.ts'

// In which order the date columns of a table write days and months.

export interface DateColumn {
  name: string
  /** Its cells that are not empty. */
  cells: readonly string[]
}

export interface DateOrders {
  /** By the place of the column among those that were given; undefined where nothing tells. */
  orders: (DateOrder | undefined)[]
  /** Names the columns that were read by what is usual. */
  warnings: string[]
}

const inWords = { dmy: 'day/month/year', mdy: 'month/day/year' }

/**
 * A column is read by its own dates, else by those of the other columns, else as people of the organization write (`usual`). A column with
 * dates of both orders tells nothing.
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
        `Column ${JSON.stringify(name.slice(0, 100))}: dates such as ${JSON.stringify(example.slice(0, 50))} were read as ${inWords[defaultOrder]}, the usual order in your organization's time zone; set date_order to change it.`,
      )
    return defaultOrder
  })
  return { orders, warnings }
}
