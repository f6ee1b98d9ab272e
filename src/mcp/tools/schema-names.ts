import type { Entry } from '../../operations/entry.ts'
import { type JsonSchema, toJson } from '../../operations/schemas.ts'

export type Fields = Record<string, unknown>

/** Field names grouped by the schema properties that matter for lean answers. */
export interface SchemaNames {
  /** They contain user data, in which false and the like are meaningful. */
  readonly opaque: ReadonlySet<string>
  /** They hold a value of any type, such as an answer to a question: false, 0, "" and null are values too. */
  readonly anyValue: ReadonlySet<string>
  /** They may be absent or null, which differs from an empty value. */
  readonly optional: ReadonlySet<string>
  /** They have “none” among their values. */
  readonly withNone: ReadonlySet<string>
}

const namesCache = new WeakMap<Entry, SchemaNames>()

export function schemaNamesIn(entry: Entry): SchemaNames {
  let names = namesCache.get(entry)
  if (!names) {
    const collected = {
      opaque: new Set<string>(),
      anyValue: new Set<string>(),
      optional: new Set<string>(),
      withNone: new Set<string>(),
    }
    const answer = toJson(entry.schemas.output, 'output')
    collect(isPage(answer) ? pageContents(answer) : answer, collected)
    namesCache.set(entry, (names = collected))
  }
  return names
}

function isPage({ required }: JsonSchema): boolean {
  return ['items', 'has_more'].every((name) => (required as string[] | undefined)?.includes(name))
}

/** A page without its own total and cursor, whose names may also be fields of its items. */
function pageContents(page: JsonSchema): JsonSchema {
  const { total: _, next_cursor: __, ...properties } = page.properties as Record<string, JsonSchema>
  return { ...page, properties }
}

function collect(schema: JsonSchema, collected: Record<keyof SchemaNames, Set<string>>): void {
  const { properties, required, items, anyOf, oneOf } = schema as {
    properties?: Record<string, JsonSchema>
    required?: string[]
    items?: JsonSchema
    anyOf?: JsonSchema[]
    oneOf?: JsonSchema[]
  }
  for (const [name, propertySchema] of Object.entries(properties ?? {})) {
    if (!required?.includes(name) || isNullable(propertySchema)) collected.optional.add(name)
    if (
      schemaAlternatives(propertySchema).some(
        (part) => (part.enum as unknown[] | undefined)?.includes('none') || part.const === 'none',
      )
    )
      collected.withNone.add(name)
    if (isOpenSchema(propertySchema)) {
      collected.opaque.add(name)
      if (holdsAnyValue(propertySchema)) collected.anyValue.add(name)
    } else collect(propertySchema, collected)
  }
  for (const jsonSchema of [...(items ? [items] : []), ...(anyOf ?? []), ...(oneOf ?? [])])
    collect(jsonSchema, collected)
}

function schemaAlternatives(schema: JsonSchema): JsonSchema[] {
  return [schema, ...((schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[])]
}

function isNullable(schema: JsonSchema): boolean {
  return schemaAlternatives(schema).some((part) => part.type === 'null')
}

/** Whether a schema does not define an object's fields, is unrestricted, or allows several types. */
function isOpenSchema(schema: JsonSchema): boolean {
  if (holdsAnyValue(schema)) return true
  const { type, properties, items, anyOf, oneOf } = schema
  const parts = (anyOf ?? oneOf) as JsonSchema[] | undefined
  if (parts) return parts.some(isOpenSchema)
  if (type === 'array') return items === undefined || isOpenSchema(items as JsonSchema)
  return type === 'object' && properties === undefined
}

const scalarTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean'])

/** Whether a schema allows anything, or several types of scalars, alone or with lists of them. */
function holdsAnyValue(schema: JsonSchema): boolean {
  const parts = (schema.anyOf ?? schema.oneOf ?? [schema]) as JsonSchema[]
  if (parts.some(allowsEverything)) return true
  const types = new Set(parts.flatMap(({ type }) => type as unknown))
  const scalars = [...types].filter((type) => scalarTypes.has(type)).length
  return scalars > 1 || (scalars === 1 && types.has('array'))
}

function allowsEverything(schema: JsonSchema): boolean {
  return ['type', 'anyOf', 'oneOf', 'const', 'enum'].every((word) => schema[word] === undefined)
}

export function isFieldRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
