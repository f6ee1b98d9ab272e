import { itemResources } from '../../records/resource.ts'
import { type Fields, isObject } from './schema-names.ts'

/** Titles in references are cut at this length, and then name no item any more. */
const cutTitleLength = 80

/**
 * Entries of an activity list without what others of their fields say: what an item was created with, moments that are those of the entry,
 * that a field had no value before, and a moment and actor that are those of the entry before. Items that operations take by their names are without
 * ids. `fields` gives all of it.
 */
export function leanActivity(items: readonly unknown[]): unknown[] {
  let before: Fields = {}
  const named = namedTypes()
  return items.map((item) => {
    if (!isActivity(item)) return item
    const { at, actor, changes, item: about, ...rest } = item
    const isSameActor = isObject(actor) && isObject(before.actor) && actor.id === before.actor.id
    const isSameMoment = at === before.at
    before = item
    const shown =
      item.verb === 'created' ? [] : changes.flatMap((change) => leanChange(change, item))
    return {
      ...(isSameMoment ? {} : { at }),
      ...rest,
      ...(isSameActor ? {} : { actor }),
      item: isObject(about) ? withoutNamedId(about, named) : about,
      ...(shown.length > 0 ? { changes: shown } : {}),
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

/** Types of items that arguments take by name in place of an id. */
function namedTypes(): ReadonlySet<string> {
  const named = itemResources().filter(({ definition }) => definition.names !== undefined)
  return new Set(named.map(({ definition }) => definition.type))
}

function withoutNamedId(item: Fields, named: ReadonlySet<string>): Fields {
  const { id: _, ...rest } = item
  const { key, type, title } = item
  const isNamed =
    key === undefined &&
    typeof title === 'string' &&
    title.length < cutTitleLength &&
    named.has(String(type))
  return isNamed ? rest : item
}
