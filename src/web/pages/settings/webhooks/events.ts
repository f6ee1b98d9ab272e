import { useAllItems } from '../shared/lists.ts'

export interface EventGroup {
  /** Item type of the events: `task`. */
  type: string
  module: string
  /** Names such as `task.completed`. */
  names: string[]
}

/** Item types without webhook events: webhooks themselves, and read items. */
const typesWithoutEvents = ['webhook', 'inbox']

/** Existing events by item type; undefined while loading. */
export function useEvents() {
  const triggers = useAllItems('list_automation_catalog', { kind: 'trigger' })
  const groups = new Map<string, EventGroup>()
  for (const { event: name, module } of triggers.data ?? []) {
    const itemType = name?.split('.')[0]
    if (name === undefined || itemType === undefined || typesWithoutEvents.includes(itemType))
      continue
    const group = groups.get(itemType) ?? { type: itemType, module, names: [] }
    group.names.push(name)
    groups.set(itemType, group)
  }
  return {
    ...triggers,
    data:
      triggers.data &&
      [...groups.values()].sort(
        (a, b) => a.module.localeCompare(b.module) || a.type.localeCompare(b.type),
      ),
  }
}

/** `key_result` in readable form. */
export const eventLabel = (name: string) => name.replaceAll('_', ' ')
