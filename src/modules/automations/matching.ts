import type { Catalogue } from '../../core/catalogue.ts'
import { eventNames } from '../../core/events.ts'
import { nearest } from '../../core/nearest.ts'
import { invalid } from '../../core/refusal.ts'

/** What an event trigger lets through besides the event. */
export interface Filter {
  project_ids?: string[] | undefined
  fields?: string[] | undefined
  via?: string[] | undefined
  by_others?: boolean | undefined
}

/** Of a change, what decides whether an automation hears of it. */
export interface Told {
  op: string
  events: readonly string[]
  item_id: string
  project_id: string | null
  actor_id: string
  via: string
  fields: readonly string[]
}

const typeOf = (name: string) => name.slice(0, name.indexOf('.'))
const ofAutomations = ['automation.run_failed', 'automation.suspended']

/**
 * Names of events that an automation can follow. Of automations themselves only that they fail: that one was changed or ran would
 * follow from every run; nor what people read and settle, or what becomes of webhooks.
 */
export function knownEvents(catalogue: Catalogue): string[] {
  return eventNames(catalogue).filter(name => ofAutomations.includes(name) || !['webhook', 'inbox', 'automation'].includes(typeOf(name)))
}

/** Refuses the name of an event that there is not. @throws Refusal invalid_argument */
export function checkEvent(catalogue: Catalogue, event: string, field: string): void {
  const known = knownEvents(catalogue)
  const all = [...new Set([...known, ...known.filter(name => !ofAutomations.includes(name)).map(name => `${typeOf(name)}.*`)])]
  if (all.includes(event)) return
  const near = nearest(event, all)
  throw invalid(field, `there is no event ${JSON.stringify(event.slice(0, 80))}.`, near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'list_automation_catalog shows those that there are.')
}

/** The event of a change that an automation hears, the most telling one of several; undefined where it hears none. */
export function eventFor(asked: string, filter: Filter | undefined, ownerId: string, change: Told): string | undefined {
  if (filter && !passes(filter, ownerId, change)) return undefined
  if (change.events.includes(asked)) return asked
  if (!asked.endsWith('.*')) return undefined
  return change.events.filter(name => typeOf(name) === typeOf(asked)).at(-1)
}

function passes({ project_ids, fields, via, by_others }: Filter, ownerId: string, change: Told): boolean {
  if (project_ids && !project_ids.some(id => id === change.project_id || id === change.item_id)) return false
  if (fields && change.op === 'updated' && !fields.some(name => change.fields.includes(name))) return false
  if (via && !via.includes(change.via)) return false
  return !by_others || change.actor_id !== ownerId
}
