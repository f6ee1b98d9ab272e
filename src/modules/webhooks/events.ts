import type { Catalogue } from '../../core/catalogue.ts'
import { eventNames } from '../../core/events.ts'
import { nearest } from '../../core/nearest.ts'
import { invalid } from '../../core/refusal.ts'

/** Names of events that a webhook can be told of. What happens to webhooks is not among them: it would never end; nor what people read and settle. */
export function knownEvents(catalogue: Catalogue): string[] {
  return eventNames(catalogue).filter(name => !['webhook', 'inbox'].includes(typeOf(name)))
}

/** Refuses names of events that there are not. @throws Refusal invalid_argument */
export function checkEvents(catalogue: Catalogue, asked: readonly string[]): void {
  const known = knownEvents(catalogue)
  const all = new Set([...known, ...known.map(name => `${typeOf(name)}.*`)])
  const unknown = asked.find(name => !all.has(name))
  if (unknown === undefined) return
  const near = nearest(unknown, [...all])
  throw invalid('events', `there is no event ${JSON.stringify(unknown)}.`, near.length > 0 ? `Did you mean ${near.join(', ')}?` : `There are ${known.join(', ')}; and task.* for all of tasks.`)
}

const typeOf = (name: string) => name.slice(0, name.indexOf('.'))

/** What a webhook lets through besides the names of events. */
export interface Filter {
  project_ids?: string[] | undefined
  fields?: string[] | undefined
  via?: string[] | undefined
  by_others?: boolean | undefined
}

/** Of a change, what decides whether a webhook is told. */
export interface Told {
  op: string
  events: readonly string[]
  item_id: string
  project_id: string | null
  actor_id: string
  via: string
  fields: readonly string[]
}

/** The events of a change that a webhook is to be told of. */
export function eventsFor(asked: readonly string[], filter: Filter | undefined, ownerId: string, change: Told): string[] {
  if (filter && !passes(filter, ownerId, change)) return []
  return change.events.filter(name => asked.includes(name) || asked.includes(`${typeOf(name)}.*`))
}

function passes({ project_ids, fields, via, by_others }: Filter, ownerId: string, change: Told): boolean {
  if (project_ids && !project_ids.some(id => id === change.project_id || id === change.item_id)) return false
  if (fields && change.op === 'updated' && !fields.some(name => change.fields.includes(name))) return false
  if (via && !via.includes(change.via)) return false
  return !by_others || change.actor_id !== ownerId
}
