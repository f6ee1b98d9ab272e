import { daysFrom } from '../../src/testing/days.ts'
import { startFloor } from '../against-floor.ts'
import { fireWhile, lasting, times } from './load.ts'
import { furnish, type Office } from '../dataset.ts'
import type { Table } from '../report.ts'
import { settled, type Bench } from '../server.ts'
import { floorShots, operationOf, restShot } from '../requests.ts'
import type { Sizes } from '../sizes.ts'

/** An operation, the arguments of its i-th call, and a note on what is special about them. */
type Case = readonly [
  tool: string,
  args?: (i: number, idOf: Of) => Record<string, unknown>,
  note?: string,
]

/** Returns an item of a kind, a different one for each call. */
type Of = (kind: string, i: number) => string

const day = daysFrom(Date.now())
const at = (days: number) => `${day(days)}T09:00:00Z`
const words = ['budget', 'release', 'contract', 'server', 'invoice', 'harbour']
const word = (i: number) => words[i % words.length]!
const week = { from: day(0), to: day(7) }

/** The operations that assistants and the web app call most, module by module. */
const cases: readonly Case[] = [
  ['get_me'],
  ['list_people'],
  ['get_my_agenda'],
  ['list_projects'],
  ['get_project', (i) => ({ project_id: `PR${2 * (i % 10)}` })],
  ['get_project_summary', (i) => ({ project_id: `PR${2 * (i % 10)}` })],
  [
    'list_tasks',
    () => ({ assignee: 'me', status_category: ['todo', 'in_progress'] }),
    'own open ones',
  ],
  ['list_tasks', (i) => ({ project_id: `PR${2 * (i % 10)}`, limit: 100 }), '100 of a project'],
  ['count_tasks', () => ({ group_by: 'status_category' })],
  ['get_task', (i, idOf) => ({ task_id: idOf('task', i) })],
  ['search_tasks', (i) => ({ query: `${word(i)} day` })],
  ['list_task_comments', (i, idOf) => ({ task_id: idOf('task', i) })],
  ['create_task', (i) => ({ project_id: 'PR0', title: `New task ${i}` })],
  [
    'update_task',
    (i, idOf) => ({ task_id: idOf('task', i), priority: i % 2 === 0 ? 'high' : 'low' }),
  ],
  ['complete_task', (i, idOf) => ({ task_id: idOf('task', i) })],
  [
    'add_task_comment',
    (i, idOf) => ({ task_id: idOf('task', i), body_markdown: `Comment ${i} on the ${word(i)}` }),
  ],
  [
    'bulk_create_tasks',
    (i) => ({
      project_id: 'PR2',
      tasks: Array.from({ length: 20 }, (_, j) => ({ title: `Task ${j} of list ${i}` })),
    }),
    '20 of them',
  ],
  ['list_labels'],
  ['list_saved_views'],
  ['run_saved_view', (i, idOf) => ({ view_id: idOf('view', i) })],
  [
    'create_saved_view',
    (i) => ({ name: `New view ${i}`, item_type: 'task', filter: { project_id: 'PR0' } }),
  ],
  ['list_channels'],
  ['list_messages', (i, idOf) => ({ channel_id: idOf('channel', i) })],
  ['list_unread_messages'],
  ['search_messages', (i) => ({ query: word(i) })],
  [
    'send_message',
    (i, idOf) => ({
      channel_id: idOf('channel', i),
      body_markdown: `Message ${i} on the ${word(i)}`,
    }),
  ],
  ['mark_channel_read', (i, idOf) => ({ channel_id: idOf('channel', i) })],
  ['list_pages'],
  ['get_page_tree'],
  ['get_page', (i, idOf) => ({ page_id: idOf('page', i) })],
  ['search_pages', (i) => ({ query: word(i) })],
  [
    'create_page',
    (i) => ({ title: `New page ${i}`, body_markdown: `# Page\n\nAbout the ${word(i)}.` }),
  ],
  ['append_to_page', (i, idOf) => ({ page_id: idOf('page', i), body_markdown: `Line ${i}` })],
  ['list_meetings'],
  ['get_meeting', (i, idOf) => ({ meeting_id: idOf('meeting', i) })],
  ['get_transcript', (i, idOf) => ({ meeting_id: idOf('meeting', i) })],
  ['search_transcripts', (i) => ({ query: word(i) })],
  ['list_action_items', () => ({ status: ['open'] })],
  ['get_meeting_brief', (i, idOf) => ({ meeting_id: idOf('meeting', i) })],
  [
    'add_meeting_note',
    (i, idOf) => ({ meeting_id: idOf('meeting', i), body_markdown: `Note ${i}` }),
  ],
  ['list_goals'],
  ['get_goal', (i, idOf) => ({ goal_id: idOf('goal', i) })],
  [
    'record_goal_checkin',
    (i, idOf) => ({ goal_id: idOf('goal', i), values: { [idOf('key result', i)]: i % 100 } }),
  ],
  ['list_time_entries'],
  ['get_time_report', () => ({ from: day(-30), to: day(0), group_by: 'project' })],
  [
    'create_time_entry',
    (i) => ({ project_id: 'PR0', duration_minutes: 5, spent_on: day(-(i % 20)) }),
  ],
  ['list_notifications'],
  ['list_reminders'],
  ['create_reminder', (i) => ({ remind_at: at(200 + (i % 100)), text: `Reminder ${i}` })],
  ['list_incidents'],
  ['get_incident', (i, idOf) => ({ incident_id: idOf('incident', i) })],
  ['list_incident_timeline', (i, idOf) => ({ incident_id: idOf('incident', i) })],
  ['find_similar_incidents', (i, idOf) => ({ incident_id: idOf('incident', i) })],
  ['get_on_call'],
  ['create_incident', (i) => ({ title: `Incident ${i}`, severity: 'sev4' }), 'with its channel'],
  [
    'add_incident_note',
    (i, idOf) => ({ incident_id: idOf('incident', i), body_markdown: `Note ${i}` }),
  ],
  ['list_contacts'],
  ['search_contacts', (i) => ({ query: word(i) })],
  ['get_contact', (i, idOf) => ({ contact_id: idOf('contact', i) })],
  ['get_company', (i, idOf) => ({ company_id: idOf('company', i) })],
  ['get_pipeline_summary'],
  [
    'create_contact',
    (i) => ({ name: `New contact ${i}`, emails: [`new${i}@company${i % 500}.example`] }),
  ],
  ['update_deal', (i, idOf) => ({ deal_id: idOf('deal', i), amount: i })],
  [
    'log_interaction',
    (i, idOf) => ({
      kind: 'call',
      contact_ids: [idOf('contact', i)],
      summary_markdown: `Call ${i}`,
    }),
  ],
  ['list_forms'],
  ['list_form_responses', (i, idOf) => ({ form_id: idOf('form', i) })],
  ['get_form_stats', (i, idOf) => ({ form_id: idOf('form', i) })],
  [
    'submit_form_response',
    (i, idOf) => ({ form_id: idOf('form', i), answers: { note: `Answer ${i}`, mark: i % 10 } }),
  ],
  ['list_automations'],
  ['list_automation_runs'],
  [
    'test_automation',
    (i, idOf) => ({ automation_id: idOf('automation', i), sample: { input: { count: i } } }),
  ],
  ['run_automation', (i, idOf) => ({ automation_id: idOf('automation', i), input: { count: i } })],
  ['list_emails'],
  ['list_email_threads'],
  ['get_email', (i, idOf) => ({ email_id: idOf('email', i) })],
  ['get_email_thread', (i, idOf) => ({ thread_id: idOf('thread', i) })],
  ['search_emails', (i) => ({ query: word(i) })],
  ['mark_emails_read', (i, idOf) => ({ email_ids: [idOf('email', i)], read: i % 2 === 0 })],
  [
    'create_email_draft',
    (i) => ({
      to: [`contact${i}@company0.example`],
      subject: `Draft ${i}`,
      body_markdown: 'Dear all',
    }),
  ],
  ['list_events', () => week, 'of a week'],
  ['get_event', (i, idOf) => ({ event_id: idOf('event', i) })],
  ['get_availability', (i, idOf) => ({ people: ['me', idOf('person', 1 + (i % 19))], ...week })],
  [
    'find_meeting_time',
    (i, idOf) => ({
      attendees: [idOf('person', 1 + (i % 19)), idOf('person', 1 + ((i + 5) % 19))],
      duration_minutes: 30,
      ...week,
    }),
    'three people, a week',
  ],
  [
    'create_event',
    (i) => ({
      title: `Event ${i}`,
      starts_at: at(100 + (i % 200)),
      ends_at: `${day(100 + (i % 200))}T10:00:00Z`,
    }),
  ],
  ['update_event', (i, idOf) => ({ event_id: idOf('event', i), location: `Room ${i}` })],
  ['list_files'],
  ['get_file', (i, idOf) => ({ file_id: idOf('file', i) })],
  ['get_file_content', (i, idOf) => ({ file_id: idOf('file', i) })],
  ['search_files', (i) => ({ query: word(i) })],
  [
    'upload_file',
    (i, idOf) => ({ folder_id: idOf('folder', i), name: `new-${i}.md`, content_text: `Text ${i}` }),
  ],
  ['search_workspace', (i) => ({ query: `what about the ${word(i)}` }), 'words, meaning and links'],
  ['find_related_items', (i, idOf) => ({ item_id: idOf('task', i) })],
  ['search_entities', (i) => ({ query: word(i) })],
  ['get_entity', (i, idOf) => ({ entity_id: idOf('entity', i) })],
  ['get_entity_neighbors', (i, idOf) => ({ entity_id: idOf('entity', i), depth: 2 }), 'two steps'],
  ['create_entity', (i) => ({ name: `New entity ${i}`, type: 'topic' })],
  [
    'add_fact',
    (i, idOf) => ({ entity_id: idOf('entity', i), predicate: 'state', value: `State ${i}` }),
  ],
  ['list_activity'],
  ['list_changes', () => ({ since: day(-1) })],
  ['list_api_calls'],
  ['get_api_key_usage', () => ({ key_id: 'current' })],
  ['list_trash'],
  ['list_webhooks'],
  [
    'search_tools',
    (i) => ({ query: ['create task', 'mail', 'find a time', 'who is on call'][i % 4] }),
  ],
]

