import { z } from 'zod'
import type { Entry } from '../../operations/entry.ts'
import { AnyItemParam, defaultPrefix } from '../../records/items.ts'
import type { JsonSchema, WireParam } from '../../operations/schemas.ts'
import type { ToolExample } from './shapes.ts'

type Example = z.infer<typeof ToolExample>

/** Arguments that the core adds to many operations, unrelated to their purpose. */
const coreArgumentNames = new Set([
  'idempotency_key',
  'expected_revision',
  'dry_run',
  'limit',
  'cursor',
  'fields',
])

/**
 * Calls that the operation's own schema accepts, shortest first: with the required arguments only, unless
 * that would change nothing, and with one more argument. Ids have the right form but refer to nothing.
 */
export function examplesOf(entry: Entry): Example[] {
  const required = new Set((entry.schemas.inputJson.required as string[] | undefined) ?? [])
  const requiredArguments = argumentsOf(
    entry,
    entry.schemas.names.filter((name) => required.has(name)),
  )
  const extra = entry.schemas.names
    .filter(
      (name) =>
        !required.has(name) && !coreArgumentNames.has(name) && acceptsArbitraryValue(entry, name),
    )
    .sort((a, b) => idRank(entry, a) - idRank(entry, b))[0]
  const argumentsWithExtra =
    extra === undefined
      ? undefined
      : argumentsOf(
          entry,
          entry.schemas.names.filter((name) => required.has(name) || name === extra),
        )
  const isNoOpWithoutExtra =
    entry.method === 'PATCH' && [...required].every((name) => entry.schemas.path.includes(name))
  const candidates = [
    {
      about: required.size > 0 ? 'required arguments only' : 'no required arguments',
      arguments: requiredArguments,
    },
    { about: `with ${extra}`, arguments: argumentsWithExtra },
  ]
  const accepted = candidates.filter(
    (item): item is { about: string; arguments: Record<string, unknown> } =>
      item.arguments !== undefined && entry.schemas.input.safeParse(item.arguments).success,
  )
  const usefulExamples = isNoOpWithoutExtra && accepted.length > 1 ? accepted.slice(1) : accepted
  return usefulExamples.map((item) => ({
    ...item,
    request: exampleRequestOf(entry, item.arguments),
  }))
}

/** True if any value of its schema makes sense. False for text that must refer to something existing. */
function acceptsArbitraryValue(entry: Entry, name: string): boolean {
  const json = (entry.schemas.inputJson.properties as Record<string, JsonSchema>)[name]!
  const options = (json.anyOf as JsonSchema[] | undefined) ?? [json]
  const isFreeText = options.some(
    (option) => option.type === 'string' && !option.enum && !option.format,
  )
  return (
    !isFreeText ||
    idRank(entry, name) === 1 ||
    /name|title|text|query|description|note|markdown|color|url|timezone|date|(^|_)(on|at|from|to|after|before|since|until)$/.test(
      name,
    )
  )
}

function idRank(entry: Entry, name: string): 0 | 1 {
  return entry.schemas.params.some((param) => param.wire === name) ? 1 : 0
}

function argumentsOf(entry: Entry, names: readonly string[]): Record<string, unknown> | undefined {
  const values = names.map((name) => [name, sampleOf(entry, name)] as const)
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values)
}

/** A value that the argument's own schema accepts; undefined if none was found. */
function sampleOf(entry: Entry, name: string): unknown {
  const field = entry.schemas.input.shape[name] as z.ZodType
  const param = entry.schemas.params.find((wireParam) => wireParam.wire === name)
  if (param) return idSample(param, field)
  const json = (entry.schemas.inputJson.properties as Record<string, JsonSchema>)[name]!
  return samples(json, name).find((value) => field.safeParse(value).success)
}

/** The timestamp in this id is the start of 2026; the rest is made up. */
const idTail = '01kdvq0c000000000000000000'

function idSample({ param }: WireParam, field: z.ZodType): unknown {
  const id =
    param instanceof AnyItemParam
      ? `${defaultPrefix(param)}_${idTail}`
      : `${param.resource.definition.prefix}_${idTail}`
  return [id, [id]].find((value) => field.safeParse(value).success)
}

