/** The tail of example ids; the prefix gives the kind. */
const idTail = '01kak3q8pe7g2v5h9xw4tz6ymc'

/** The id of an example, such as `tsk_01kak3q8pe7g2v5h9xw4tz6ymc`. */
export function exampleId(prefix: string): string {
  return `${prefix}_${idTail}`
}

const futureDay = '2030-01-15'
const condition = { all: [{ field: 'from', op: 'contains', value: 'billing@example.com' }] }

/**
 * Bodies for operations whose arguments depend on each other, or whose text has a format not in the schema. Future
 * times are in 2030, so that the document is stable; an operation whose times must be within a year or two has no
 * example (`undefined`).
 */
export const exampleBodies: Readonly<Record<string, Record<string, unknown> | undefined>> = {
  add_event_attendees: { attendees: ['ann@example.com'] },
  add_fact: { entity_id: exampleId('ent'), predicate: 'renews on', value: '1 March' },
  bulk_update_tasks: { task_ids: [exampleId('tsk')], changes: { priority: 'high' } },
  complete_sprint: { carry_over_to: 'backlog' },
  create_automation: {
    name: 'Announce finished tasks',
    trigger: { type: 'event', params: { event: 'task.completed' } },
    actions: [
      {
        type: 'send_message',
        params: { channel_id: exampleId('chn'), body_markdown: '{{item.title}} is done.' },
      },
    ],
  },
  create_email_draft: {
    to: ['ann@example.com'],
    subject: 'Renewal',
    body_markdown: 'It ends on **Friday**.',
  },
  create_email_rule: {
    name: 'Invoices',
    conditions: condition,
    actions: [{ type: 'label', params: { label: 'Invoices' } }],
  },
  create_entity: { name: 'Northwind', type: 'company' },
  create_event: {
    title: 'Renew the certificate',
    starts_at: `${futureDay}T09:00:00Z`,
    ends_at: `${futureDay}T09:30:00Z`,
  },
  create_goal: { title: 'Fewer outages', period: '2030', level: 'personal' },
  create_meeting: {
    title: 'Weekly review',
    starts_at: `${futureDay}T09:00:00Z`,
    ends_at: `${futureDay}T09:30:00Z`,
  },
  create_on_call_override: {
    person_id: exampleId('usr'),
    starts_at: `${futureDay}T09:00:00Z`,
    ends_at: `${futureDay}T17:00:00Z`,
  },
  create_on_call_schedule: {
    name: 'First responders',
    timezone: 'Europe/Berlin',
    layers: [{ people: [exampleId('usr')] }],
  },
  create_pulse: {
    team_id: exampleId('tea'),
    name: 'Standup',
    questions: [{ text: 'What is in your way?', type: 'text' }],
    rrule: 'FREQ=WEEKLY;BYDAY=MO',
  },
  create_relation: {
    from_entity_id: exampleId('ent'),
    to_entity_id: exampleId('ent'),
    type: 'works with',
  },
  create_reminder: { remind_at: `${futureDay}T09:00:00Z`, text: 'Renew the certificate' },
  create_saved_view: { name: 'Urgent', item_type: 'task', filter: { priority: ['urgent'] } },
  create_task_from_source: {
    source_type: 'message',
    source_id: exampleId('msg'),
    project_id: exampleId('prj'),
  },
  create_task_template: {
    name: 'New colleague',
    outline: { title: 'Welcome {{name}}', subtasks: [{ title: 'Order a laptop' }] },
    variables: ['name'],
  },
  create_time_entry: { task_id: exampleId('tsk'), duration_minutes: 30, spent_on: '2026-11-02' },
  edit_page_section: { section: 'Handbook', new_markdown: 'It ends on **Friday**.' },
  find_meeting_time: {
    attendees: ['ann@example.com'],
    duration_minutes: 30,
    from: `${futureDay}T08:00:00Z`,
    to: `${futureDay}T18:00:00Z`,
  },
  forward_email: { to: ['ann@example.com'] },
  import_contacts: { content: 'Name,Email\nAda Lovelace,ada@example.com\n' },
  import_tasks: { content: 'Title,Priority\nRenew the certificate,high\n' },
  import_transcript: { content: 'Ann: It ends on Friday.', format: 'text' },
  label_emails: { email_ids: [exampleId('eml')], add: ['Invoices'], create_missing: true },
  link_items: { from_id: exampleId('tsk'), to_id: exampleId('pag') },
  move_emails: { email_ids: [exampleId('eml')], folder: 'INBOX' },
  preview_email_rule: { conditions: condition },
  publish_page: { slug: 'handbook' },
  record_goal_checkin: { values: {}, confidence: 'high', note_markdown: 'On **track**.' },
  reopen_task: { reason: 'It still fails.' },
  schedule_email: undefined,
  send_email: {
    to: ['ann@example.com'],
    subject: 'Renewal',
    body_markdown: 'It ends on **Friday**.',
  },
  send_event_invites: { to: ['ann@example.com'] },
  set_project_workflow: {
    statuses: [
      { name: 'To do', category: 'todo' },
      { name: 'In progress', category: 'in_progress' },
      { name: 'Done', category: 'done' },
    ],
  },
  set_task_recurrence: { rrule: 'FREQ=WEEKLY;BYDAY=MO' },
  snooze_email: undefined,
  update_email_draft: { subject: 'Renewal' },
  upload_file: { name: 'notes.md', content_text: 'It ends on **Friday**.' },
  update_file_content: { content_text: 'It ends on **Monday**.' },
}
