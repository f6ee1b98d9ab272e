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
  /** create_label: it was there already, and stays as it was. */
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

/** On how many items of each kind a label is, of those that the caller sees. */
export type LabelUses = Partial<z.infer<typeof Label>['uses']>

/** Labels as answers show them; `uses` counts only what the caller may see. */
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

/** The labels of each item, by their ties and in their order; labels that are gone are left out. */
export async function labelsByItem(
  ctx: ReadContext,
  ties: readonly { item: string; label_id: Id<'labels'> }[],
): Promise<Map<string, Ref[]>> {
  const labels = await label.among(
    ctx,
    ties.map((tie) => tie.label_id),
  )
  const labelsById = new Map<string, Ref[]>()
  for (const { item, label_id } of ties) {
    const row = labels.get(label_id)
    if (row)
      labelsById.set(item, [...(labelsById.get(item) ?? []), { id: row.id, title: row.name }])
  }
  return labelsById
}
