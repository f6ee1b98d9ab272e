import { shape } from '../../../kernel/shape.ts'
import { z } from 'zod'
import { Truncated } from '../../../records/shapes.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { date, day, timezone } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import type { Row } from '../../../records/resource.ts'
import { addDays, dayAt, instantOfMinute } from '../../../kernel/time/times.ts'
import { agendaEvents, Event, ownBusyTimes } from '../../calendar/shapes.ts'
import { threadsAwaitingMe } from '../../email/shapes.ts'
import { WaitingThread } from '../../email/shapes.ts'
import { dutiesOf } from '../../incidents/access.ts'
import { OnCallShift, presentShifts } from '../../incidents/shapes.ts'
import { meetingsToPrepare, ListedMeeting } from '../../meetings/shapes.ts'
import { remindersBetween } from '../../notifications/access.ts'
import { Reminder, presentReminders } from '../../notifications/shapes.ts'
import { projectMember, project } from '../../portfolio/access.ts'
import { presentDue } from '../../tasks/access.ts'
import { ListedTask, presentTasks, type ListedTaskShape } from '../../tasks/shapes.ts'
import { person, team, teamMember, timeOff } from '../../directory/access.ts'
import { checkPeriod } from './days.ts'
import { daysOff } from './days-off.ts'
import { openTasksDue, openTasksOverdue } from './duties.ts'
import { minutesBetween, type WorkingHours } from '../people/hours.ts'
import { presentTimeOff, TimeOff } from '../shapes.ts'

/** Sections of optional modules, with the module that fills them. */
const sectionModules = {
  events: 'calendar',
  meetings_to_prepare: 'meetings',
  on_call: 'incidents',
  reminders: 'notifications',
  threads_awaiting_me: 'email',
} as const

const Agenda = shape('Agenda', {
  date: day(),
  timezone: z.string(),
  events: z.array(Event).describe('your events on these days, except those you declined'),
  tasks_due: z.array(ListedTask).describe('your open tasks due on these days and not yet overdue'),
  tasks_overdue: z.array(ListedTask).describe('your overdue open tasks'),
  meetings_to_prepare: z.array(ListedMeeting).describe('your upcoming or ongoing meetings'),
  on_call: z.array(OnCallShift).describe('your on-call shifts on these days'),
  reminders: z.array(Reminder).describe('your pending reminders for these days'),
  threads_awaiting_me: z
    .array(WaitingThread)
    .describe('email threads awaiting your reply, longest waiting first'),
  time_off: z.array(TimeOff).describe('time off: yours, your teams and members of your projects'),
  free_minutes: z
    .int()
    .describe('remaining working minutes, minus time off, holidays, events and planned meetings'),
  missing_modules: z
    .array(z.string())
    .describe('modules not enabled in this workspace; their sections are empty'),
  truncated: Truncated.optional(),
})

export type AgendaShape = z.infer<typeof Agenda>

/** Maximum items per section; the answer indicates if there are more. */
const maxAgendaItems = 100

export const getMyAgenda = operation({
  name: 'get_my_agenda',
  searchHint:
    'today, what is on my plate, my day, plan my day, what is next, due today, morning briefing',
  kind: 'read',
  rest: 'GET /api/me/agenda',
  about:
    'Your agenda for one or more days: events, due and overdue tasks, meetings to prepare, on-call shifts, reminders, threads awaiting your reply; use list_events for the calendar alone',
  input: {
    date: date().optional().describe('first day; default: today in the time zone'),
    days: z.int().min(1).max(31).default(1).describe('number of days'),
    timezone: timezone().optional().describe('default: your own'),
  },
  output: Agenda,
  async handle({ date, days, timezone }, ctx) {
    const zone = timezone ?? ctx.actor.timezone
    const first = date ?? dayAt(ctx.now, zone)
    const last = addDays(first, days - 1)
    checkPeriod(first, last, { from: 'date', to: 'days', maxDays: 31 })
    const start = instantOfMinute(first, 0, zone)
    const end = instantOfMinute(last, 1440, zone)
    const due = await openTasksDue(ctx, [ctx.actor.id], { first, last, zone })
      .where('open_assignments.due_at', '>=', ctx.now)
      .limit(maxAgendaItems + 1)
      .execute()
    const overdue = await openTasksOverdue(ctx, [ctx.actor.id])
      .limit(maxAgendaItems + 1)
      .execute()
    const away = await absences(ctx, first, last)
    const meetings = await meetingsToPrepare(ctx, start, end, maxAgendaItems + 1)
    const reminders = await remindersBetween(ctx, start, end, maxAgendaItems + 1)
    const threads = await threadsAwaitingMe(ctx, maxAgendaItems + 1)
    const calendar = await agendaEvents(ctx, start, end, zone, maxAgendaItems)
    const duties = (await dutiesOf(ctx, [{ person: ctx.actor.id, from: start, until: end }]))[0]!
    return {
      date: first,
      timezone: zone,
      events: calendar.events,
      tasks_due: await presentDueTasks(ctx, due, zone),
      tasks_overdue: await presentDueTasks(ctx, overdue, zone),
      meetings_to_prepare: meetings.slice(0, maxAgendaItems),
      on_call: await presentShifts(ctx, duties.slice(0, maxAgendaItems)),
      reminders: await presentReminders(ctx, reminders.slice(0, maxAgendaItems)),
      threads_awaiting_me: threads.slice(0, maxAgendaItems),
      time_off: await presentTimeOff(ctx, away.slice(0, maxAgendaItems)),
      free_minutes: await freeMinutes(ctx, Math.max(start, ctx.now), end),
      missing_modules: [...new Set(Object.values(sectionModules))].filter(
        (name) => !ctx.catalogue.modules.some((module) => module.name === name),
      ),
      ...truncatedOf({
        events: calendar.count,
        tasks_due: due.length,
        tasks_overdue: overdue.length,
        time_off: away.length,
        meetings_to_prepare: meetings.length,
        reminders: reminders.length,
        on_call: duties.length,
        threads_awaiting_me: threads.length,
      }),
    }
  },
})

