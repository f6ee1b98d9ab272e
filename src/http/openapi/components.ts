import { z } from 'zod'
import type { Entry } from '../../operations/entry.ts'
import { componentSchemas, type JsonSchema } from '../../operations/schemas.ts'

/** Schemas of answers: each named shape once, with references to it. */
export interface Components {
  schemas: Record<string, JsonSchema>
  outputOf(entry: Entry): JsonSchema
}

/** The named shapes in the answers of these operations, as components of the OpenAPI document. */
export function componentsOf(entries: readonly Entry[]): Components {
  const outputs = Object.fromEntries(
    entries.map(({ operation, schemas }) => [operation.name, schemas.output]),
  )
  const { schemas, roots } = componentSchemas(z.object(outputs))
  return { schemas, outputOf: ({ operation }) => roots[operation.name]! }
}
