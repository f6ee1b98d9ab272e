import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useSignedIn } from '../../session/session.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Problem } from '../../ui/states.tsx'
import { useListCursor } from '../inbox/usePlace.ts'
import { CalendarBar } from './CalendarBar.tsx'
import styles from './calendar.module.css'
import { useCalendars } from './data/calendars.ts'
import type { EventRow } from './data/events.ts'
import { daysOf, type Span } from './data/spans.ts'
import { useEvents } from './data/useEvents.ts'
import { useCalendarContext } from './data/useBeside.ts'
import { useNow } from './data/useNow.ts'
import { meetingPath } from './event/actions.ts'
import { EventForm } from './event/EventForm.tsx'
import { EventPane } from './event/EventPane.tsx'
import { hasGuests, RemoveDialog, removeWithoutNotice } from './event/RemoveDialog.tsx'
import { ScopeDialog } from './event/ScopeDialog.tsx'
import { useEventForm } from './event/useEventForm.ts'
import { exportDays } from './export.ts'
import { AgendaList } from './grid/AgendaList.tsx'
import { GridContext, type GridState } from './grid/context.ts'
import { DayHeads } from './grid/DayHeads.tsx'
import { MonthGrid } from './grid/MonthGrid.tsx'
import { TimeGrid } from './grid/TimeGrid.tsx'
import { useFocusOnMove } from './grid/useFocusOnMove.ts'
import type { PlannableTask } from './tasks/plannable.ts'
import { TaskPanel } from './tasks/TaskPanel.tsx'
import { useTaskPanel } from './tasks/useTaskPanel.ts'
import { calendarTexts as t } from './texts.ts'
import { useAddress } from './useAddress.ts'
import { BusyLegend, ViewTools } from './ViewTools.tsx'
import { useCalendarCommands } from './useCalendarCommands.ts'

/** The reader's events by day, week, month or as a list, in the reader's zone. */
export function Calendar() {
  useDocumentTitle(`${t.calendar.title} – ${t.app.name}`)
  const { timezone: zone } = useSignedIn().person
  const now = useNow(zone)
  const today = now.slice(0, 10)
  const { span, cursorDay, openId, go, follow } = useAddress(today)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const days = useMemo(() => daysOf(span, cursorDay), [span, cursorDay])
  const loaded = useEvents(days, zone)
  const position = useListCursor(loaded.events)
  const row = position.entry
  const openEvent = loaded.events.find(({ id }) => id === openId)
  const [removing, setRemoving] = useState<EventRow>()
  const open = (row: EventRow) => {
    position.go(row.id)
    go({ openId: row.id }, openId !== undefined)
  }
  const close = () => go({ openId: undefined })
  const form = useEventForm({ zone, now, open: (id) => go({ openId: id }), follow })
  const toDay = (day: string) => go({ cursorDay: day })
  useCalendarCommands({
    span,
    cursorDay,
    today,
    row: openEvent ?? row,
    toDay,
    export: () => void exportDays(days, zone),
    toSpan: (newSpan) => go({ span: newSpan }),
    move: useFocusOnMove(position),
    open,
    close,
    create: (options) => form.openNew({ day: cursorDay, ...options }),
    edit: (row) => void form.openEdit(row),
    remove: (row) => (hasGuests(row) ? setRemoving(row) : void removeWithoutNotice(row)),
    openMeeting: useOpenMeeting(),
  })
  const hasHours = (span === 'day' || span === 'week') && !isNarrow
  const context = useCalendarContext(zone, days)
  const grid: GridState = {
    ...{ cursorId: row?.id, openId, today, now, cursorDay, go: position.go, open },
    colorById: useCalendars().colorById,
    ...context,
    toDay: (day) => go({ cursorDay: day, span: 'day' }),
    ...{ createAt: form.openNew, plan: form.plan },
  }
  return (
    <div className={styles.screen}>
      <CalendarBar {...{ span, cursorDay, today, go }} count={loaded.events.length}>
        {hasHours && <ViewTools context={context} />}
      </CalendarBar>
      <div className={styles.body}>
        <GridContext value={grid}>
          <div className={styles.main}>
            <LoadProblem events={loaded} />
            <BusyLegend context={context} />
            {isNarrow && span !== 'month' && <WeekHeads day={cursorDay} toDay={toDay} />}
            <EventsView
              span={isNarrow && span !== 'day' ? 'agenda' : span}
              {...loaded}
              days={days}
              zones={context.zones}
            />
          </div>
        </GridContext>
        <SidePanel
          {...{ today, openEvent, isNarrow, hasHours, close }}
          plan={(task) => form.openNew({ day: cursorDay, task })}
        />
      </div>
      <OpenEventForm form={form} />
      {removing && <RemoveDialog row={removing} close={() => setRemoving(undefined)} />}
      <ScopeDialog />
    </div>
  )
}

type WeekHeadsProps = { day: string; toDay: (day: string) => void }

function WeekHeads({ day, toDay }: WeekHeadsProps) {
  return <DayHeads days={daysOf('week', day)} toDay={toDay} />
}

function LoadProblem({
  events: { error, events, retry },
}: {
  events: ReturnType<typeof useEvents>
}) {
  return error && events.length === 0 ? <Problem error={error} retry={retry} /> : null
}

/** Opens the meeting of an event. */
function useOpenMeeting() {
  const navigate = useNavigate()
  return async (row: EventRow) => {
    const path = await meetingPath(row)
    if (path !== undefined) void navigate({ to: path })
  }
}

interface SidePanelProps {
  openEvent: EventRow | undefined
  today: string
  isNarrow: boolean
  hasHours: boolean
  plan: (task: PlannableTask) => void
  close: () => void
}

/** The open event, or the tasks to plan. */
function SidePanel({ openEvent, today, isNarrow, hasHours, plan, close }: SidePanelProps) {
  const panel = useTaskPanel({ hasHours, closeEvent: openEvent && close })
  if (!openEvent) return panel.isShown ? <TaskPanel {...panel} today={today} plan={plan} /> : null
  const Pane = isNarrow ? Sheet : EventPane
  return <Pane row={openEvent} close={close} />
}

function Sheet({ row, close }: { row: EventRow; close: () => void }) {
  return (
    <Dialog isOpen close={close} title={t.calendar.pane} hasHeader={false} className={styles.sheet}>
      <EventPane row={row} close={close} />
    </Dialog>
  )
}

interface EventsViewProps {
  span: Span
  days: readonly string[]
  events: readonly EventRow[]
  zones: readonly string[]
  isLoaded: boolean
}

function EventsView({ span, days, events, zones, isLoaded }: EventsViewProps) {
  if (span === 'month') return <MonthGrid days={days} events={events} />
  if (span === 'agenda') return <AgendaList days={days} events={events} isLoaded={isLoaded} />
  return <TimeGrid days={days} events={events} zones={zones} />
}

function OpenEventForm({ form: { form, save, close } }: { form: ReturnType<typeof useEventForm> }) {
  if (!form) return null
  const { serial, row, start, initial, hasDescription, problem } = form
  return (
    <EventForm
      key={serial}
      draftKey={row ? `event ${row.id}` : `new event ${start.taskId}`.trim()}
      start={start}
      initial={initial}
      isEdit={row !== undefined}
      isSeries={row?.series_id !== undefined}
      hasDescription={hasDescription}
      problem={problem}
      close={close}
      save={(values, guests) => void save(form, values, guests)}
    />
  )
}
