import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { customField } from '../../portfolio/access.ts'
import type { ListedRow } from '../lists/access-lists.ts'

export async function listedFieldsOf(
  ctx: ReadContext,
  rows: readonly ListedRow[],
): Promise<Row<'custom_fields'>[]> {
  return customField
    .visibleTo(ctx)
    .selectAll('custom_fields')
    .where('custom_fields.project_id', 'in', [...new Set(rows.map((row) => row.project_id))])
    .execute()
}

/** Values by field name, options by name; values of retired fields are omitted. */
export function presentFields(
  row: ListedRow,
  fields: readonly Row<'custom_fields'>[],
): Record<string, unknown> {
  if (row.custom_fields_json === '{}') return {}
  const values = JSON.parse(row.custom_fields_json) as Record<string, unknown>
  const visibleFields = fields.filter(
    (field) => field.project_id === row.project_id && field.retired === 0 && field.id in values,
  )
  return Object.fromEntries(
    visibleFields.map((field) => [field.name, presentValue(field, values[field.id])]),
  )
}

function presentValue(field: Row<'custom_fields'>, value: unknown): unknown {
  if (field.type !== 'select' && field.type !== 'multi_select') return value
  const options = JSON.parse(field.options_json) as { id: string; name: string }[]
  const name = (id: unknown) => options.find((option) => option.id === id)?.name ?? id
  return Array.isArray(value) ? value.map(name) : name(value)
}
