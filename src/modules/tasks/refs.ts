import { invalid } from '../../kernel/refusal.ts'
import { circles } from './dependencies/cycles.ts'

/** An item of a list whose items refer to each other. */
export interface RefItem {
  ref?: string | undefined
  parent_id?: string | undefined
  parent_ref?: string | undefined
  blocked_by_refs?: readonly string[] | undefined
}

/**
 * Indexes of the items with every parent before its children; otherwise in list order.
 * @throws Refusal invalid_argument naming the item: a ref that comes twice or that nothing has, or items in a circle
 */
export function orderOfItems(items: readonly RefItem[]): number[] {
  const byRef = indexesByRef(items)
  for (const [i, item] of items.entries()) checkItem(item, i, byRef)
  requireNoCircle(
    items,
    'parent_ref',
    (item) => (item.parent_ref === undefined ? [] : [item.parent_ref]),
    byRef,
  )
  requireNoCircle(items, 'blocked_by_refs', (item) => item.blocked_by_refs ?? [], byRef)
  const order: number[] = []
  const placed = new Set<number>()
  const place = (i: number): void => {
    if (placed.has(i)) return
    placed.add(i)
    const { parent_ref } = items[i]!
    if (parent_ref !== undefined) place(byRef.get(parent_ref)!)
    order.push(i)
  }
  items.forEach((_, i) => place(i))
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
  const unknown = blocked_by_refs.find((blockedbyRef) => !byRef.has(blockedbyRef))
  if (unknown !== undefined)
    throw invalid(`tasks[${i}].blocked_by_refs`, `no item has the ref "${unknown}".`)
}

function requireNoCircle(
  items: readonly RefItem[],
  field: 'parent_ref' | 'blocked_by_refs',
  next: (item: RefItem) => readonly string[],
  byRef: Map<string, number>,
): void {
  const links = items.flatMap((item, i) =>
    next(item).map((to) => ({ from: String(i), to: String(byRef.get(to)!) })),
  )
  const circle = links.find((link) => link.from === link.to)
    ? [links.find((link) => link.from === link.to)!.from]
    : circles(links)[0]
  if (!circle) return
  const way = [...circle, circle[0]!].map((i) => items[Number(i)]!.ref ?? `tasks[${i}]`)
  throw invalid(`tasks[${circle[0]}].${field}`, `the items form a cycle: ${way.join(' → ')}.`)
}
