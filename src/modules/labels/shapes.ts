import { shape } from '../../kernel/shape.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Row } from '../../records/resource.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { common, commonOf, type Ref } from '../../records/shapes.ts'
import { label } from './access.ts'

export const Label = shape('Label', {
  ...common,
  name: z.string(),
  color: z.string(),
  description: z.string().nullable(),
  /** create_label: it existed already and stays unchanged. */
  existing: z.literal(true).optional(),
  uses: z.strictObject({
    task: z.int(),
    page: z.int(),
    contact: z.int(),
    deal: z.int(),
    file: z.int(),
    incident: z.int(),
  }),
})

/** Number of visible items of each kind with a label. */
export type LabelUses = Partial<z.infer<typeof Label>['uses']>

/** Labels for answers; `uses` counts only items visible to the caller. */
export async function presentLabelsWithUses(
  ctx: ReadContext,
  rows: readonly Row<'labels'>[],
  uses: ReadonlyMap<string, LabelUses>,
): Promise<z.infer<typeof Label>[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) => ({
    ...commonOf(row, label.url(row, ctx.baseUrl), people),
    name: row.name,
    color: row.color,
    description: row.description,
    uses: { task: 0, page: 0, contact: 0, deal: 0, file: 0, incident: 0, ...uses.get(row.id) },
  }))
}

/** Labels per item, in order, by their links; deleted labels are omitted. */
export async function labelsByItem(
  ctx: ReadContext,
  links: readonly { item: string; label_id: Id<'labels'> }[],
): Promise<Map<string, Ref[]>> {
  const labels = await label.among(
    ctx,
    links.map((tie) => tie.label_id),
  )
  const labelsById = new Map<string, Ref[]>()
  for (const { item, label_id } of links) {
    const row = labels.get(label_id)
    if (row)
      labelsById.set(item, [...(labelsById.get(item) ?? []), { id: row.id, title: row.name }])
  }
  return labelsById
}
