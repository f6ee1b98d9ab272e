// Every item address with its view. Plain data, so that a test can compare it with the modules.

import type { Input, OperationName } from '../../api/client.ts'
import { itemPaths } from '../../api/item-paths.ts'

export type View =
  | 'Automation'
  | 'Channel'
  | 'Company'
  | 'Contact'
  | 'Deal'
  | 'Document'
  | 'Entity'
  | 'Event'
  | 'FilePage'
  | 'Form'
  | 'FormAnswer'
  | 'Generic'
  | 'Goal'
  | 'Incident'
  | 'MailThread'
  | 'OnCall'
  | 'Meeting'
  | 'PageVersions'
  | 'Person'
  | 'Project'
  | 'Pulse'
  | 'Service'
  | 'Sprint'
  | 'Task'
  | 'ToOrganization'

/** Date range of a list below an item. */
export interface Period {
  today: string
  in30Days: string
}

/** A list below an item. */
export interface ItemList {
  /** Text key of the title. */
  title: 'tasks' | 'events' | 'found' | 'files' | 'interactions' | 'versions'
  operation: OperationName
  args(id: string, period: Period): Record<string, unknown>
}

export interface ItemRoute {
  path: string
  view: View
  below?: ItemList
}

/** Paths with their own view; all others use the generic one. */
const views: Readonly<Record<string, View>> = {
  '/tasks/$id': 'Task',
  '/projects/$id': 'Project',
  '/sprints/$id': 'Sprint',
  '/pages/$id': 'Document',
  '/pages/$of/versions/$id': 'PageVersions',
  '/mail/$id': 'MailThread',
  '/mail/$of/$id': 'MailThread',
  '/calendar/events/$id': 'Event',
  '/files/$id': 'FilePage',
  '/files/$of/versions/$id': 'FilePage',
  '/channels/$id': 'Channel',
  '/channels/$of/$id': 'Channel',
  '/meetings/$id': 'Meeting',
  '/pulses/$id': 'Pulse',
  '/people/$id': 'Person',
  '/incidents/$id': 'Incident',
  '/services/$id': 'Service',
  '/on-call/$id': 'OnCall',
  '/contacts/$id': 'Contact',
  '/companies/$id': 'Company',
  '/deals/$id': 'Deal',
  '/automations/$id': 'Automation',
  '/goals/$id': 'Goal',
  '/forms/$id': 'Form',
  '/forms/$of/responses/$id': 'FormAnswer',
  '/knowledge/$id': 'Entity',
  '/organization': 'ToOrganization',
}

function itemList<N extends OperationName>(
  title: ItemList['title'],
  operation: N,
  args: (id: string, period: Period) => Partial<Input<N>> & Record<string, unknown>,
): ItemList {
  return { title, operation, args }
}

const lists: Readonly<Record<string, ItemList>> = {
  '/milestones/$id': itemList('tasks', 'list_tasks', (id) => ({ milestone_id: id })),
  '/views/$id': itemList('found', 'run_saved_view', (id) => ({ view_id: id })),
  '/drives/$id': itemList('files', 'list_files', (id) => ({ drive_id: id })),
  '/calendar/$id': itemList('events', 'list_events', (id, { today, in30Days }) => ({
    calendar_id: id,
    from: today,
    to: in30Days,
  })),
}

/** Paths of other areas that show items: settings, the activity of assistants, and public pages. */
const otherAreas = /^\/((settings|activity|p)\/|approvals$)/

/** Addresses in use stay valid. */
const formerPaths = ['/custom-fields/$id', '/postmortems/$id']

const itemPathList = [...Object.values(itemPaths).map(({ path }) => path), ...formerPaths].filter(
  (path) => (path.endsWith('/$id') || path in views) && !otherAreas.test(path),
)

export const addresses: readonly ItemRoute[] = [...new Set(itemPathList)].map((path) => {
  const list = lists[path]
  return { path, view: views[path] ?? 'Generic', ...(list && { below: list }) }
})

/** The item route for the address pattern found by the router. */
export function itemRoute(path: string): ItemRoute {
  const route = addresses.find((address) => address.path === path)
  if (!route) throw new Error(`${path} is not the path of an item.`)
  return route
}
