import type { JsonSchema } from '../../../operations/schemas.ts'

/**
 * Splits a schema into several within a character limit that together have all properties: object and list schemas
 * are divided by property, also nested ones. Indivisible ones stay whole.
 */
export function* schemaPieces(schema: JsonSchema, maxCharacters: number): Generator<JsonSchema> {
  const { properties, items, ...rest } = schema as JsonSchema & {
    properties?: Record<string, JsonSchema>
    items?: JsonSchema
  }
  const room = maxCharacters - sizeOf(rest)
  if (sizeOf(schema) <= maxCharacters) yield schema
  else if (properties) yield* objectPieces(rest, properties, room)
  else if (items) for (const piece of schemaPieces(items, room)) yield { ...rest, items: piece }
  else yield schema
}

function* objectPieces(
  rest: JsonSchema,
  properties: Record<string, JsonSchema>,
  room: number,
): Generator<JsonSchema> {
  let page: Record<string, JsonSchema> = {}
  for (const [name, property] of Object.entries(properties))
    for (const piece of schemaPieces(property, room - name.length)) {
      const isFull = name in page || sizeOf({ ...page, [name]: piece }) > room
      if (isFull && Object.keys(page).length > 0) {
        yield { ...rest, properties: page }
        page = {}
      }
      page[name] = piece
    }
  yield { ...rest, properties: page }
}

const sizeOf = (value: object): number => JSON.stringify(value).length
