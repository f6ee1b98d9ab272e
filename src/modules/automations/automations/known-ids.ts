import { prefixOf } from '../../../kernel/ids.ts'
import { resourceByPrefix } from '../../../records/resource.ts'

/** Whether a text has the id prefix of an item, or of a part of one. */
export function isKnownId(text: string): boolean {
  return resourceByPrefix(prefixOf(text)) !== undefined
}
