import { z } from 'zod'
import { shapeNames } from '../kernel/shape.ts'
import {
  cursorDescription,
  datePattern,
  dayOrTime,
  fields,
  instantPattern,
} from '../kernel/fields.ts'
import { AnyItemParam } from '../records/items.ts'
import type { Operation, RowParams } from './any-operation.ts'
import type { ItemTable, Mode, RowParam } from '../records/resource.ts'

type AnyRowParam = RowParam<ItemTable, Mode> | AnyItemParam<boolean>

export type JsonSchema = Record<string, unknown>

/** One id argument as in requests, and the key of `on` that it fills. */
export interface WireParam {
  wire: string
  key: string
  param: AnyRowParam
}

/** The schemas of an operation. */
export interface Schemas {
  /** Parses the arguments: ids of `on`, the operation's own, and those added by the core. */
  input: z.ZodObject
  output: z.ZodType
  inputJson: JsonSchema
  /** The schema for tools/list, without limits and long patterns, whose cost every session would pay. */
  toolJson: JsonSchema
  params: WireParam[]
  /** Names of all arguments, path ones first. */
  names: string[]
  path: string[]
  /** Fields of the items if the answer is a page of objects; `fields` selects among them. */
  itemFields: string[] | undefined
  /** True if the answer is a page with a marker for being cut. */
  hasTruncatedField: boolean
}

/** The parameters of rows with their arguments. */
export function wireParams(on: RowParams): WireParam[] {
  return Object.entries(on).map(([key, param]) => ({ wire: wireName(key, param), key, param }))
}