/** Tasks with due times in the agenda's zone. */
async function presentDueTasks(
  ctx: ReadContext,
  rows: readonly Row<'tasks'>[],
  zone: string,
): Promise<ListedTaskShape[]> {
  const tasks = await presentTasks(ctx, rows.slice(0, maxAgendaItems))
  return tasks.map((item, i) => ({ ...item, ...presentDue(rows[i]!, zone) }))
}

/** Finds absences among the people the caller works with. */
async function absences(ctx: ReadContext, from: string, to: string): Promise<Row<'time_off'>[]> {
  const teams = await team
    .visibleTo(ctx)
    .select('teams.id')
    .where(
      'teams.id',
      'in',
      teamMember.of(ctx, [ctx.actor.id], 'person_id').select('team_members.team_id'),
    )
    .execute()
  const projects = await project.editableBy(ctx).select('projects.id').execute()
  return timeOff
    .visibleTo(ctx)
    .selectAll('time_off')
    .where('time_off.starts_on', '<=', to)
    .where('time_off.ends_on', '>=', from)
    .where((eb) =>
      eb.or([
        eb('time_off.person_id', '=', ctx.actor.id),
        eb(
          'time_off.person_id',
          'in',
          teamMember
            .of(
              ctx,
              teams.map((item) => item.id),
            )
            .select('team_members.person_id'),
        ),
        eb(
          'time_off.person_id',
          'in',
          projectMember
            .of(
              ctx,
              projects.map((item) => item.id),
            )
            .select('project_members.person_id'),
        ),
      ]),
    )
    .orderBy('time_off.starts_on')
    .orderBy('time_off.id')
    .limit(maxAgendaItems + 1)
    .execute()
}

/** Working hours are the person's local times, regardless of the agenda's time zone. */
async function freeMinutes(ctx: ReadContext, from: number, until: number): Promise<number> {
  if (until <= from) return 0
  const { working_hours_json, timezone: zone } = await person
    .editableBy(ctx)
    .select(['users.working_hours_json', 'users.timezone'])
    .executeTakeFirstOrThrow()
  const off = await daysOff(ctx, ctx.actor.id, dayAt(from, zone), dayAt(until, zone))
  const days = new Set([...off.away, ...off.holidays])
  const worked = (begin: number, end: number) =>
    minutesBetween(begin, end, JSON.parse(working_hours_json) as WorkingHours, zone, days)
  let [busyMinutes, coveredUntil] = [0, from]
  const busy = await ownBusyTimes(ctx, from, until)
  for (const { start, end } of busy.toSorted((a, b) => a.start - b.start)) {
    if (end <= coveredUntil) continue
    busyMinutes += worked(Math.max(coveredUntil, start), Math.min(until, end))
    coveredUntil = end
  }
  return Math.max(0, worked(from, until) - busyMinutes)
}

function truncatedOf(counts: Record<string, number>): {
  truncated?: Truncated
} {
  const truncatedSections = Object.entries(counts)
    .filter(([, count]) => count > maxAgendaItems)
    .map(([section]) => section)
  if (truncatedSections.length === 0) return {}
  return {
    truncated: {
      reason: `${truncatedSections.join(', ')}: only the first ${maxAgendaItems} are shown.`,
      how_to_continue:
        'To read the rest, page through list_tasks(assignee="me", overdue or due_before), list_events, list_time_off, list_meetings, list_reminders, list_email_threads(awaiting="me") and list_on_call_schedules(from, to).',
    },
  }
}
