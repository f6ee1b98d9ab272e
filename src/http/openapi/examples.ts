import { AnyItemParam, defaultPrefix } from '../../records/items.ts'
import type { Entry } from '../../operations/entry.ts'
import { exampleBodies, exampleId } from './example-bodies.ts'
import type { JsonSchema } from '../../operations/schemas.ts'

/**
 * An example request body: one written for the operation, else its required fields, else one optional argument; for
 * an update, one that references no other item. Undefined if no acceptable example can be generated.
 */
export function exampleOf(entry: Entry): Record<string, unknown> | undefined {
  const { name: operation } = entry.operation
  if (Object.hasOwn(exampleBodies, operation)) return exampleBodies[operation]
  const { names, path, inputJson } = entry.schemas
  const properties = inputJson.properties as Record<string, JsonSchema>
  const required = new Set(inputJson.required as string[] | undefined)
  const inBody = names.filter((name) => !path.includes(name) && !(name in coreArguments))
  const requiredNames = inBody.filter((name) => required.has(name))
  const isPlain = (name: string) => idFor(entry, name) === undefined && !/_ids?$/.test(name)
  const optional = (operation.startsWith('update_') && inBody.find(isPlain)) || inBody[0]
  const fields =
    requiredNames.length > 0 ? requiredNames : [optional].filter((name) => name !== undefined)
  const samplesOf = (names: string[]) =>
    Object.fromEntries(
      names.map((name) => [name, idFor(entry, name) ?? sample(name, properties[name]!)]),
    )
  const body = samplesOf(fields)
  return fields.length > 0 && entry.schemas.input.safeParse({ ...body, ...samplesOf(path) }).success
    ? body
    : undefined
}

const coreArguments = { expected_revision: 1, dry_run: true, idempotency_key: '' }

/** An id of the referenced table, or a list of one. */
function idFor(entry: Entry, name: string): string | string[] | undefined {
  const param = entry.schemas.params.find((wireParam) => wireParam.wire === name)?.param
  if (!param) return undefined
  if (param instanceof AnyItemParam) return exampleId(defaultPrefix(param))
  const id = exampleId(param.resource.definition.prefix)
  return param.modeName.startsWith('many') ? [id] : id
}

/** A valid value for a schema, guessed from the name if the type is open. */
function sample(name: string, schema: JsonSchema): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0] as unknown
  const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (options) return sample(name, options.find((option) => option.type !== 'null')!)
  switch (Array.isArray(schema.type) ? (schema.type as string[])[0] : schema.type) {
    case 'string':
      return exampleText(name)
    case 'integer':
    case 'number':
      return Math.max(Number(schema.minimum ?? 0), Math.min(30, Number(schema.maximum ?? 30)))
    case 'boolean':
      return true
    case 'array':
      return [sample(name.replace(/s$/, ''), (schema.items ?? {}) as JsonSchema)]
    case 'object':
      return objectSample(schema)
    default:
      return 'text'
  }
}

function objectSample(schema: JsonSchema): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  const required = (schema.required as string[] | undefined) ?? Object.keys(properties).slice(0, 1)
  return Object.fromEntries(required.map((name) => [name, sample(name, properties[name] ?? {})]))
}

/** Example texts by the ending of a name; the first match is used. */
const texts: [RegExp, string][] = [
  [/email$|^(to|cc|bcc|to_address)$/, 'ann@example.com'],
  [/_at$|^(start|end|from|due|until|since|before|after)$/, '2026-12-01T09:00:00Z'],
  [/_on$|date$/, '2026-12-01'],
  [/timezone$/, 'Europe/Berlin'],
  [/color$/, '#2563eb'],
  [/url$|^link$/, 'https://example.com/page'],
  [/title$|^subject$/, 'Renew the certificate'],
  [/name$/, 'Launch'],
  [/_markdown$|^text$|^body$|^note$|^comment$/, 'It ends on **Friday**.'],
  [/^query$/, 'certificate'],
  [/^key$/, 'OPS'],
  [/_id$/, exampleId('tsk')],
]

function exampleText(name: string): string {
  return texts.find(([pattern]) => pattern.test(name))?.[1] ?? 'text'
}
