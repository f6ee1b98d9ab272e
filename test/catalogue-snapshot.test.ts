import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaText } from '../tools/schema-text.ts'
import { Catalogue } from '../src/operations/catalogue.ts'
import { type JsonSchema, toJson } from '../src/operations/schemas.ts'
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

test('different schemas have different texts', () => {
  const texts = new Map<string, string>()
  const canonical = (value: unknown): unknown =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  const sorted = (schema: JsonSchema) =>
    JSON.stringify(schema, (key, value) =>
      key === 'properties' ? Object.entries(value as object) : canonical(value),
    )
  for (const { schemas } of routes)
    for (const schema of within(schemas.inputJson)) {
      const text = schemaText(schema, '')
      assert.equal(texts.get(text) ?? sorted(schema), sorted(schema), text)
      texts.set(text, sorted(schema))
    }
})

test('response schemas with shared shapes inlined equal the originals', () => {
  const inlined = (schema: unknown): unknown =>
    JSON.parse(JSON.stringify(schema), (_, value) => {
      const { $ref, ...beside } = (value ?? {}) as JsonSchema
      const shared = typeof $ref === 'string' ? shapes[$ref.split('/').at(-1)!] : undefined
      return shared ? { ...(inlined(shared) as JsonSchema), ...beside } : value
    })
  for (const entry of routes) {
    const answer = toJson(entry.schemas.output, 'output')
    if (!('$defs' in answer))
      assert.deepEqual(inlined(outputOf(entry)), answer, entry.operation.name)
  }
})
