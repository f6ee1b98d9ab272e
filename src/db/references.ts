import { references } from './tables.ts'

/** A column that references rows of a table by id. */
export type Reference = Pick<(typeof references)[number], 'table' | 'column' | 'cascades'>

const deletionOrder = tablesInDeletionOrder()
const referencesByTarget = Map.groupBy(
  references.toSorted(
    (first, other) => deletionOrder.indexOf(first.table) - deletionOrder.indexOf(other.table),
  ),
  (reference) => reference.named as string,
)

/**
 * Columns that refer to rows of this table, by the foreign keys of the schema; tables come before the tables that
 * they refer to.
 */
export function referencesTo(table: string): readonly Reference[] {
  return referencesByTarget.get(table) ?? []
}

/** The tables in deletion order: a table comes before those that it references. */
function tablesInDeletionOrder(): string[] {
  const order: string[] = []
  const seen = new Set<string>()
  const visit = (table: string) => {
    if (seen.has(table)) return
    seen.add(table)
    for (const row of references) if (row.named === table && row.table !== table) visit(row.table)
    order.push(table)
  }
  for (const { table } of references) visit(table)
  return order
}
