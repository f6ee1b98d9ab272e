import type { Row } from '../../../records/resource.ts'
import { optionsOf, type CustomFieldValues } from './values.ts'

type Field = Row<'custom_fields'>

/**
 * Converts a task's custom field values for another project: to the field of the same name and type, options by name.
 * `dropped` lists fields without a counterpart for the field or this value.
 */
export function transferValues(
  from: readonly Field[],
  to: readonly Field[],
  json: string,
  members: ReadonlySet<string>,
): { values: CustomFieldValues; dropped: string[] } {
  const values: CustomFieldValues = {}
  const dropped: string[] = []
  for (const [id, value] of Object.entries(JSON.parse(json) as CustomFieldValues)) {
    const field = from.find((row) => row.id === id)
    if (!field || field.retired === 1) continue
    const target = to.find(
      (row) =>
        row.retired === 0 &&
        row.type === field.type &&
        row.name.toLowerCase() === field.name.toLowerCase(),
    )
    const transferred = target && transferValue(field, target, value, members)
    if (transferred === undefined) dropped.push(field.name)
    else values[target!.id] = transferred
  }
  return { values, dropped }
}

function transferValue(
  from: Field,
  to: Field,
  value: unknown,
  members: ReadonlySet<string>,
): unknown {
  if (from.type === 'person') return members.has(value as string) ? value : undefined
  if (from.type === 'select') return sameOption(from, to, value)
  if (from.type !== 'multi_select') return value
  const options = (value as unknown[]).map((item) => sameOption(from, to, item))
  return options.includes(undefined) ? undefined : options
}

function sameOption(from: Field, to: Field, id: unknown): string | undefined {
  const name = optionsOf(from)
    .find((option) => option.id === id)
    ?.name.toLowerCase()
  return optionsOf(to).find((option) => option.name.toLowerCase() === name)?.id
}
