// Every address that items have, with what reads and what shows it. Plain data, so that a test holds it against the modules.

import type { OperationName } from '../../api/client.ts'

/** The components of this folder that are pages, each in a file of its name. */
const views = [
  'Channel',
  'Contact',
  'Document',
  'Entity',
  'Event',
  'FilePage',
  'Form',
  'Generic',
  'Goal',
  'History',
  'Incident',
  'MailThread',
  'Meeting',
  'Project',
  'Service',
  'Task',
  'ToOrganization',
] as const
export type View = (typeof views)[number]

/** How a general view gets at an item. Arguments are named with the parameters of the address that they take: `$id` is the item's, `$of` that of what it belongs to. */
export interface ItemReading {
  operation: OperationName | 'get_job'
  args: Readonly<Record<string, unknown>>
  /** It is looked for in these lists of the answer: no operation reads it alone. */
  lists?: readonly string[]
  /** The part of the answer that the item is, where the answer is more than that. */
  part?: string
}

/** A list that stands below an item. */
export interface Below extends ItemReading {
  /** What it is called: a key of the texts. */
  title: 'runs' | 'tasks' | 'events' | 'found' | 'files' | 'interactions' | 'versions'
}

export interface ItemRoute {
  /** As the router has it. */
  path: string
  view: View
  reading?: ItemReading
  below?: readonly Below[]
}

const item = (operation: ItemReading['operation'], arg: string, part?: string): ItemReading => ({
  operation,
  args: { [arg]: '$id' },
  ...(part === undefined ? {} : { part }),
})
const inList = (
  operation: ItemReading['operation'],
  args: Record<string, unknown> = {},
): ItemReading => ({
  operation,
  args,
  lists: ['items'],
})
const by = (view: View, ...paths: string[]): ItemRoute[] => paths.map((path) => ({ path, view }))
const generally = (path: string, reading: ItemReading, ...below: Below[]): ItemRoute => ({
  path,
  view: 'Generic',
  reading,
  below,
})

export const addresses: readonly ItemRoute[] = [
  ...by('Task', '/tasks/$id'),
  ...by('Project', '/projects/$id'),
  ...by('Document', '/pages/$id'),
  ...by('MailThread', '/mail/$id', '/mail/$of/$id'),
  ...by('Event', '/calendar/events/$id'),
  ...by('FilePage', '/files/$id', '/files/$of/versions/$id'),
  ...by('Channel', '/channels/$id', '/channels/$of/$id'),
  ...by('Meeting', '/meetings/$id'),
  ...by('Incident', '/incidents/$id'),
  ...by('Service', '/services/$id'),
  ...by('Contact', '/contacts/$id'),
  ...by('Goal', '/goals/$id'),
  ...by('Form', '/forms/$id'),
  ...by('Entity', '/knowledge/$id'),
  ...by('ToOrganization', '/organization'),
  // What no operation reads: what is known of it is what happened to it.
  ...by('History', '/links/$id', '/postmortems/$id', '/custom-fields/$id'),

  generally('/task-templates/$id', inList('list_task_templates')),
  generally('/sprints/$id', item('get_sprint_report', 'sprint_id', 'sprint')),
  generally('/milestones/$id', inList('list_milestones'), {
    title: 'tasks',
    operation: 'list_tasks',
    args: { milestone_id: '$id' },
  }),
  generally('/labels/$id', inList('list_labels')),
  generally('/views/$id', inList('list_saved_views'), {
    title: 'found',
    operation: 'run_saved_view',
    args: { view_id: '$id' },
  }),
  generally('/pages/$of/versions/$id', {
    operation: 'get_page_version',
    args: { page_id: '$of', version_id: '$id' },
  }),
  generally('/drives/$id', inList('list_drives'), {
    title: 'files',
    operation: 'list_files',
    args: { drive_id: '$id' },
  }),
  generally('/mail/drafts/$id', inList('list_email_drafts')),
  generally('/mail/scheduled/$id', inList('list_scheduled_emails')),
  generally('/calendar/$id', inList('list_calendars'), {
    title: 'events',
    operation: 'list_events',
    args: { calendar_id: '$id', from: '$today', to: '$in30days' },
  }),
  generally('/decisions/$id', inList('list_decisions', { include_superseded: true })),
  generally('/pulses/$id', inList('list_pulses')),
  generally('/time/$id', inList('list_time_entries')),
  generally('/reminders/$id', inList('list_reminders')),
  generally('/notifications/$id', inList('list_notifications')),
  generally('/runbooks/$id', inList('list_runbooks')),
  generally('/on-call/$id', inList('list_on_call_schedules')),
  generally('/status-updates/$id', {
    operation: 'get_status_page',
    args: {},
    lists: ['open_updates', 'planned'],
  }),
  generally('/companies/$id', item('get_company', 'company_id')),
  generally('/deals/$id', item('get_deal', 'deal_id')),
  generally('/interactions/$id', inList('list_interactions')),
  generally('/forms/$of/responses/$id', inList('list_form_responses', { form_id: '$of' })),
  generally('/automations/$id', item('get_automation', 'automation_id'), {
    title: 'runs',
    operation: 'list_automation_runs',
    args: { automation_id: '$id' },
  }),
  generally('/automations/$of/runs/$id', item('get_automation_run', 'run_id')),
  generally('/people/$id', item('get_person', 'person_id')),
  generally('/teams/$id', inList('list_teams')),
  generally('/jobs/$id', item('get_job', 'job_id')),
  generally('/time-off/$id', inList('list_time_off', { from: '2000-01-01' })),
]

/** The address that the router has found, by its pattern. */
export function itemRoute(path: string): ItemRoute {
  const found = addresses.find((address) => address.path === path)
  if (!found) throw new Error(`${path} is no address of an item.`)
  return found
}
