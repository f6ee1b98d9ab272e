import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { contactLabel } from '../access.ts'

/** Puts labels on a contact and takes others off; what is on both lists comes off. @returns whether any changed */
export async function setLabels(
  ctx: WriteContext,
  row: Row<'contacts'>,
  added: readonly Row<'labels'>[],
  removed: readonly Row<'labels'>[],
): Promise<boolean> {
  if (added.length + removed.length === 0) return false
  const there = await contactLabel.of(ctx, [row.id]).selectAll('contact_labels').execute()
  const off = new Set<string>(removed.map((item) => item.id))
  const removedLabels = there.filter((item) => off.has(item.label_id))
  const come = added.filter(
    (item) => !off.has(item.id) && !there.some((on) => on.label_id === item.id),
  )
  for (const item of removedLabels) await ctx.remove('contact_labels', item)
  for (const item of come)
    await ctx.add('contact_labels', { contact_id: row.id, label_id: item.id })
  return removedLabels.length + come.length > 0
}
