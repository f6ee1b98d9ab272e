import { type Fields, isFieldRecord } from './schema-names.ts'

/** Titles in references are truncated to this length, and then no longer identify an item. */
const cutTitleLength = 80

/**
 * Shortens the entries of an activity list. Omitted are an item's initial values, moments equal to the entry's, empty
 * earlier field values, and anything equal to the previous entry: its second, its actor, its item unless written by
 * people outside. Items that operations accept by name lose their ids. The argument `fields` returns everything.
 */
export function leanActivity(items: readonly unknown[]): unknown[] {
  let previous: Fields = {}
  return items.map((item) => {
    if (!isActivity(item)) return item
    const entry = leanEntry(item, previous)
    previous = item
    return entry
  })
}

function leanEntry(entry: Activity, before: Fields): Fields {
  const { at, actor, changes, item, ...rest } = entry
  const leanChanges =
    entry.verb === 'created' ? [] : changes.flatMap((change) => leanChange(change, entry))
  return {
    ...(secondOf(at) === secondOf(before.at) ? {} : { at }),
    ...rest,
    ...(isSameActor(actor, before.actor) ? {} : { actor }),
    ...(isSameItem(item, before.item)
      ? {}
      : { item: isFieldRecord(item) ? withoutNamedId(item) : item }),
    ...(leanChanges.length > 0 ? { changes: leanChanges } : {}),
  }
}

type Activity = Fields & { verb: string; changes: Fields[] }

function isActivity(item: unknown): item is Activity {
  return (
    isFieldRecord(item) &&
    String(item.id).startsWith('acy_') &&
    typeof item.verb === 'string' &&
    Array.isArray(item.changes)
  )
}

/** Entries of the same second usually belong to one action: the time of the first is enough. */
const secondOf = (at: unknown): string => String(at).slice(0, 'yyyy-mm-ddThh:mm:ss'.length)

const isSameActor = (actor: unknown, before: unknown): boolean =>
  isFieldRecord(actor) && isFieldRecord(before) && actor.id === before.id

/** External items stay, so that the mark is shown with each change. */
function isSameItem(item: unknown, before: unknown): boolean {
  return (
    isFieldRecord(item) &&
    isFieldRecord(before) &&
    item.id !== undefined &&
    item.id === before.id &&
    item.trust === undefined
  )
}

function leanChange({ from, ...change }: Fields, { at }: Fields): Fields[] {
  if (change.to === at) return []
  return [from === null ? change : { ...change, from }]
}

/** Item types that arguments accept by name. Excludes sprints, since those of several projects often share a name. */
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
