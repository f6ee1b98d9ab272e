import type { CatalogueView } from '../../operations/entry.ts'
import {
  passesFilter,
  typeOfEvent,
  type EventFilter,
  type FilterableEvent,
} from '../../events/filter.ts'
import { eventNames } from '../../operations/event-feed.ts'
import { nearestNames } from '../../kernel/text/nearest.ts'
import { invalid } from '../../kernel/refusal.ts'

/**
 * Names of the events that a webhook can receive. Excludes events of webhooks, which would cause an endless loop, and
 * of people's reading state and settings.
 */
export function knownEvents(catalogue: CatalogueView): string[] {
  return eventNames(catalogue).filter((name) => !['webhook', 'inbox'].includes(typeOfEvent(name)))
}

/** Rejects unknown event names. @throws Refusal invalid_argument */
export function checkEvents(catalogue: CatalogueView, events: readonly string[]): void {
  const available = knownEvents(catalogue)
  const all = new Set([...available, ...available.map((name) => `${typeOfEvent(name)}.*`)])
  const unknown = events.find((name) => !all.has(name))
  if (unknown === undefined) return
  const near = nearestNames(unknown, [...all])
  throw invalid(
    'events',
    `unknown event ${JSON.stringify(unknown)}.`,
    near.length > 0
      ? `Did you mean ${near.join(', ')}?`
      : `Available: ${available.join(', ')}; and task.* for all task events.`,
  )
}

/** The events of a change for a webhook. */
export function eventsFor(
  patterns: readonly string[],
  filter: EventFilter | undefined,
  ownerId: string,
  change: FilterableEvent,
): string[] {
  if (filter && !passesFilter(filter, ownerId, change)) return []
  return change.events.filter(
    (name) => patterns.includes(name) || patterns.includes(`${typeOfEvent(name)}.*`),
  )
}
