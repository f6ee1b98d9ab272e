import { useWhole } from '../shared/lists.ts'

export interface EventGroup {
  /** What it happens to: `task`. */
  type: string
  module: string
  /** Names such as `task.completed`. */
  names: string[]
}

/** What webhooks are never told of: themselves, and what people read. */
const unannounced = ['webhook', 'inbox']

/** The events that there are, by what they happen to; undefined while they are read. */
export function useEvents() {
  const found = useWhole('list_automation_catalog', { kind: 'trigger' })
  const groups = new Map<string, EventGroup>()
  for (const { event: name, module } of found.data ?? []) {
    const of = name?.split('.')[0]
    if (name === undefined || of === undefined || unannounced.includes(of)) continue
    const group = groups.get(of) ?? { type: of, module, names: [] }
    group.names.push(name)
    groups.set(of, group)
  }
  return {
    ...found,
    data:
      found.data &&
      [...groups.values()].sort(
        (a, b) => a.module.localeCompare(b.module) || a.type.localeCompare(b.type),
      ),
  }
}

/** `key_result` as one reads it. */
export const eventLabel = (name: string) => name.replaceAll('_', ' ')
