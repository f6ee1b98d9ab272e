import { useCommands, type CommandRuns } from '../../keys/commands.ts'
import { addDays } from '../../ui/work/days.ts'
import type { EventRow, Shift } from './data/events.ts'
import { steppedBy, type Span } from './data/spans.ts'
import { invite, respond, shift } from './event/actions.ts'
import { isInTaskPanel } from './tasks/useTaskPanel.ts'

interface CalendarCommands {
  span: Span
  at: string
  today: string
  /** The event at the keyboard position. */
  row: EventRow | undefined
  toDay: (day: string) => void
  export: () => void
  toSpan: (span: Span) => void
  move: (step: number) => void
  open: (row: EventRow) => void
  close: () => void
  create: (more?: { isFocus: boolean }) => void
  edit: (row: EventRow) => void
  remove: (row: EventRow) => void
  /** Opens the page of the meeting of an event. */
  openMeeting: (row: EventRow) => unknown
}

export function useCalendarCommands(commands: CalendarCommands): void {
  const { span, at, today, row, toDay, toSpan } = commands
  const withRow = (run: (row: EventRow) => unknown) => (row ? () => void run(row) : undefined)
  useCommands({
    'calendar.create': () => commands.create(),
    'calendar.focus': () => commands.create({ isFocus: true }),
    'calendar.day': () => toSpan('day'),
    'calendar.week': () => toSpan('week'),
    'calendar.month': () => toSpan('month'),
    'calendar.agenda': () => toSpan('agenda'),
    'calendar.export': commands.export,
    'timeline.today': () => toDay(today),
    'period.previous': () => toDay(steppedBy(span, at, -1)),
    'period.next': () => toDay(steppedBy(span, at, 1)),
    'calendar.dayBefore': () => toDay(addDays(at, -1)),
    'calendar.dayAfter': () => toDay(addDays(at, 1)),
    'list.next': outsideTasks(() => commands.move(1)),
    'list.previous': outsideTasks(() => commands.move(-1)),
    'list.open': withRow(commands.open),
    'list.back': outsideTasks(commands.close),
    'calendar.edit': withRow(commands.edit),
    'calendar.delete': withRow(commands.remove),
    'calendar.meeting': withRow(commands.openMeeting),
    'calendar.video':
      row?.video_url === undefined
        ? undefined
        : () => void window.open(row.video_url, '_blank', 'noopener,noreferrer'),
    ...shiftCommands(withRow),
    ...answerCommands(row, withRow),
  })
}

const outsideTasks = (run: () => void) => () => (isInTaskPanel() ? false : run())

type WithRow = (run: (row: EventRow) => unknown) => (() => void) | undefined

function shiftCommands(withRow: WithRow): CommandRuns {
  const by = (change: Shift) => withRow((row) => shift(row, change))
  return {
    'days.earlier': by({ days: -1 }),
    'days.later': by({ days: 1 }),
    'days.weekEarlier': by({ days: -7 }),
    'days.weekLater': by({ days: 7 }),
    'calendar.earlier': by({ minutes: -15 }),
    'calendar.later': by({ minutes: 15 }),
    'calendar.startEarlier': by({ start: -15 }),
    'calendar.startLater': by({ start: 15 }),
    'calendar.shorter': by({ longer: -15 }),
    'calendar.longer': by({ longer: 15 }),
  }
}

/** Only invitations can be answered, and only guests with outdated information can be notified. */
function answerCommands(row: EventRow | undefined, withRow: WithRow): CommandRuns {
  const answers = {
    'calendar.accept': withRow((eventRow) => respond(eventRow, 'accepted')),
    'calendar.maybe': withRow((eventRow) => respond(eventRow, 'tentative')),
    'calendar.decline': withRow((eventRow) => respond(eventRow, 'declined')),
  }
  return {
    ...(row?.my_response === undefined ? {} : answers),
    ...(row?.invites_pending && row.my_response === undefined
      ? { 'calendar.invite': withRow(invite) }
      : {}),
  }
}
