import type { FieldChange } from '../records/row-images.ts'
import { itemResources, type Row } from '../records/resource.ts'
import { withTrash, type Viewer } from '../records/access-scope.ts'

/** Additional filter of subscribers to named events (webhooks, automations). */
export interface EventFilter {
  project_ids?: string[] | undefined
  fields?: string[] | undefined
  via?: string[] | undefined
  by_others?: boolean | undefined
}

/** The part of a change that decides whether a subscriber receives it. */
export interface FilterableEvent {
  op: string
  events: readonly string[]
  item_id: string
  project_id: string | null
  actor_id: string
  via: string
  fields: readonly string[]
}

export type FilterableChangeRow = Pick<
  Row<'changes'>,
  'op' | 'events_json' | 'item_id' | 'project_id' | 'actor_id' | 'via' | 'fields_json'
>

/** `task` of `task.created`. */
export const typeOfEvent = (name: string): string => name.slice(0, name.indexOf('.'))

/** Extracts the values of a change that filters examine. */
export function filterableEvent({
  op,
  events_json,
  item_id,
  project_id,
  actor_id,
  via,
  fields_json,
}: FilterableChangeRow): FilterableEvent {
  const fields = (JSON.parse(fields_json) as FieldChange[]).map((fieldChange) =>
    fieldChange.field.replace(/_id$/, ''),
  )
  return {
    op,
    events: JSON.parse(events_json) as string[],
    item_id,
    project_id,
    actor_id,
    via,
    fields,
  }
}

/** Whether a change passes the filter of a subscriber, who may want only changes by others. */
export function passesFilter(
  { project_ids, fields, via, by_others }: EventFilter,
  ownerId: string,
  change: FilterableEvent,
): boolean {
  if (project_ids && !project_ids.some((id) => id === change.project_id || id === change.item_id))
    return false
  if (fields && change.op === 'updated' && !fields.some((name) => change.fields.includes(name)))
    return false
  if (via && !via.includes(change.via)) return false
  return !by_others || change.actor_id !== ownerId
}

/** The seqs of the changes whose items a person may see now, in the trash or not. */
export async function visibleAmong(
  viewer: Viewer,
  changes: readonly Pick<Row<'changes'>, 'seq' | 'item_type' | 'item_id'>[],
): Promise<Set<number>> {
  const scope = withTrash(viewer)
  const visibleSeqs = new Set<number>()
  for (const [type, changesOfType] of Map.groupBy(changes, (change) => change.item_type)) {
    const rows = await itemResources()
      .find((itemResource) => itemResource.definition.type === type)
      ?.among(
        scope,
        changesOfType.map((item) => item.item_id),
      )
    for (const item of changesOfType) if (rows?.has(item.item_id)) visibleSeqs.add(item.seq)
  }
  return visibleSeqs
}