export function schemasOf(operation: Operation): Schemas {
  const params = wireParams(operation.on)
  const path = [...operation.rest.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  const inputNames = [
    ...new Set([
      ...params.map((param) => param.wire),
      ...Object.keys(operation.input),
      ...coreNames(operation),
    ]),
  ]
  for (const name of path)
    if (!inputNames.includes(name))
      throw new Error(`${operation.name}: the route names ${name}, the input does not.`)
  const names = [...path, ...inputNames.filter((name) => !path.includes(name))]
  let input: z.ZodObject | undefined
  let inputJson: JsonSchema | undefined
  let toolJson: JsonSchema | undefined
  let itemFields: string[] | undefined | null = null
  let hasTruncatedField: boolean | undefined
  return {
    output: operation.output,
    params,
    names,
    path,
    // Created lazily: creating those of all operations takes longer than the rest of the startup.
    get input() {
      return (input ??= inputSchemaOf(operation, params, names))
    },
    get inputJson() {
      return (inputJson ??= toJson(this.input, 'input'))
    },
    get toolJson() {
      return (toolJson ??= lean(this.inputJson))
    },
    get itemFields() {
      if (itemFields === null) itemFields = itemFieldsOf(operation.output)
      return itemFields
    },
    get hasTruncatedField() {
      hasTruncatedField ??= isCuttablePage(operation.output)
      return hasTruncatedField
    },
  }
}

function inputSchemaOf(
  operation: Operation,
  params: readonly WireParam[],
  names: readonly string[],
): z.ZodObject {
  const all: z.ZodRawShape = {
    ...Object.fromEntries(params.map((param) => [param.wire, idArgument(param.param)])),
    ...operation.input,
    ...Object.fromEntries(coreNames(operation).map((name) => [name, coreArguments[name]()])),
  }
  return z.strictObject(Object.fromEntries(names.map((name) => [name, all[name]!])))
}

function isCuttablePage(output: z.ZodType): boolean {
  return (
    output instanceof z.ZodObject &&
    ['items', 'truncated'].every((name) => name in (output.shape as object))
  )
}

function itemFieldsOf(output: z.ZodType): string[] | undefined {
  const items = output instanceof z.ZodObject ? (output.shape.items as unknown) : undefined
  const item = items instanceof z.ZodArray ? (items.element as unknown) : undefined
  return item instanceof z.ZodObject ? Object.keys(item.shape) : undefined
}

function wireName(key: string, param: AnyRowParam): string {
  if (param.wire) return param.wire
  const many = 'modeName' in param && param.modeName.startsWith('many')
  return many ? `${key.replace(/s$/, '')}_ids` : `${key}_id`
}

function idArgument(param: AnyRowParam): z.ZodType {
  const id = z.string().min(1).max(320)
  const about = aboutReference(param)
  const described = about === undefined ? id : id.describe(about)
  if (param instanceof AnyItemParam) return param.isOptional ? described.optional() : described
  switch (param.modeName) {
    case 'one':
      return described
    case 'maybe':
      return described.optional()
    case 'clearable':
      return described.nullable().optional()
    case 'many':
      return idListSchema(id, about)
    case 'manyMaybe':
      return idListSchema(id, about).optional()
  }
}

/**
 * The description of an argument that refers to rows: from the operation, else from the accepted rows. Both come from
 * the definitions of needs and resources.
 */
function aboutReference(param: AnyRowParam): string | undefined {
  if (param.about !== undefined) return param.about
  const takes = param instanceof AnyItemParam ? 'id, key or name' : param.resource.takes
  const isList = 'modeName' in param && param.modeName.startsWith('many')
  return isList && takes !== undefined ? `each by ${takes}` : takes
}

function idListSchema(id: z.ZodString, about: string | undefined): z.ZodType {
  const list = z.array(id).max(200)
  return about === undefined ? list : list.describe(about)
}

const coreArguments = {
  fields,
  expected_revision: () => z.int().min(1).optional().describe('refuse if the revision differs'),
  dry_run: () => z.boolean().optional().describe('preview, change nothing'),
  idempotency_key: () => idempotencyKey().optional().describe(idempotencyDescription),
}

/** The arguments that the core adds to an operation. */
function coreNames({
  kind,
  input,
  output,
  revision,
  dryRun,
  idempotent,
}: Operation): (keyof typeof coreArguments)[] {
  const choosesFields =
    kind === 'read' &&
    !('fields' in input) &&
    'limit' in input &&
    itemFieldsOf(output) !== undefined
  return [
    ...(choosesFields ? ['fields' as const] : []),
    ...(revision ? ['expected_revision' as const] : []),
    ...(dryRun ? ['dry_run' as const] : []),
    ...(idempotent ? [] : ['idempotency_key' as const]),
  ]
}

const idempotencyDescription = 'same key, same result, for 24 hours'

export function idempotencyKey() {
  return z.string().regex(/^[\x20-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters')
}

/** JSON Schema 2020-12 without parts that would only cost every session. */
export function toJson(type: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return converted(type, io, z.globalRegistry)
}

/**
 * The JSON schemas of an object's properties, and the named shapes that they refer to as
 * `#/components/schemas/<name>`.
 * @throws Error for a shape that holds itself and has no name
 */
export function componentSchemas(all: z.ZodObject): {
  schemas: Record<string, JsonSchema>
  roots: Record<string, JsonSchema>
} {
  const text = JSON.stringify(converted(all, 'output', shapeNames))
  const { properties, $defs } = JSON.parse(
    text.replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'),
  ) as Record<'properties' | '$defs', Record<string, JsonSchema>>
  const unnamed = Object.keys($defs).find((name) => name.startsWith('__'))
  if (unnamed)
    throw new Error(`A shape without a name holds itself: ${JSON.stringify($defs[unnamed])}`)
  for (const schema of Object.values($defs)) delete schema.id
  return { schemas: $defs, roots: properties }
}

function converted(
  type: z.ZodType,
  io: 'input' | 'output',
  metadata: z.core.$ZodRegistry<object>,
): JsonSchema {
  const jsonSchema = z.toJSONSchema(type, {
    io,
    metadata,
    unrepresentable: 'any',
    reused: 'inline',
    override: (context) => tidy(context.jsonSchema as JsonSchema),
  }) as JsonSchema
  delete jsonSchema.$schema
  describeMoments(jsonSchema)
  return jsonSchema
}

/**
 * A moment may be a day or a local time, which the format `date-time` would forbid: the accepted forms are described
 * in words.
 */
function describeMoments(schema: JsonSchema): void {
  const { description, pattern, properties, items, anyOf, additionalProperties, $defs } =
    schema as {
      description?: string
      pattern?: string
    } & JsonSchema
  if (pattern === instantPattern.source && !description?.includes(dayOrTime))
    schema.description = description === undefined ? dayOrTime : `${description} (${dayOrTime})`
  for (const item of [
    ...Object.values(properties ?? {}),
    items,
    ...((anyOf as JsonSchema[] | undefined) ?? []),
    additionalProperties,
    ...Object.values(($defs as JsonSchema | undefined) ?? {}),
  ]) {
    if (typeof item === 'object' && item !== null) describeMoments(item as JsonSchema)
  }
}

const widest = Number.MAX_SAFE_INTEGER

function tidy(schema: JsonSchema): void {
  if (schema.maximum === widest) delete schema.maximum
  if (schema.minimum === -widest) delete schema.minimum
  if (schema.type === 'string' && typeof schema.format === 'string') delete schema.pattern
}

const limits = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'propertyNames'])
/**
 * Longer patterns are less clear to a model than the name of the format; the refusal of a wrong value explains it in
 * words.
 */
const maxPatternLength = 20

/** Descriptions of arguments that the server instructions explain once for all tools. */
const explainedOnce = new Set<unknown>([cursorDescription, idempotencyDescription])

/** Omitted from patterns: a model sends text anyway for a required or named field. */
const notBlank = String.raw`\S`

/** A reduced schema for models. The omitted limits still apply: a violation is refused with an explanation. */
export function lean(schema: JsonSchema): JsonSchema {
  const slim: JsonSchema = {}
  for (const [name, value] of Object.entries(schema)) {
    if (limits.has(name) || explainedOnce.has(value)) continue
    if (name === 'pattern') Object.assign(slim, leanPattern(value as string))
    else if (name === 'properties')
      slim[name] = Object.fromEntries(
        Object.entries(value as Record<string, JsonSchema>).map(([key, one]) => [key, lean(one)]),
      )
    else if (name === 'anyOf' || name === 'oneOf') slim[name] = (value as JsonSchema[]).map(lean)
    else slim[name] = isSchema(name, value) ? lean(value as JsonSchema) : value
  }
  return slim
}

function isSchema(name: string, value: unknown): boolean {
  return (
    (name === 'items' || name === 'additionalProperties') &&
    value !== null &&
    typeof value === 'object'
  )
}

function leanPattern(pattern: string): JsonSchema {
  if (pattern === datePattern) return { format: 'date' }
  return pattern.length <= maxPatternLength && pattern !== notBlank ? { pattern } : {}
}
