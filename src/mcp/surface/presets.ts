// Shorter lists, for clients that accept few tools or should not pay for many. Omitted tools can still be called by
// name.

import type { Catalogue } from '../../operations/catalogue.ts'
import type { Entry } from '../../operations/entry.ts'

export const presetNames = ['core', 'daily', 'all', 'compact', 'research'] as const
export type Preset = (typeof presetNames)[number]

/** Tool that calls others by name; exists only in the preset `compact`. */
export const callToolName = 'call_tool'

/** For clients that accept at most 40 tools. Tools of missing modules are omitted. */
export const coreTools: readonly string[] = [
  'get_me',
  'get_my_agenda',
  'list_people',
  'search_workspace',
  'find_related_items',
  'list_tasks',
  'search_tasks',
  'get_task',
  'create_task',
  'update_task',
  'complete_task',
  'add_task_comment',
  'list_projects',
  'get_project',
  'get_project_summary',
  'search_emails',
  'list_email_threads',
  'get_email_thread',
  'create_email_draft',
  'reply_to_email',
  'archive_emails',
  'list_events',
  'create_event',
  'find_meeting_time',
  'search_files',
  'get_file_content',
  'list_channels',
  'list_messages',
  'send_message',
  'reply_to_message',
  'search_pages',
  'get_page',
  'create_page',
  'edit_page_section',
  'list_incidents',
  'get_incident',
  'search_contacts',
  'get_contact',
  'get_meeting_brief',
  'search_tools',
]

/** Assistants' research modes call these two by fixed names and shapes. No other preset lists them. */
const researchTools: readonly string[] = ['search', 'fetch']

export const compactTools: readonly string[] = ['search_tools', 'get_tool']

const namedTools = { core: coreTools, compact: compactTools, research: researchTools }

/** Tools that a preset lists besides call_tool; undefined: all except research tools. */
export function toolsOfPreset(
  catalogue: Catalogue,
  preset: Preset,
): ReadonlySet<Entry> | undefined {
  if (preset === 'all') return undefined
  if (preset === 'daily') return new Set(catalogue.entries.filter(isDaily))
  return new Set(namedTools[preset].flatMap((name) => catalogue.find(name) ?? []))
}

/** Whether only the research preset lists a tool. */
export function isForResearch({ operation }: Entry): boolean {
  return researchTools.includes(operation.name)
}

/** First route segments of the operations that people use on most days. */
const dailyNouns = new Set(
  `me people tasks projects labels search related-items
  emails email-threads email-drafts events availability clock files channels messages direct-messages pages contacts interactions
  incidents meetings action-items notifications reminders timers time-entries`.split(/\s+/),
)

/** Single-item steps as common as reading and changing. */
const dailySteps = new Set([
  'assign_task',
  'move_task',
  'reopen_task',
  'list_task_comments',
  'snooze_email',
  'respond_to_event',
  'get_message_thread',
  'mark_channel_read',
  'append_to_page',
  'add_page_comment',
  'acknowledge_incident',
  'resolve_incident',
  'add_incident_note',
  'undo_api_call',
])

/**
 * `daily` is `core` plus the listing, finding, reading, creating and changing of everyday items. Setup, bulk and
 * irreversible operations are found with search_tools on demand.
 */
function isDaily({ operation: { name, kind }, path }: Entry): boolean {
  if (coreTools.includes(name) || dailySteps.has(name)) return true
  const [noun, ...rest] = path.split('/').slice(2)
  return (
    kind !== 'destructive' &&
    dailyNouns.has(noun!) &&
    rest.length <= 1 &&
    !/^(bulk|import|export)_|_preferences$/.test(name)
  )
}

/** Tools that hosts with on-demand lookup should load from the start. */
export const alwaysLoaded = new Set([
  'get_me',
  'get_my_agenda',
  'search_workspace',
  'search_tools',
  'list_tasks',
  'search_tasks',
  'get_task',
  'create_task',
  'update_task',
  'complete_task',
  'list_projects',
  'search_emails',
  'list_events',
  'send_message',
  'get_page',
  callToolName,
])
