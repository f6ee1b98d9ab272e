import { invalid } from '../../kernel/refusal.ts'
import { findCycles } from './dependencies/cycles.ts'

/** An item of a list whose items refer to each other. */
export interface RefItem {
  ref?: string | undefined
  parent_id?: string | undefined
  parent_ref?: string | undefined
  blocked_by_refs?: readonly string[] | undefined
}

/**
 * Indexes of the items with every parent before its children; otherwise in list order.
 * @throws Refusal invalid_argument naming the item: a duplicate or unknown ref, or items in a cycle
 */
export function orderOfItems(items: readonly RefItem[]): number[] {
  const byRef = indexesByRef(items)
  for (const [i, item] of items.entries()) checkItem(item, i, byRef)
  requireNoCycle(
    items,
    'parent_ref',
    (item) => (item.parent_ref === undefined ? [] : [item.parent_ref]),
    byRef,
  )
  requireNoCycle(items, 'blocked_by_refs', (item) => item.blocked_by_refs ?? [], byRef)
  const order: number[] = []
  const placed = new Set<number>()
  const placeItem = (i: number): void => {
    if (placed.has(i)) return
    placed.add(i)
    const { parent_ref } = items[i]!
    if (parent_ref !== undefined) placeItem(byRef.get(parent_ref)!)
    order.push(i)
  }
  items.forEach((_, i) => placeItem(i))
  return order
}

function indexesByRef(items: readonly RefItem[]): Map<string, number> {
  const byRef = new Map<string, number>()
  for (const [i, { ref }] of items.entries()) {
    if (ref === undefined) continue
    if (byRef.has(ref))
      throw invalid(`tasks[${i}].ref`, `"${ref}" is already the ref of tasks[${byRef.get(ref)}].`)
    byRef.set(ref, i)
  }
  return byRef
}

function checkItem(
  { parent_id, parent_ref, blocked_by_refs = [] }: RefItem,
  i: number,
  byRef: Map<string, number>,
): void {
  if (parent_id !== undefined && parent_ref !== undefined)
    throw invalid(`tasks[${i}].parent_ref`, 'send parent_ref or parent_id, not both.')
  if (parent_ref !== undefined && !byRef.has(parent_ref))
    throw invalid(`tasks[${i}].parent_ref`, `no item has the ref "${parent_ref}".`)
  const unknown = blocked_by_refs.find((blockerRef) => !byRef.has(blockerRef))
  if (unknown !== undefined)
    throw invalid(`tasks[${i}].blocked_by_refs`, `no item has the ref "${unknown}".`)
}

function requireNoCycle(
  items: readonly RefItem[],
  field: 'parent_ref' | 'blocked_by_refs',
  next: (item: RefItem) => readonly string[],
  byRef: Map<string, number>,
): void {
  const links = items.flatMap((item, i) =>
    next(item).map((to) => ({ from: String(i), to: String(byRef.get(to)!) })),
  )
  const cycle = links.find((link) => link.from === link.to)
    ? [links.find((link) => link.from === link.to)!.from]
    : findCycles(links)[0]
  if (!cycle) return
  const path = [...cycle, cycle[0]!].map((i) => items[Number(i)]!.ref ?? `tasks[${i}]`)
  throw invalid(`tasks[${cycle[0]}].${field}`, `the items form a cycle: ${path.join(' → ')}.`)
}
