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
  const off = new Set<string>(removed.map((one) => one.id))
  const gone = there.filter((one) => off.has(one.label_id))
  const come = added.filter(
    (one) => !off.has(one.id) && !there.some((on) => on.label_id === one.id),
  )
  for (const one of gone) await ctx.remove('contact_labels', one)
  for (const one of come) await ctx.add('contact_labels', { contact_id: row.id, label_id: one.id })
  return gone.length + come.length > 0
}
