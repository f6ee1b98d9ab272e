import { Refusal } from './refusal.ts'

/** An item referenced by key in an arguments object: a question of a form, a key result. */
export interface Keyed {
  id: string
  name: string
}

/**
 * Values by item id; the keys may also be names, and keys that are neither stay unchanged.
 * @throws Refusal invalid_argument if several items share a name, or one gets two values
 */
export function valuesByItemId(
  values: Readonly<Record<string, unknown>>,
  items: readonly Keyed[],
  field: string,
): Record<string, unknown> {
  const valuesById = new Map<string, unknown>()
  for (const [key, value] of Object.entries(values)) {
    const id = resolveKeyedId(key, items, field)
    const fieldPath = `${field}.${key.slice(0, 60)}`
    if (valuesById.has(id))
      throw new Refusal(
        'invalid_argument',
        `${fieldPath}: ${JSON.stringify(keyedNameOf(id, items))} has more than one value.`,
        { field: fieldPath, hint: 'Send one, by its id or its name.' },
      )
    valuesById.set(id, value)
  }
  return Object.fromEntries(valuesById)
}

function resolveKeyedId(key: string, items: readonly Keyed[], field: string): string {
  if (items.some((item) => item.id === key)) return key
  const matches = items.filter((item) => foldKeyedName(item.name) === foldKeyedName(key))
  if (matches.length < 2) return matches[0]?.id ?? key
  const fieldPath = `${field}.${key.slice(0, 60)}`
  throw new Refusal('invalid_argument', `${fieldPath}: ${matches.length} of them have that name.`, {
    field: fieldPath,
    hint: 'Use an id.',
    context: { candidates: matches.slice(0, 3).map(({ id, name }) => ({ id, title: name })) },
  })
}

const keyedNameOf = (id: string, items: readonly Keyed[]) =>
  items.find((item) => item.id === id)?.name ?? id

const foldKeyedName = (text: string) =>
  text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
