/** Calls a tool and returns its answer. @throws if the call is refused */
export type Call = (tool: string, args?: Record<string, unknown>) => Promise<any>

const hour = 3_600_000
const inHours = (hours: number): string => new Date(Date.now() + hours * hour).toISOString()
const inDays = (days: number): string => inHours(days * 24).slice(0, 10)

/** Everyday jobs, each as the calls an assistant makes for it. They run in this order and build on one another. */
export const jobs: Record<string, (call: Call) => Promise<void>> = {
  '0 who am I, what is there': async (call) => {
    await call('get_me')
  },
  '1 triage the inbox, make tasks, tell the team, draft an answer': async (call) => {
    const threads = await call('list_email_threads', { folder: 'inbox' })
    const emails = await call('list_emails', { folder: 'inbox' })
    await call('list_emails', { unread: true })
    const email = emails.items.find((item: any) => item.from.email.startsWith('r.schulte'))
    await call('get_email_thread', {
      thread_id: threads.items.find((item: any) => item.awaiting === 'me').id,
    })
    await call('get_email', { email_id: email.id })
    const task = await call('create_task_from_source', {
      source_id: email.id,
      source_type: 'email',
      project_id: 'WEB',
    })
    await call('update_task', { task_id: task.key, priority: 'high', due_at: inDays(3) })
    await call('send_message', {
      channel_id: '#website',
      body_markdown: `New from the inbox: ${task.key}.`,
    })
    await call('create_email_draft', {
      reply_to_email_id: email.id,
      body_markdown: 'Thank you, we look at it today.',
    })
    await call('list_tasks', { project_id: 'WEB', sort: 'updated_at', order: 'desc' })
  },
  '2 prepare the next meeting': async (call) => {
    await call('get_my_agenda', { days: 2 })
    const meetings = await call('list_meetings', { after: inHours(-1) })
    const meeting = meetings.items.find((item: any) => item.status === 'planned')
    await call('get_meeting', { meeting_id: meeting.id })
    await call('get_meeting_brief', { meeting_id: meeting.id })
    await call('list_action_items')
    await call('list_decisions', { project_id: 'WEB' })
  },
  '3 move the leftovers of a sprint to a new one': async (call) => {
    const sprints = await call('list_sprints', { project_id: 'WEB', status: ['active'] })
    const sprint = sprints.items[0]
    await call('list_tasks', { sprint_id: sprint.id })
    const next = await call('create_sprint', {
      project_id: 'WEB',
      name: 'Sprint 4',
      starts_on: inDays(15),
      ends_on: inDays(29),
    })
    await call('complete_sprint', { sprint_id: sprint.id, carry_over_to: next.id, dry_run: true })
    await call('complete_sprint', { sprint_id: sprint.id, carry_over_to: next.id })
    await call('get_sprint_report', { sprint_id: sprint.id })
  },
  '4 who owes me an answer': async (call) => {
    await call('list_email_threads', { awaiting: 'them' })
    await call('list_email_threads', { awaiting: 'me' })
  },
  '5 what changed since yesterday': async (call) => {
    await call('get_digest')
    await call('list_activity', { after: inHours(-24), limit: 50 })
    await call('list_changes', { since: inHours(-24) })
  },
  '6 weekly report as a page and a project update': async (call) => {
    await call('get_project_summary', { project_id: 'WEB' })
    await call('list_tasks', { project_id: 'WEB', status_category: ['done'] })
    await call('list_tasks', { project_id: 'WEB', overdue: true })
    const page = await call('create_page', {
      project_id: 'WEB',
      title: 'Report of the week',
      body_markdown: '# Done\n\nMuch.\n\n# Next\n\nMore.',
    })
    await call('edit_page_section', {
      page_id: page.id,
      section: 'Next',
      new_markdown: 'The launch.',
    })
    await call('post_project_update', {
      project_id: 'WEB',
      health: 'on_track',
      body_markdown: 'All is well.',
    })
  },
  '7 an incident from the alarm to the postmortem': async (call) => {
    const services = await call('list_services')
    await call('get_on_call', {})
    const incident = await call('create_incident', {
      title: 'Bookings fail',
      severity: 'sev2',
      service_ids: [services.items[0].id],
    })
    await call('acknowledge_incident', { incident_id: incident.id })
    await call('list_messages', { channel_id: incident.channel.key })
    await call('update_incident', {
      incident_id: incident.id,
      cause: 'A full disk',
      customer_impact: 'No bookings',
    })
    await call('resolve_incident', { incident_id: incident.id, resolution: 'More room' })
    await call('create_postmortem', { incident_id: incident.id })
    await call('list_incidents')
    await call('get_incident', { incident_id: incident.id })
    await call('get_status_page')
  },
  '8 make an automation and test it': async (call) => {
    await call('list_automation_catalog', { query: 'task' })
    const automation = await call('create_automation', {
      name: 'Praise',
      trigger: { type: 'event', params: { event: 'task.created' } },
      actions: [
        { type: 'send_message', params: { channel_id: '#website', body_markdown: 'A new task' } },
      ],
    })
    await call('test_automation', { automation_id: automation.id })
    await call('list_automations')
    await call('list_automation_runs', { automation_id: automation.id })
  },
  '9 find a decision and what followed': async (call) => {
    await call('search_workspace', { query: 'prices yearly monthly' })
    const decisions = await call('list_decisions', { query: 'price' })
    await call('find_related_items', { item_id: decisions.items[0].id })
    await call('list_tasks', { project_id: 'WEB', status_category: ['todo', 'in_progress'] })
  },
  '10 log time': async (call) => {
    const search = await call('search_tasks', { query: 'prices page' })
    await call('create_time_entry', {
      task_id: search.items[0].task.key,
      duration_minutes: 60,
      spent_on: inDays(0),
      note: 'Draft',
    })
    await call('list_time_entries', { from: inDays(-7) })
    await call('get_time_report', { from: inDays(-7), to: inDays(0), group_by: 'project' })
  },
  '11 import contacts from CSV': async (call) => {
    const content = 'name,email\nJo Ho,jo@example.test\nBo Mo,bo@example.test\n'
    await call('import_contacts', { content, format: 'csv', dry_run: true })
    await call('import_contacts', { content, format: 'csv' })
    await call('list_contacts')
  },
  '12 plan the week': async (call) => {
    await call('get_my_agenda', { days: 7 })
    await call('list_events', { from: inDays(0), to: inDays(7) })
    await call('list_tasks', { assignee: 'me', due_before: inDays(8) })
    const times = await call('find_meeting_time', {
      attendees: ['tom@demo-studio.example'],
      duration_minutes: 45,
      from: inDays(1),
      to: inDays(8),
    })
    await call('create_event', {
      title: 'Look ahead',
      starts_at: times.items[0].starts_at,
      ends_at: times.items[0].ends_at,
    })
  },
  '13 share a file': async (call) => {
    const file = await call('upload_file', { name: 'notes.md', content_text: 'Some notes' })
    await call('share_file', {
      file_id: file.id,
      person_id: 'tom@demo-studio.example',
      role: 'viewer',
    })
    await call('create_share_link', { file_id: file.id })
    await call('list_files')
  },
  '14 read unread chat, answer, search': async (call) => {
    const unread = await call('list_unread_messages')
    await call('list_channels')
    await call('list_messages', { channel_id: '#website' })
    await call('get_message_thread', { message_id: unread.items[0].messages[0].id })
    await call('search_messages', { query: 'backups' })
    await call('send_direct_message', {
      person_ids: ['tom@demo-studio.example'],
      body_markdown: 'Thank you.',
    })
    await call('mark_channel_read', { channel_id: '#website' })
  },
  '15 check in on a goal': async (call) => {
    const goals = await call('list_goals')
    await call('get_goal', { goal_id: goals.items[0].id })
  },
  '16 make a form and answer it': async (call) => {
    const form = await call('create_form', {
      title: 'Lunch',
      fields: [{ label: 'Dish', type: 'short_text', required: true }],
    })
    await call('publish_form', { form_id: form.id, audience: 'organization' })
    await call('list_forms')
  },
  '17 keep facts about a thing, find who knows it': async (call) => {
    const entity = await call('create_entity', {
      name: 'Harbour Hotel',
      type: 'company',
      observations: ['Opens in May'],
    })
    await call('get_entity', { entity_id: entity.id })
    await call('list_facts', { entity_id: entity.id })
    await call('find_experts', { topic: 'website' })
  },
  '18 note a call, open a deal': async (call) => {
    const contacts = await call('list_contacts')
    await call('list_companies')
    const contact_ids = [contacts.items[0].id]
    await call('log_interaction', {
      contact_ids,
      kind: 'call',
      summary_markdown: 'They want an offer.',
    })
    await call('create_deal', { name: 'New menus', contact_ids })
    await call('list_deals')
  },
  '19 delete, look into the trash, restore': async (call) => {
    const task = await call('create_task', { project_id: 'WEB', title: 'A mistake' })
    await call('delete_task', { task_id: task.id })
    await call('list_trash')
    await call('restore_item', { item_id: task.id })
  },
  '20 take in a transcript, record a decision': async (call) => {
    const meetings = await call('list_meetings')
    const meeting =
      meetings.items.find((item: any) => item.status !== 'planned') ?? meetings.items[0]
    await call('get_meeting', { meeting_id: meeting.id })
    await call('record_decision', {
      meeting_id: meeting.id,
      title: 'Launch in May',
      decision_markdown: 'We launch in May.',
    })
    await call('list_action_items')
  },
  '21 look at teams and pulses': async (call) => {
    await call('list_people')
    await call('list_teams')
    await call('list_pulses')
  },
  '22 make tasks and change many at once': async (call) => {
    const item = await call('create_task', {
      project_id: 'WEB',
      title: 'Check the imprint',
      due_at: inDays(5),
      assignee_ids: ['me'],
    })
    const two = await call('create_task', {
      project_id: 'WEB',
      title: 'Check the map',
      priority: 'low',
    })
    const change = { task_ids: [item.key, two.key], changes: { priority: 'high' } }
    await call('bulk_update_tasks', { ...change, dry_run: true })
    await call('bulk_update_tasks', change)
    await call('list_tasks', { project_id: 'WEB' })
    await call('get_task', { task_id: item.key })
    await call('add_task_comment', { task_id: item.key, body_markdown: 'Half of it is done.' })
  },
  '23 mail: template and sent mail': async (call) => {
    await call('create_email_template', {
      name: 'Thanks',
      subject: 'Thank you',
      body_markdown: 'Thank you!',
    })
    await call('list_email_templates')
    await call('list_emails', { folder: 'sent' })
    await call('search_emails', { query: 'invoice' })
  },
  '24 reminders and notifications': async (call) => {
    await call('create_reminder', { remind_at: inHours(30), text: 'Call the bank' })
    await call('list_reminders')
    await call('list_notifications')
    await call('list_notifications', { unread: true })
  },
  '25 save a view, share a page': async (call) => {
    const pages = await call('list_pages')
    await call('get_page', { page_id: pages.items[0].id })
    await call('list_page_versions', { page_id: pages.items[0].id })
    await call('list_saved_views')
  },
  '26 status, time off, workload': async (call) => {
    await call('set_my_status', { text: 'Deep work' })
    await call('list_time_off')
    await call('get_person_workload', { person_id: 'me' })
    await call('list_projects')
  },
  '27 small ones: related items, a hundred changes and activities': async (call) => {
    await call('find_related_items', { item_id: 'WEB-4' })
    await call('list_changes', { since: inDays(-30), limit: 100 })
    await call('list_activity', { limit: 100 })
    await call('list_emails')
    await call('list_email_threads')
  },
}
