// Arguments generated from a server's JSON schemas: valid and invalid ones.

import type { Arbitrary } from 'fast-check'
import fc from '../properties.ts'
import { hostileTexts, oddValues } from './hostile.ts'
import type { Arguments } from './requests.ts'
import { choicesOf, isId, type Offered, type Schema } from './surface.ts'

/** Ids and keys of existing items, by type, so that most id arguments get a matching one. */
export type Known = readonly string[] | Readonly<Record<string, readonly string[]>>

/**
 * True if an argument of this name most likely means items of a type: `view_id` a saved_view; `owner_id` is
 * inconclusive.
 */
export function isMeantBy(name: string, type: string): boolean {
  const noun = name.replace(/_ids?$/, '')
  return noun.endsWith(type) || type.endsWith(`_${noun}`)
}

function idsOf(idPool: Known): readonly string[] {
  return Array.isArray(idPool)
    ? (idPool as readonly string[])
    : Object.values(idPool as Record<string, readonly string[]>).flat()
}

function likelyFor(sampleIds: Known, name: string): readonly string[] {
  const matchingIds = Array.isArray(sampleIds)
    ? []
    : Object.entries(sampleIds as Record<string, readonly string[]>).flatMap(([type, ids]) =>
        isMeantBy(name, type) ? ids : [],
      )
  return matchingIds.length > 0 ? matchingIds : idsOf(sampleIds)
}

const odd: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...oddValues),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer(),
  fc.double(),
)
const hostileText = fc.constantFrom(...Object.values(hostileTexts).flat())
const word = fc.stringMatching(/^[a-z]{1,12}$/)

/** Values accepted by a schema, as far as it specifies; `name` is that of the argument or member. */
export function suiting(schema: Schema, idPool: Known, name = ''): Arbitrary<unknown> {
  const choices = choicesOf(schema)
  if (choices.length > 1) return fc.oneof(...choices.map((choice) => suiting(choice, idPool, name)))
  const only = choices[0]!
  if (only.enum) return fc.constantFrom(...(only.enum as unknown[]))
  if ('const' in only) return fc.constant(only.const)
  const make = makers[String(only.type)]
  return make ? make(only, idPool, name) : fc.oneof(word, fc.integer({ min: 0, max: 9 }))
}

const makers: Record<string, (schema: Schema, idPool: Known, name: string) => Arbitrary<unknown>> =
  {
    string: text,
    integer: ({ minimum = -5, maximum = 1_000_000 }) =>
      fc.integer({ min: bounded(minimum), max: bounded(maximum) }),
    number: ({ minimum = -5, maximum = 1_000_000 }) =>
      fc.double({ min: bounded(minimum), max: bounded(maximum), noNaN: true }),
    boolean: () => fc.boolean(),
    null: () => fc.constant(null),
    array: ({ items = {}, minItems = 0, maxItems = 4 }, idPool, name) =>
      fc.array(suiting(items as Schema, idPool, name), {
        minLength: minItems as number,
        maxLength: Math.max(minItems as number, Math.min(4, maxItems as number)),
      }),
    object: (schema, idPool) =>
      schema.properties
        ? members(
            schema.properties as Record<string, Schema>,
            (schema.required ?? []) as string[],
            (item, name) => suiting(item, idPool, name),
          )
        : fc.dictionary(word, fc.oneof(word, fc.integer(), fc.constantFrom(...idsOf(idPool))), {
            maxKeys: 3,
          }),
  }

function bounded(limit: unknown): number {
  return Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, limit as number))
}

function text(schema: Schema, idPool: Known, name: string): Arbitrary<unknown> {
  if (isId(schema))
    return fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...likelyFor(idPool, name)) },
      { weight: 1, arbitrary: fc.constantFrom(...idsOf(idPool)) },
      { weight: 1, arbitrary: word },
    )
  if (typeof schema.pattern === 'string' && schema.pattern !== '\\S')
    return matching(schema.pattern)
  const { minLength = 0, maxLength = 60 } = schema as { minLength?: number; maxLength?: number }
  const maxChars = Math.min(60, maxLength)
  return fc.oneof(
    word.filter((item) => item.length <= maxChars && item.length >= minLength),
    fc.string({ unit: 'grapheme', minLength, maxLength: maxChars }),
  )
}

const byPattern = new Map<string, Arbitrary<string>>() // making one takes some milliseconds

function matching(pattern: string): Arbitrary<string> {
  const arbitrary =
    byPattern.get(pattern) ?? fc.stringMatching(new RegExp(pattern), { size: 'small' })
  byPattern.set(pattern, arbitrary)
  return arbitrary
}

function members(
  properties: Record<string, Schema>,
  required: readonly string[],
  arbitraryFor: (schema: Schema, name: string) => Arbitrary<unknown>,
): Arbitrary<Arguments> {
  return fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, arbitraryFor(schema, name)]),
    ),
    { requiredKeys: [...required], noNullPrototype: true },
  ) as Arbitrary<Arguments>
}

/** The minimal arguments of an operation, as far as its schema specifies. */
export function leastOf({ properties, required }: Offered, idPool: Known): Arbitrary<Arguments> {
  return members(
    Object.fromEntries(required.map((name) => [name, properties[name]!])),
    required,
    (schema, name) => suiting(schema, idPool, name),
  )
}

/** Arbitrary input of an operation: mostly valid, with one or many errors. */
export function sentTo({ properties, required }: Offered, sampleIds: Known): Arbitrary<Arguments> {
  const entries = Object.entries(properties)
  const good = members(properties, required, (schema, name) => suiting(schema, sampleIds, name))
  const onePlace = fc
    .tuple(
      good,
      fc.constantFrom(...entries.map(([name]) => name), 'no_such_argument'),
      fc.oneof(odd, hostileText),
    )
    .map(([args, name, value]) => ({ ...args, [name]: value }))
  const everywhere = members(properties, [], () => fc.oneof(odd, hostileText))
  const missing = fc
    .tuple(good, fc.constantFrom(...entries.map(([name]) => name), 'x'))
    .map(([{ ...args }, name]) => {
      delete args[name]
      return args
    })
  return fc.oneof(
    { weight: 2, arbitrary: good },
    { weight: 4, arbitrary: onePlace },
    { weight: 1, arbitrary: everywhere },
    { weight: 1, arbitrary: missing },
  )
}