/** The office of this run, set up once. */
let furnished: Promise<Office> | undefined
export function officeOf(bench: Bench, { office }: Sizes): Promise<Office> {
  return (furnished ??= furnish(bench.dir('office'), office))
}

/** Runs every case with one caller over REST, each right after the floor. */
export async function modulesPart(
  bench: Bench,
  sizes: Sizes,
): Promise<{ of: string; tables: Table[] }> {
  const { key, ids } = await officeOf(bench, sizes)
  const idOf: Of = (kind, i) => ids[kind]![i % ids[kind]!.length]!
  const ours = await bench.serve(bench.dir('office'))
  await settled(ours)
  const them = await startFloor(bench, 'modules.db')
  const base = floorShots()
  const rows = []
  for (const [tool, args = () => ({}), note] of cases) {
    const { module, kind } = operationOf(tool)
    const shot = kind === 'read' ? base.list : base.create
    let i = 0
    const next = () => restShot(key, tool, args(i++, idOf))
    await fireWhile(ours.url, ours.pid, next, 1, times(10))
    const floor = await fireWhile(them.url, them.pid, () => shot, 1, lasting(sizes.caseMs / 4))
    const us = await fireWhile(ours.url, ours.pid, next, 1, lasting(sizes.caseMs))
    rows.push([
      module,
      `${tool}${note ? `, ${note}` : ''}`,
      kind === 'read' ? 'read' : 'write',
      us.p50_ms,
      us.p99_ms,
      us.cpu_us,
      us.cpu_us / floor.cpu_us,
    ])
  }
  await bench.stop(ours)
  await bench.stop(them)
  const amounts = ['task', 'message', 'email', 'event', 'page', 'file', 'contact', 'entity'].map(
    (kind) => `${ids[kind]!.length.toLocaleString('en')} ${kind}s`.replace('entitys', 'entities'),
  )
  return {
    of: `one caller over REST, ${sizes.caseMs} ms each; ${amounts.join(', ')} that the caller sees`,
    tables: [
      { head: ['module', 'operation', 'kind', 'p50 ms', 'p99 ms', 'CPU µs', 'CPU ratio'], rows },
    ],
  }
}
