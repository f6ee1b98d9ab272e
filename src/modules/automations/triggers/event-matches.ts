import type { CatalogueView } from '../../../operations/entry.ts'
import {
  passesFilter,
  typeOfEvent,
  type EventFilter,
  type FilterableEvent,
} from '../../../events/filter.ts'
import { eventNames } from '../../../operations/event-feed.ts'
import { nearestNames } from '../../../kernel/text/nearest.ts'
import { invalid } from '../../../kernel/refusal.ts'

const failureEvents = ['automation.run_failed', 'automation.suspended']

/**
 * Names of events that an automation can follow: of automations themselves only failures, since every run causes
 * the others; no events of the inbox or of webhooks.
 */
export function knownEvents(catalogue: CatalogueView): string[] {
  return eventNames(catalogue).filter(
    (name) =>
      failureEvents.includes(name) ||
      !['webhook', 'inbox', 'automation'].includes(typeOfEvent(name)),
  )
}

/** Refuses unknown event names. @throws Refusal invalid_argument */
export function checkEvent(catalogue: CatalogueView, event: string, field: string): void {
  const availableEvents = knownEvents(catalogue)
  const all = [
    ...new Set([
      ...availableEvents,
      ...availableEvents
        .filter((name) => !failureEvents.includes(name))
        .map((name) => `${typeOfEvent(name)}.*`),
    ]),
  ]
  if (all.includes(event)) return
  const near = nearestNames(event, all)
  throw invalid(
    field,
    `unknown event ${JSON.stringify(event.slice(0, 80))}.`,
    near.length > 0
      ? `Did you mean ${near.join(', ')}?`
      : 'list_automation_catalog lists all events.',
  )
}

/** The event of a change that an automation follows, the most specific if several; undefined if none. */
export function eventFor(
  pattern: string,
  filter: EventFilter | undefined,
  ownerId: string,
  change: FilterableEvent,
): string | undefined {
  if (filter && !passesFilter(filter, ownerId, change)) return undefined
  if (change.events.includes(pattern)) return pattern
  if (!pattern.endsWith('.*')) return undefined
  return change.events.filter((name) => typeOfEvent(name) === typeOfEvent(pattern)).at(-1)
}
