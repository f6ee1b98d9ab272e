// Schemas of answers that several operations share, as components of the OpenAPI document. The catalogue has no names for its
// shapes, so each gets one from the operations that answer with it (`create_label`, `get_label`: Label), or from the property
// that holds it.

import type { Entry } from '../../operations/entry.ts'
import { toJson, type JsonSchema } from '../../operations/schemas.ts'

/** Shorter schemas are easier to read where they stand. */
const worthNaming = 160

export interface Components {
  schemas: Record<string, JsonSchema>
  outputOf(entry: Entry): JsonSchema
}

export function componentsOf(entries: readonly Entry[]): Components {
  const recursive: Record<string, JsonSchema> = {}
  const outputs = new Map(
    [...outputsOf(entries)].map(([entry, schema]) => [entry, lifted(entry, schema, recursive)]),
  )
  const census = new Census(Object.keys(recursive))
  for (const [entry, schema] of outputs) census.count(schema, rootNames(entry))
  const named = census.named()
  const schemas = Object.fromEntries(
    [...named].map(([text, name]) => [name, replaced(JSON.parse(text) as JsonSchema, named, text)]),
  )
  return {
    schemas: { ...schemas, ...recursive },
    outputOf: (entry) => replaced(outputs.get(entry)!, named),
  }
}

/** Many operations answer with the very same shape, which is worked out once. */
function outputsOf(entries: readonly Entry[]): Map<Entry, JsonSchema> {
  const made = new Map<Entry['schemas']['output'], JsonSchema>()
  for (const { schemas } of entries)
    if (!made.has(schemas.output)) made.set(schemas.output, toJson(schemas.output, 'output'))
  return new Map(entries.map((entry) => [entry, made.get(entry.schemas.output)!]))
}

/** A schema whose parts that hold themselves are components of their own, put into `recursive`: `get_page_tree` gives PageTreeNode. */
function lifted(
  { operation: { name } }: Entry,
  { $defs, ...schema }: JsonSchema,
  recursive: Record<string, JsonSchema>,
): JsonSchema {
  if (!$defs) return schema
  const names = new Map(
    Object.keys($defs).map((key, i) => [
      `#/$defs/${key}`,
      `${pascal(name.replace(/^[a-z]+_/, ''))}Node${i === 0 ? '' : i + 1}`,
    ]),
  )
  const led = (part: unknown) =>
    JSON.parse(JSON.stringify(part), (key, value: unknown) =>
      key === '$ref' ? `#/components/schemas/${names.get(value as string)}` : value,
    ) as JsonSchema
  for (const [key, part] of Object.entries($defs))
    recursive[names.get(`#/$defs/${key}`)!] = led(part)
  return led(schema)
}

/** Names that the shape of a whole answer, or of the items in it, may go by; the more telling one first. */
function rootNames({ operation }: Entry): { root: string; item: string } {
  const [verb = '', ...noun] = operation.name.split('_')
  const thing = pascal(noun.join('_'))
  const tells = /^(get|create|update)$/.test(verb)
  return {
    root: tells ? `1${thing}` : `3${pascal(verb)}Result`,
    item: verb === 'list' ? `2${singular(thing)}InList` : `4${singular(thing)}Item`,
  }
}

/** How often each object schema occurs, and what it could be called. */
class Census {
  readonly #seen = new Map<string, { count: number; names: Map<string, number> }>()
  readonly #taken: readonly string[]

  constructor(taken: readonly string[]) {
    this.#taken = taken
  }

  count(schema: JsonSchema, names: { root: string; item: string }): void {
    this.#visit(schema, names.root, names.item)
  }

  /** The schemas that get a component, by their text. */
  named(): Map<string, string> {
    const taken = new Set(['Problem', ...this.#taken])
    const shared = [...this.#seen].filter(
      ([text, one]) => one.count > 1 && text.length > worthNaming,
    )
    const ranked = shared
      .map(([text, { names }]) => ({ text, name: best(names) }))
      .sort((a, b) => a.name.charCodeAt(0) - b.name.charCodeAt(0))
    return new Map(ranked.map(({ text, name }) => [text, free(name.slice(1), taken)]))
  }

  #visit(schema: JsonSchema, name: string, item: string): void {
    if (isShape(schema)) this.#note(JSON.stringify(schema), name)
    for (const { property, isElement, schema: child } of children(schema)) {
      if (property !== undefined)
        this.#visit(
          child,
          `5${pascal(property)}`,
          property === 'items' ? item : `5${singular(pascal(property))}`,
        )
      else this.#visit(child, isElement ? item : name, item)
    }
  }

  #note(text: string, name: string): void {
    const item = this.#seen.get(text) ?? { count: 0, names: new Map<string, number>() }
    this.#seen.set(text, item)
    item.count++
    item.names.set(name, (item.names.get(name) ?? 0) + 1)
  }
}

/** The best rank first (the digit in front), then the name that was heard most often. */
function best(names: Map<string, number>): string {
  const [first] = [...names].sort(
    ([a, many], [b, more]) => a.charCodeAt(0) - b.charCodeAt(0) || more - many,
  )
  return first![0]
}

function free(name: string, taken: Set<string>): string {
  for (let i = 1; ; i++) {
    const tried = i === 1 ? name : `${name}${i}`
    if (taken.has(tried)) continue
    taken.add(tried)
    return tried
  }
}

function isShape(schema: JsonSchema): boolean {
  return schema.type === 'object' && schema.properties !== undefined
}

interface Child {
  /** The property that holds it; of an element of a list or map, or of one choice of several, there is none. */
  property?: string
  isElement: boolean
  schema: JsonSchema
}

function children(schema: JsonSchema): Child[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(
    ([property, one]) => ({ property, isElement: false, schema: one }),
  )
  const elements = ['items', 'additionalProperties'].flatMap((key) =>
    typeof schema[key] === 'object' ? [{ isElement: true, schema: schema[key] as JsonSchema }] : [],
  )
  const choices = choiceKeys.flatMap((key) =>
    ((schema[key] ?? []) as JsonSchema[]).map((jsonSchema) => ({
      isElement: false,
      schema: jsonSchema,
    })),
  )
  return [...properties, ...elements, ...choices]
}

const choiceKeys = ['anyOf', 'oneOf', 'allOf']

/** A schema with references where components stand in; `but` is the component that is being written itself. */
function replaced(
  schema: JsonSchema,
  named: ReadonlyMap<string, string>,
  but?: string,
): JsonSchema {
  const text = JSON.stringify(schema)
  const name = isShape(schema) && text !== but ? named.get(text) : undefined
  if (name) return { $ref: `#/components/schemas/${name}` }
  const within = (jsonSchema: JsonSchema) => replaced(jsonSchema, named)
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, replacedIn(key, value, within)]),
  )
}

function replacedIn(
  key: string,
  value: unknown,
  within: (jsonSchema: JsonSchema) => JsonSchema,
): unknown {
  if (key === 'properties')
    return Object.fromEntries(
      Object.entries(value as Record<string, JsonSchema>).map(([name, one]) => [name, within(one)]),
    )
  if (choiceKeys.includes(key)) return (value as JsonSchema[]).map(within)
  return (key === 'items' || key === 'additionalProperties') && typeof value === 'object'
    ? within(value as JsonSchema)
    : value
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function singular(name: string): string {
  if (/(?:ss|us|x|ch|sh)es$/.test(name)) return name.slice(0, -2)
  return name.replace(/ies$/, 'y').replace(/(?<![sui])s$/, '')
}
