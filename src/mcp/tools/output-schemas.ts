import type { Tool } from '@modelcontextprotocol/server'
import type { Entry } from '../../operations/entry.ts'
import { lean, toJson, type JsonSchema } from '../../operations/schemas.ts'

/**
 * Output schema of a tool, for hosts that use it; undefined if the output is not an object, because many clients then
 * reject the whole list. Answers are lean and clients validate them against this, so only the fields of a page are
 * required.
 */
export function outputSchemaOf({ schemas }: Entry): Tool['outputSchema'] | undefined {
  const json = lean(toJson(schemas.output, 'output'))
  if (json.type !== 'object') return undefined
  const { required } = json
  dropRequired(json)
  const pageFields = ['items', 'has_more']
  if (Array.isArray(required) && pageFields.every((name) => required.includes(name)))
    json.required = pageFields
  return json as Tool['outputSchema']
}

/** Variants distinguished by a required field may then both match, which oneOf would refuse. */
function dropRequired(schema: JsonSchema): void {
  delete schema.required
  if (schema.oneOf) {
    schema.anyOf = schema.oneOf
    delete schema.oneOf
  }
  const { properties, items, anyOf, additionalProperties } = schema
  const inside = [
    ...Object.values(properties ?? {}),
    items,
    ...((anyOf as unknown[] | undefined) ?? []),
    additionalProperties,
  ]
  for (const item of inside)
    if (typeof item === 'object' && item !== null) dropRequired(item as JsonSchema)
}
