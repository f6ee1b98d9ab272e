import { useCommands, type CommandHandlers } from '../../keys/commands.ts'
import { addDays } from '../../ui/work/days.ts'
import type { EventRow, Shift } from './data/events.ts'
import { steppedBy, type Span } from './data/spans.ts'
import { invite, respond, shift } from './event/actions.ts'
import { isInTaskPanel } from './tasks/useTaskPanel.ts'

interface CalendarCommands {
  span: Span
  cursorDay: string
  today: string
  /** The event at the keyboard position. */
  row: EventRow | undefined
  toDay: (day: string) => void
  export: () => void
  toSpan: (span: Span) => void
  move: (step: number) => void
  open: (row: EventRow) => void
  close: () => void
  create: (options?: { isFocus: boolean }) => void
  edit: (row: EventRow) => void
  remove: (row: EventRow) => void
  /** Opens the page of the meeting of an event. */
  openMeeting: (row: EventRow) => unknown
}

export function useCalendarCommands(commands: CalendarCommands): void {
  const { span, cursorDay, today, row, toDay, toSpan } = commands
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
    'period.previous': () => toDay(steppedBy(span, cursorDay, -1)),
    'period.next': () => toDay(steppedBy(span, cursorDay, 1)),
    'calendar.dayBefore': () => toDay(addDays(cursorDay, -1)),
    'calendar.dayAfter': () => toDay(addDays(cursorDay, 1)),
    'list.next': exceptInTaskPanel(() => commands.move(1)),
    'list.previous': exceptInTaskPanel(() => commands.move(-1)),
    'list.open': withRow(commands.open),
    'list.back': exceptInTaskPanel(commands.close),
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

const exceptInTaskPanel = (run: () => void) => () => (isInTaskPanel() ? false : run())

type WithRow = (run: (row: EventRow) => unknown) => (() => void) | undefined

function shiftCommands(withRow: WithRow): CommandHandlers {
  const shiftBy = (change: Shift) => withRow((row) => shift(row, change))
  return {
    'days.earlier': shiftBy({ days: -1 }),
    'days.later': shiftBy({ days: 1 }),
    'days.weekEarlier': shiftBy({ days: -7 }),
    'days.weekLater': shiftBy({ days: 7 }),
    'calendar.earlier': shiftBy({ minutes: -15 }),
    'calendar.later': shiftBy({ minutes: 15 }),
    'calendar.startEarlier': shiftBy({ startMinutes: -15 }),
    'calendar.startLater': shiftBy({ startMinutes: 15 }),
    'calendar.shorter': shiftBy({ endMinutes: -15 }),
    'calendar.longer': shiftBy({ endMinutes: 15 }),
  }
}

/** Only invitations can be answered, and only guests with outdated information can be notified. */
function answerCommands(row: EventRow | undefined, withRow: WithRow): CommandHandlers {
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