const sampleTexts = [
  '2026-11-20',
  '2026-11-20T15:00:00Z',
  'Europe/Berlin',
  '#3b82f6',
  'https://example.com/',
  'FREQ=WEEKLY;BYDAY=MO',
  'ann@example.com',
  '09:00',
  '17:00',
  'ENG',
  'en',
  'me',
  'aGVsbG8=',
  'text/plain',
  'task.completed',
]

/** Values to try, the likeliest first. */
function samples(json: JsonSchema, name: string): unknown[] {
  if (json.default !== undefined) return [json.default]
  if (Array.isArray(json.enum)) return json.enum
  if (json.const !== undefined) return [json.const]
  const options = (json.anyOf ?? json.oneOf) as JsonSchema[] | undefined
  if (options) return options.flatMap((option) => samples(option, name))
  switch (json.type) {
    case 'string':
      return [...likelyTextsFor(name), ...sampleTexts]
    case 'integer':
    case 'number':
      return [json.minimum, json.exclusiveMinimum, 1, 0, 30, json.maximum].filter(
        (value) => typeof value === 'number',
      )
    case 'boolean':
      return [true, false]
    case 'array':
      return [
        ...samples((json.items as JsonSchema | undefined) ?? {}, name.replace(/s$/, '')).map(
          (sample) => [sample],
        ),
        [],
      ]
    case 'object':
      return [objectSample(json, 'required'), objectSample(json, 'one more')].filter(
        (item) => item !== undefined,
      )
    case 'null':
      return []
    default:
      return ['text', 1, true, {}]
  }
}

function objectSample(
  json: JsonSchema,
  extent: 'required' | 'one more',
): Record<string, unknown> | undefined {
  const properties = (json.properties ?? {}) as Record<string, JsonSchema>
  const required = (json.required as string[] | undefined) ?? []
  const more =
    extent === 'one more'
      ? Object.keys(properties)
          .filter((name) => !required.includes(name))
          .slice(0, 1)
      : []
  const values = [...required, ...more].map(
    (name) =>
      [
        name,
        samples(properties[name] ?? {}, name).find((value) =>
          matchesSchema(properties[name]!, value),
        ),
      ] as const,
  )
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values)
}

/** True if a value inside an object matches its schema, as far as JSON Schema expresses it. */
function matchesSchema(json: JsonSchema, value: unknown): boolean {
  return z.fromJSONSchema(json).safeParse(value).success
}

function likelyTextsFor(name: string): string[] {
  if (/(^|_)(at|after|before|until|since)$/.test(name))
    return ['2026-11-20T15:00:00Z', '2026-11-20']
  if (/(_on|^from|^to|date)$/.test(name)) return ['2026-11-20', '2026-11-20T15:00:00Z', '09:00']
  if (/markdown|text|body|description|note/.test(name)) return ['A few words']
  if (/timezone/.test(name)) return ['Europe/Berlin']
  if (/rrule/.test(name)) return ['FREQ=WEEKLY;BYDAY=MO']
  if (/color/.test(name)) return ['#3b82f6']
  if (/url/.test(name)) return ['https://example.com/']
  if (/tool_name/.test(name)) return ['get_me']
  if (/(^|_)key$/.test(name)) return ['ENG']
  if (/query/.test(name)) return ['launch']
  if (/emoji/.test(name)) return ['👍']
  return ['Launch']
}

/** The same call over REST: path arguments in the path, the others in the query of GET and DELETE, else in the body. */
function exampleRequestOf(entry: Entry, args: Record<string, unknown>): Example['request'] {
  const path = entry.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(args[name])),
  )
  const rest = Object.entries(args).filter(([name]) => !entry.schemas.path.includes(name))
  if (rest.length === 0) return { method: entry.method, path }
  if (entry.method !== 'GET' && entry.method !== 'DELETE')
    return { method: entry.method, path, body: Object.fromEntries(rest) }
  const query = new URLSearchParams(
    rest.map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
  return { method: entry.method, path: `${path}?${query.toString()}` }
}
