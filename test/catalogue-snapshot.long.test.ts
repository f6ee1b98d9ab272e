import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaText } from '../tools/schema-text.ts'
import { Catalogue } from '../src/operations/catalogue.ts'
import type { JsonSchema } from '../src/operations/schemas.ts'
import { componentsOf } from '../src/http/openapi/components.ts'
import { modules } from '../src/modules/index.ts'

const { routes } = new Catalogue(modules)
const { schemas: shapes, outputOf } = componentsOf(routes)

/** All nested schemas, ignoring the containing keyword or property. */
function* within(value: unknown): Generator<JsonSchema> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as JsonSchema
  for (const [key, child] of Object.entries(value)) {
    if (key === 'properties') for (const item of Object.values(child as object)) yield* within(item)
    else if (!['default', 'const', 'enum', 'examples'].includes(key)) yield* within(child)
  }
}

test('every keyword of every schema appears in the text of the schema', () => {
  const roots = [
    ...routes.flatMap((route) => [route.schemas.inputJson, outputOf(route)]),
    ...Object.values(shapes),
  ]
  const distinct = new Map<string, JsonSchema>()
  for (const root of roots)
    for (const schema of within(root)) distinct.set(JSON.stringify(schema), schema)
  assert.ok(distinct.size > 1000)
  for (const [json, schema] of distinct) {
    const text = schemaText(schema, '')
    for (const key of Object.keys(schema)) {
      const { [key]: _, ...without } = schema
      assert.notEqual(schemaText(without, ''), text, `${key} of ${json}`)
    }
  }
})
