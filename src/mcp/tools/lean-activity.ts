import { type Fields, isObject } from './schema-names.ts'

/** Titles in references are cut at this length, and then name no item any more. */
const cutTitleLength = 80

/**
 * Shortens the entries of an activity list. Left out are the values that an item was created with, moments equal to that of the entry, empty earlier
 * values of fields, and the moment and actor that the entry before has. Items that operations take by name lose their ids. The argument `fields` gives
 * all of it.
 */
export function leanActivity(items: readonly unknown[]): unknown[] {
  let before: Fields = {}
  return items.map((item) => {
    if (!isActivity(item)) return item
    const { at, actor, changes, item: about, ...rest } = item
    const isSameActor = isObject(actor) && isObject(before.actor) && actor.id === before.actor.id
    const isSameMoment = at === before.at
    before = item
    const leanChanges =
      item.verb === 'created' ? [] : changes.flatMap((change) => leanChange(change, item))
    return {
      ...(isSameMoment ? {} : { at }),
      ...rest,
      ...(isSameActor ? {} : { actor }),
      item: isObject(about) ? withoutNamedId(about) : about,
      ...(leanChanges.length > 0 ? { changes: leanChanges } : {}),
    }
  })
}

type Activity = Fields & { verb: string; changes: Fields[] }

function isActivity(item: unknown): item is Activity {
  return (
    isObject(item) &&
    String(item.id).startsWith('acy_') &&
    typeof item.verb === 'string' &&
    Array.isArray(item.changes)
  )
}

function leanChange({ from, ...change }: Fields, { at }: Fields): Fields[] {
  if (change.to === at) return []
  return [from === null ? change : { ...change, from }]
}

/** Types of items that arguments take by name. Sprints are not among them, as those of several projects often share a name. */
const namedTypes: ReadonlySet<string> = new Set([
  'entity',
  'page',
  'meeting',
  'form',
  'deal',
  'contact',
  'company',
  'label',
])

function withoutNamedId(item: Fields): Fields {
  const { id: _, ...rest } = item
  const { key, type, title } = item
  const isNamed =
    key === undefined &&
    typeof title === 'string' &&
    title.length < cutTitleLength &&
    namedTypes.has(String(type))
  return isNamed ? rest : item
}
