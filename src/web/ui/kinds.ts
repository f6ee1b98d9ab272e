import { itemPaths } from '../api/item-paths.ts'

/** The kind of an item, from its id. */
export function itemTypeOf(id: string): string | undefined {
  return itemPaths[prefixOf(id)]?.type
}

/** Path of an item, for references that contain only its id; undefined if it has no page by its id alone. */
export function itemPathOf(id: string): string | undefined {
  const path = itemPaths[prefixOf(id)]?.path
  if (path === mailInThread) return `/mail/${id}`
  return path?.endsWith('/$id') && !path.includes('$of') ? path.replace('$id', id) : undefined
}

/** The page of a mail thread also accepts one of its mails. */
const mailInThread = '/mail/$of/$id'

const prefixOf = (id: string) => id.split('_', 1)[0]!
