import { omitNullish } from '../../kernel/present.ts'
import { promptAnswer, mayCall, promptText, type Prompt } from '../../operations/prompts.ts'
import { numbered, type Skill } from '../../operations/skills.ts'
import { localIso } from '../../kernel/time/times.ts'
import type { AgendaShape } from './schedule/agenda.ts'

const planning: Skill = {
  name: 'daily-plan',
  when: 'the person asks what to do today, how to spend the day, or what comes first',
  reads: [
    '`get_my_agenda` (with `date` for another day): overdue and due tasks, events, meetings, mail that waits for an answer, time off and free minutes',
  ],
  steps: [
    'Start with overdue work: for each item, say whether to do it now, reschedule it or delegate it, and why.',
    'Then what is due, by priority and due time. Put work that blocks others (`blocks`) first and blocked work (`blocked`) last.',
    'Work around the events and the meetings: `events` and `meetings` have their times, and a meeting with `event_id` is one of the events. `free_minutes` is what they leave of the working hours.',
    'Fit everything into the free minutes of the agenda (`free_minutes`) using the estimates; if a task has none, state your assumption. Say plainly what does not fit.',
    'Plan time for mail that waits for an answer, and for what has to be prepared before a meeting.',
    'Mention who is away if a task needs them.',
  ],
  rules: ['Give times in the time zone of the agenda.'],
  acts: [
    { operation: 'get_task', for: 'read a task whose title is not clear enough' },
    { operation: 'update_task', for: 'reschedule' },
    { operation: 'complete_task', for: 'close what is done' },
    { operation: 'assign_task', for: 'delegate' },
  ],
}

export const dailyPlan: Prompt = {
  name: 'daily_plan',
  title: 'Plan my day',
  about:
    'Plans your day from your agenda: overdue work first, then what is due, fitted into your free hours',
  arguments: [
    { name: 'date', about: 'a date such as 2026-11-20; default: today in your time zone' },
    { name: 'focus', about: 'what matters most that day, in your words' },
  ],
  needs: ['get_my_agenda'],
  skill: planning,
  async messages({ date, focus }, ctx) {
    const agenda = await ctx.call<AgendaShape>(
      'get_my_agenda',
      omitNullish({
        date,
      }),
    )
    const { timezone, display_name } = ctx.actor
    const instructions = promptText(
      `Plan ${date ?? 'today'} for ${display_name}. It is ${localIso(ctx.now, timezone)}; the time zone is ${agenda.timezone}. Give times in that zone.`,
      focus !== undefined && `What matters most to them: ${JSON.stringify(focus)}`,
      '',
      numbered(planning.steps),
      agenda.missing_modules.length > 0 &&
        `This workspace has no ${agenda.missing_modules.join(', ')}: do not mention them.`,
      agenda.truncated !== undefined &&
        `The agenda is incomplete: ${agenda.truncated.reason} ${agenda.truncated.how_to_continue}`,
      mayCall(ctx, 'get_task') && 'Read a task with get_task if its title is not clear enough.',
      mayCall(ctx, 'update_task')
        ? 'Change nothing yet. Show the plan, ask which proposals to carry out, and only then use update_task, complete_task or assign_task.'
        : 'You cannot change anything with this key: only make proposals.',
    )
    return [instructions, promptAnswer('get_my_agenda', outlineOf(agenda))]
  },
}

/** Reduces the agenda to the parts from which a plan is made. */
function outlineOf({
  date,
  timezone,
  events,
  meetings_to_prepare,
  threads_awaiting_me,
  reminders,
  on_call,
  tasks_overdue,
  tasks_due,
  time_off,
  free_minutes,
}: AgendaShape) {
  return {
    date,
    timezone,
    free_minutes,
    events: events.map((event) => ({
      id: event.id,
      title: event.title,
      starts: event.starts_local,
      ends: event.ends_local,
      all_day: event.all_day || undefined,
      location: event.location,
      my_response: event.my_response,
      trust: event.trust,
    })),
    meetings: meetings_to_prepare.map((meeting) => ({
      id: meeting.id,
      title: meeting.title,
      starts: meeting.starts_local,
      ends: meeting.ends_local,
      with: meeting.participants.map((participant) => participant.name ?? participant.email),
      event_id: meeting.event?.id,
      trust: meeting.trust,
    })),
    mail_awaiting_me: threads_awaiting_me.map((thread) => ({
      id: thread.id,
      subject: thread.subject,
      since: thread.waiting_since,
      trust: thread.trust,
    })),
    reminders: reminders.map((reminder) => ({
      at: reminder.remind_local,
      text: reminder.text,
      about: reminder.item?.title,
      trust: reminder.item?.trust,
    })),
    on_call: on_call.length > 0 ? on_call : undefined,
    tasks_overdue: tasks_overdue.map(outlineOfTask),
    tasks_due: tasks_due.map(outlineOfTask),
    away: time_off.map(({ person, starts_on, ends_on }) => ({
      person: person.title,
      starts_on,
      ends_on,
    })),
  }
}

function outlineOfTask({
  key,
  title,
  project,
  status,
  priority,
  due_on,
  due_local,
  estimate_minutes,
  blocked,
  blocked_by,
  blocks,
}: AgendaShape['tasks_due'][number]) {
  const keys = (tasks: readonly { key?: string | undefined }[]) =>
    tasks.length > 0 ? tasks.map((task) => task.key) : undefined
  return {
    key,
    title,
    project: project.key,
    status,
    priority,
    due: due_on ?? due_local,
    estimate_minutes,
    blocked,
    blocked_by: keys(blocked_by),
    blocks: keys(blocks),
  }
}
