import type { ReadContext } from '../../operations/context.ts'
import { presenter } from '../../operations/listing/presenters.ts'
import type { Row } from '../../records/resource.ts'
import { countUses, label, labelledItems } from './access.ts'
import { presentLabelsWithUses, type LabelUses } from './shapes.ts'

/** Labels with the number of visible items of each kind that have them. */
export async function presentLabels(ctx: ReadContext, rows: readonly Row<'labels'>[]) {
  const ids = rows.map((row) => row.id)
  return presentLabelsWithUses(ctx, rows, await usesOf(ctx, ids))
}

/** Number of items per kind with these labels, by id. */
export async function usesOf(
  ctx: ReadContext,
  ids: Row<'labels'>['id'][],
): Promise<Map<string, LabelUses>> {
  const uses = new Map<string, LabelUses>()
  if (ids.length === 0) return uses
  for (const labelled of labelledItems.entries)
    for (const { label_id, count } of await countUses(ctx, labelled, ids))
      uses.set(label_id, { ...uses.get(label_id), [labelled.type]: count })
  return uses
}

export const labelPresenters = [
  presenter(label, { operation: 'list_labels', entries: presentLabels }),
]
