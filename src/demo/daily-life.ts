// Activities of the sample people besides tasks: chat, pages, meetings, goals, time tracking.

import type { SamplePerson } from './sample-shapes.ts'
import { channels, type SampleChannel, type SampleMessage } from './sample-chat.ts'
import { goal, meetings, reminders, timeEntries, type SampleMeeting } from './sample-meetings.ts'
import { pages, type SamplePage } from './sample-pages.ts'
import type { Studio } from './seeder.ts'

const hour = 3600_000
/** Minutes between messages. */
const minutesBetweenMessages = 4

export async function createDailyActivity(studio: Studio): Promise<void> {
  for (const page of pages) await createSamplePage(studio, page)
  for (const channel of channels) await createChannel(studio, channel)
  for (const meeting of meetings) await createMeeting(studio, meeting)
  await createGoal(studio)
  for (const { by, project, task, minutes, day, note, billable } of timeEntries) {
    await studio.call(by, 'create_time_entry', {
      task_id: studio.task(project, task),
      duration_minutes: minutes,
      spent_on: studio.date(day),
      note,
      billable,
    })
  }
  for (const { by, day, text, project, task, rrule } of reminders) {
    const itemId = project && task ? studio.task(project, task) : undefined
    await studio.call(by, 'create_reminder', {
      remind_at: new Date(studio.daysFromNow(day)).toISOString(),
      text,
      item_id: itemId,
      rrule,
    })
  }
}

async function createChannel(studio: Studio, channel: SampleChannel): Promise<void> {
  const { name, kind, topic, purpose, project, by, members, messages } = channel
  const member_ids = members.map((who) => studio.email(who))
  if (name === undefined) return sendDirectMessages(studio, channel)
  const id = await studio.createNamed(`#${name}`, by, 'create_channel', {
    name,
    kind,
    topic,
    purpose,
    project_id: project,
    member_ids,
  })
  for (const message of messages)
    await sendMessage(studio, message, 'send_message', { channel_id: id })
}

async function sendDirectMessages(
  studio: Studio,
  { by, members, messages }: SampleChannel,
): Promise<void> {
  const all = [by, ...members]
  for (const message of messages)
    await sendMessage(studio, message, 'send_direct_message', {
      person_ids: all.filter((who) => who !== message.by).map((who) => studio.email(who)),
    })
}

async function sendMessage(
  studio: Studio,
  { by, text, reactions = [], replies = [], pinned }: SampleMessage,
  tool: string,
  target: Record<string, unknown>,
): Promise<void> {
  const { id: message_id } = await studio.call(
    by,
    tool,
    { ...target, body_markdown: text },
    minutesBetweenMessages,
  )
  for (const [who, body_markdown] of replies)
    await studio.call(
      who,
      'reply_to_message',
      { message_id, body_markdown },
      minutesBetweenMessages,
    )
  for (const [emoji, who] of reactions)
    await studio.call(who, 'add_message_reaction', { message_id, emoji }, minutesBetweenMessages)
  if (pinned) await studio.call(by, 'pin_message', { message_id }, minutesBetweenMessages)
}

async function createSamplePage(
  studio: Studio,
  {
    title,
    by,
    text,
    visibility,
    kind,
    icon,
    under,
    project,
    labels,
    shares = [],
    added = [],
    comments = [],
  }: SamplePage,
): Promise<void> {
  const parent_id = under && studio.id(`page ${under}`)
  const page_id = await studio.createNamed(`page ${title}`, by, 'create_page', {
    title,
    body_markdown: text,
    visibility,
    kind,
    parent_id,
    project_id: project,
    label_ids: labels,
  })
  if (icon) await studio.call(by, 'update_page', { page_id, icon })
  for (const [who, role] of shares)
    await studio.call(by, 'share_page', { page_id, person_id: studio.email(who), role })
  for (const [quote, who, body_markdown] of comments)
    await studio.call(who, 'add_page_comment', { page_id, quote, body_markdown })
  for (const [who, body_markdown] of added)
    await studio.call(who, 'append_to_page', { page_id, body_markdown })
}

async function createMeeting(studio: Studio, meeting: SampleMeeting): Promise<void> {
  const {
    title,
    by,
    with: others,
    kind,
    project,
    visibility,
    at,
    agenda,
    notes,
    vtt,
    decisions = [],
    actions = [],
  } = meeting
  const [day, hourOfDay, minutes] = at
  const start = Date.parse(`${studio.date(day)}T00:00:00Z`) + hourOfDay * hour
  if (day < 0) studio.advanceTo(start)
  const meeting_id = await studio.createNamed(`meeting ${title}`, by, 'create_meeting', {
    title,
    kind,
    visibility,
    project_id: project,
    participants: others.map((who) => studio.email(who)),
    agenda,
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(start + minutes * 60_000).toISOString(),
  })
  if (day >= 0) return
  if (vtt)
    await studio.call(by, 'import_transcript', {
      meeting_id,
      content: vtt,
      format: 'vtt',
      language: 'en',
    })
  if (notes) await studio.call(by, 'update_meeting', { meeting_id, notes_markdown: notes })
  for (const { title, text, by: people, rejected } of decisions) {
    await studio.call(by, 'record_decision', {
      title,
      decision_markdown: text,
      meeting_id,
      project_id: project,
      decided_by: people.map((who) => studio.email(who)),
      alternatives: rejected,
    })
  }
  if (actions.length > 0) await addActionItems(studio, by, meeting_id, actions, project)
}

async function addActionItems(
  studio: Studio,
  by: SamplePerson,
  meeting_id: string,
  actions: NonNullable<SampleMeeting['actions']>,
  project: string | undefined,
): Promise<void> {
  const items = actions.map(({ text, owner, due, quote, second }) => ({
    text,
    owner: studio.email(owner),
    quote,
    at_second: second,
    ...(due === undefined ? {} : { due_on: studio.date(due) }),
  }))
  const addedItems = (await studio.call(by, 'add_action_items', {
    meeting_id,
    items,
  })) as unknown as {
    items: { id: string }[]
  }
  const taskItemIds = addedItems.items.filter((_, i) => actions[i]!.task).map((item) => item.id)
  studio.tasks += taskItemIds.length
  if (taskItemIds.length > 0 && project)
    await studio.call(by, 'create_tasks_from_action_items', {
      action_item_ids: taskItemIds,
      project_id: project,
    })
}

async function createGoal(studio: Studio): Promise<void> {
  const { by, title, about, results, projects, note } = goal
  const key_results = results.map((result) => ({
    title: result.title,
    metric: result.metric,
    target_value: result.target,
    ...('start' in result
      ? { start_value: result.start, unit: result.unit }
      : { source: result.source }),
  }))
  const period = `${studio.date(0).slice(0, 4)}-Q${Math.ceil(Number(studio.date(0).slice(5, 7)) / 3)}`
  const createdGoal = (await studio.call(by, 'create_goal', {
    title,
    description_markdown: about,
    period,
    level: 'organization',
    project_ids: projects,
    key_results,
  })) as { id: string; key_results?: { id: string; title: string }[] }
  await studio.call(by, 'update_goal', { goal_id: createdGoal.id, status: 'active' })
  const values = Object.fromEntries(
    results.flatMap((item) =>
      'now' in item
        ? [[createdGoal.key_results!.find((result) => result.title === item.title)!.id, item.now]]
        : [],
    ),
  )
  await studio.call(by, 'record_goal_checkin', {
    goal_id: createdGoal.id,
    values,
    confidence: 'medium',
    note_markdown: note,
  })
}
