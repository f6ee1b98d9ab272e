import type { Tool } from '@modelcontextprotocol/server'
import type { Entry } from '../core/catalogue.ts'
import { lean, toJson, type JsonSchema } from '../core/schemas.ts'

/** What a tool answers, for hosts that want to know; undefined where it is no object, which many clients refuse with the whole list. */
export function outputSchemaOf({ schemas }: Entry): Tool['outputSchema'] | undefined {
  const json = lean(toJson(schemas.output, 'output'))
  if (json.type !== 'object') return undefined
  if (schemas.itemFields && schemas.names.includes('fields')) dropRequired(json)
  return json as Tool['outputSchema']
}

/** Where a call can choose among the fields of items, none but the id is sure to be there; clients hold answers against this. */
function dropRequired(page: JsonSchema): void {
  const { items } = page.properties as { items: { items: JsonSchema } }
  items.items.required = ['id']
}
