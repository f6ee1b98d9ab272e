import type { Entry } from '../../operations/entry.ts'
import type { JsonSchema } from '../../operations/schemas.ts'

export function operationHelp({ operation, schemas }: Entry): string {
  const properties = schemas.inputJson.properties as Record<string, JsonSchema>
  const required = new Set((schemas.inputJson.required as string[] | undefined) ?? [])
  const fields = schemas.names.map((name) => ({
    flag: `--${name.replaceAll('_', '-')}`,
    about: aboutField(properties[name] ?? {}, required.has(name)),
  }))
  const width = Math.max(0, ...fields.map((field) => field.flag.length))
  return [
    `${operation.name} (${operation.kind}, ${operation.rest})`,
    `${operation.about}.`,
    '',
    fields.length > 0 ? 'Fields:' : 'It has no fields.',
    ...fields.map(({ flag, about }) => `  ${flag.padEnd(width)}  ${about}`),
  ].join('\n')
}

function aboutField(schema: JsonSchema, isRequired: boolean): string {
  const more = [
    isRequired && 'required',
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ].filter(Boolean)
  return [schemaTypeText(schema), schema.description, more.length > 0 && `(${more.join(', ')})`]
    .filter(Boolean)
    .join('  ')
}

function schemaTypeText(schema: JsonSchema): string {
  if (schema.enum) return (schema.enum as string[]).join('|')
  if (schema.anyOf) return (schema.anyOf as JsonSchema[]).map(schemaTypeText).join(' or ')
  if (schema.type === 'array')
    return `list of ${schemaTypeText((schema.items ?? {}) as JsonSchema)}`
  return String(schema.format ?? schema.type ?? 'anything')
}
