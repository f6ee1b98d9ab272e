import type { ReadContext } from '../../../operations/context.ts'
import { prefixOf } from '../../../kernel/ids.ts'
import { resourceByPrefix, type ItemRef } from '../../../records/resource.ts'
import { project } from '../../portfolio/access.ts'
import { task } from '../../tasks/access.ts'
import { channelOpeners } from '../access.ts'
import { itemNamesIn } from './links.ts'

/** Item types that are never linked: people are listed as mentions; keys and calls must not be linked. */
const unlinkedTypes = new Set(['person', 'api_key', 'api_call'])

/** Items named in each of some texts, if visible to the caller; a fixed number of queries however many texts. */
export async function linkedItems(
  ctx: ReadContext,
  texts: readonly string[],
): Promise<ItemRef[][]> {
  const references = texts.map((text) => itemNamesIn(text, ctx.baseUrl))
  const refs = new Map<string, ItemRef>()
  for (const [prefix, ids] of Map.groupBy(
    references.flatMap((namedItems) => namedItems.ids),
    prefixOf,
  )) {
    const resource = resourceByPrefix(prefix)
    if (!resource || unlinkedTypes.has(resource.definition.type)) continue
    for (const [id, row] of await resource.among(ctx, ids))
      refs.set(id, resource.ref(row, ctx.baseUrl))
  }
  for (const [key, ref] of await tasksByKey(
    ctx,
    references.flatMap((namedItems) => namedItems.keys),
  ))
    refs.set(key, ref)
  const keys = references.flatMap((namedItems) => namedItems.keys)
  for (const opener of channelOpeners.entries)
    for (const [key, ref] of await opener.findByKeys(ctx, keys)) refs.set(key, ref)
  for (const [key, ref] of await projectsByKey(
    ctx,
    references.flatMap((namedItems) => namedItems.projects),
  ))
    refs.set(`projects/${key}`, ref)
  return references.map(({ ids, keys, projects }) => {
    const items = [...ids, ...keys, ...projects.map((key) => `projects/${key}`)].flatMap(
      (name) => refs.get(name) ?? [],
    )
    return [...new Map(items.map((item) => [item.id, item])).values()]
  })
}

async function tasksByKey(ctx: ReadContext, keys: readonly string[]): Promise<[string, ItemRef][]> {
  if (keys.length === 0) return []
  const rows = await task
    .visibleTo(ctx)
    .selectAll('tasks')
    .where('tasks.org_id', '=', ctx.actor.org_id)
    .where('tasks.key', 'in', [...new Set(keys)])
    .execute()
  return rows.map((row) => [row.key, task.ref(row, ctx.baseUrl)])
}

async function projectsByKey(
  ctx: ReadContext,
  keys: readonly string[],
): Promise<[string, ItemRef][]> {
  if (keys.length === 0) return []
  const rows = await project
    .visibleTo(ctx)
    .selectAll('projects')
    .where('projects.key', 'in', [...new Set(keys)])
    .execute()
  return rows.map((row) => [row.key, project.ref(row, ctx.baseUrl)])
}
