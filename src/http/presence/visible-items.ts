import { prefixOf } from '../../kernel/ids.ts'
import type { ReadContext } from '../../operations/context.ts'
import { resourceByPrefix } from '../../records/resource.ts'

/** Filters ids to items that the person may see and that are not in the trash. */
export async function visibleItems(
  ctx: ReadContext,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const visible = new Set<string>()
  for (const [prefix, idsOfPrefix] of Map.groupBy(ids, prefixOf)) {
    const resource = resourceByPrefix(prefix)
    if (!resource || resource.definition.partOf) continue
    for (const id of (await resource.among(ctx, idsOfPrefix)).keys()) visible.add(id)
  }
  return visible
}
