// Finds ids and texts in the arguments of an operation, by its schema: at the top level, in lists, in objects and in
// lists of objects.

import fc from '../properties.ts'
import { leastOf, suiting } from './arbitraries.ts'
import type { Arguments } from './requests.ts'
import { choicesOf, isId, type Offered, type Schema } from './surface.ts'

/** Path to a value: member names, and 0 for the first element of a list. */
export type JsonPath = readonly (string | 0)[]

/** Every place of an operation that accepts an id, including objects with unspecified members. */
export function idPlaces(op: Offered, loose: readonly string[]): JsonPath[] {
  return placesOf(op, isId, loose)
}

/** Every place that accepts free text: excludes choices, formats and ids. */
export function textPlaces(op: Offered, loose: readonly string[]): JsonPath[] {
  return placesOf(
    op,
    (schema) => choicesOf(schema).some((choice) => choice.type === 'string'),
    loose,
  )
}

function placesOf(
  { properties }: Offered,
  isMeant: (schema: Schema) => boolean,
  loose: readonly string[],
): JsonPath[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    within(schema, isMeant, loose).map((rest) => [name, ...rest]),
  )
}

function within(
  schema: Schema,
  isMeant: (schema: Schema) => boolean,
  loose: readonly string[],
): JsonPath[] {
  if (isMeant(schema)) return [[]]
  return choicesOf(schema).flatMap((choice) => {
    if (choice.type === 'array')
      return within((choice.items ?? {}) as Schema, isMeant, loose).map((rest) => [
        0 as const,
        ...rest,
      ])
    if (choice.type !== 'object') return []
    if (!choice.properties) return loose.map((name) => [name])
    return Object.entries(choice.properties as Record<string, Schema>).flatMap(([name, member]) =>
      within(member, isMeant, loose).map((rest) => [name, ...rest]),
    )
  })
}

/** The arguments with a value at that place, plus surrounding required members. */
export function placed(op: Offered, args: Arguments, place: JsonPath, value: unknown): Arguments {
  const [name, ...rest] = place as [string, ...JsonPath]
  return { ...args, [name]: put(op.properties[name]!, rest, value) }
}

function put(schema: Schema, [step, ...rest]: JsonPath, value: unknown): unknown {
  if (step === undefined) return value
  if (step === 0)
    return [
      put(
        (choicesOf(schema).find((choice) => choice.type === 'array')!.items ?? {}) as Schema,
        rest,
        value,
      ),
    ]
  const object = choicesOf(schema).find(
    (choice) =>
      choice.type === 'object' && (!choice.properties || step in (choice.properties as object)),
  )!
  if (!object.properties) return { [step]: value }
  const properties = object.properties as Record<string, Schema>
  const required = ((object.required ?? []) as string[]).filter((name) => name !== step)
  return {
    ...Object.fromEntries(required.map((name) => [name, always(properties[name]!)])),
    [step]: put(properties[step]!, rest, value),
  }
}

/** Minimal arguments of an operation, with its ids still to be filled in. */
export function least(op: Offered, ids: readonly string[] = ['x']): Arguments {
  return sample(leastOf(op, ids))
}

const chosen = new WeakMap<Schema, unknown>()

/** A valid value, always the same for a schema. */
function always(schema: Schema): unknown {
  if (!chosen.has(schema)) chosen.set(schema, sample(suiting(schema, ['x'])))
  return chosen.get(schema)
}

function sample<T>(arbitrary: fc.Arbitrary<T>): T {
  return fc.sample(arbitrary, { numRuns: 1, seed: 7 })[0]!
}
