import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { contactLabel } from '../access.ts'

/** Adds and removes labels of a contact; a label in both lists is removed. @returns whether any label changed */
export async function setLabels(
  ctx: WriteContext,
  row: Row<'contacts'>,
  added: readonly Row<'labels'>[],
  removed: readonly Row<'labels'>[],
): Promise<boolean> {
  if (added.length + removed.length === 0) return false
  const current = await contactLabel.of(ctx, [row.id]).selectAll('contact_labels').execute()
  const removedIds = new Set<string>(removed.map((item) => item.id))
  const removedLabels = current.filter((item) => removedIds.has(item.label_id))
  const addedLabels = added.filter(
    (item) => !removedIds.has(item.id) && !current.some((link) => link.label_id === item.id),
  )
  for (const item of removedLabels) await ctx.remove('contact_labels', item)
  for (const item of addedLabels)
    await ctx.add('contact_labels', { contact_id: row.id, label_id: item.id })
  return removedLabels.length + addedLabels.length > 0
}
