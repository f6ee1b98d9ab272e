import type { ReadContext } from '../../../operations/context.ts'
import { prefixOf } from '../../../kernel/ids.ts'
import { resourceByPrefix } from '../../../records/resource.ts'
import type { FieldChange } from '../../../records/row-images.ts'
import { iso } from '../../../kernel/time/times.ts'
import { keyNames } from '../access.ts'
import { amongAnywhere } from '../../../records/item-refs.ts'

/** The changes of one list, and whether the items that they name have text from outside. */
interface NamedFields {
  changes: FieldChange[]
  /** True if they name an item with text from outside. */
  isExternal: boolean
}

/**
 * Field changes in readable form: names in place of ids, moments as text. Values the reader may not see become null.
 */
export async function nameFields(
  ctx: ReadContext,
  lists: readonly (readonly FieldChange[])[],
): Promise<NamedFields[]> {
  const values = lists.map((fields) =>
    fields.map((field) => ({
      field: field.field,
      from: parsedJson(field.from),
      to: parsedJson(field.to),
    })),
  )
  const ids = new Set<string>()
  collectIds(values, ids)
  const { titles, external } = await titlesOf(ctx, [...ids])
  return values.map((fields) => {
    let isExternal = false
    const title = (id: string) => {
      isExternal ||= external.has(id)
      return titles.get(id) ?? null
    }
    const changes = fields.map((field) => ({
      field: publicFieldName(field.field),
      from: nameIdsIn(field.field, field.from, title),
      to: nameIdsIn(field.field, field.to, title),
    }))
    return { changes, isExternal }
  })
}

/** Titles of rows by id: items and parts of items (such as a status) that the reader may see, in the trash or not. */
async function titlesOf(
  ctx: ReadContext,
  ids: readonly string[],
): Promise<{ titles: Map<string, string>; external: Set<string> }> {
  const titles = new Map<string, string>()
  const external = new Set<string>()
  for (const [resource, idsOfResource] of Map.groupBy(
    ids,
    (id) => resourceByPrefix(prefixOf(id))!,
  )) {
    for (const [id, row] of await amongAnywhere(ctx, resource, idsOfResource)) {
      titles.set(id, resource.definition.title(row))
      if (resource.definition.isExternal?.(row)) external.add(id)
    }
    // Administrators know the names of other people's keys without having access to the keys.
    if (resource.definition.type === 'api_key')
      for (const [id, name] of await keyNames(ctx, idsOfResource)) titles.set(id, name)
  }
  return { titles, external }
}

/** A field's name in answers: `status` for status_id, `custom_fields` unchanged. */
export function publicFieldName(field: string): string {
  return field.replace(/_id$/, '')
}

/** Parses JSON that was stored as a whole. */
function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value // plain text that begins like JSON, or truncated JSON
  }
}

function isKnownId(value: unknown): value is string {
  return typeof value === 'string' && resourceByPrefix(prefixOf(value)) !== undefined
}

function collectIds(value: unknown, ids: Set<string>): void {
  if (isKnownId(value)) ids.add(value)
  else if (value !== null && typeof value === 'object')
    for (const [key, entry] of Object.entries(value))
      collectIds(isKnownId(key) ? [key, entry] : entry, ids)
}

function nameIdsIn(field: string, value: unknown, title: (id: string) => string | null): unknown {
  if (isKnownId(value)) return title(value)
  if (typeof value === 'number' && field.endsWith('_at')) return iso(value)
  if (Array.isArray(value)) return value.map((item) => nameIdsIn(field, item, title))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      isKnownId(key) ? (title(key) ?? 'hidden') : key,
      nameIdsIn(key, entry, title),
    ]),
  )
}
