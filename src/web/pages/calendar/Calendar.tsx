import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useSignedIn } from '../../session/session.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Problem } from '../../ui/states.tsx'
import { usePlace } from '../inbox/usePlace.ts'
import { CalendarBar } from './CalendarBar.tsx'
import styles from './calendar.module.css'
import { useCalendars } from './data/calendars.ts'
import type { EventRow } from './data/events.ts'
import { daysOf, type Span } from './data/spans.ts'
import { useEvents } from './data/useEvents.ts'
import { useBeside } from './data/useBeside.ts'
import { useNow } from './data/useNow.ts'
import { meetingPath } from './event/actions.ts'
import { EventForm } from './event/EventForm.tsx'
import { EventPane } from './event/EventPane.tsx'
import { hasGuests, RemoveDialog, removeQuietly } from './event/RemoveDialog.tsx'
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
  const { span, at, openId, go, follow } = useAddress(today)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const days = useMemo(() => daysOf(span, at), [span, at])
  const loaded = useEvents(days, zone)
  const place = usePlace(loaded.events)
  const row = place.entry
  const opened = loaded.events.find(({ id }) => id === openId)
  const [removed, setRemoved] = useState<EventRow>()
  const open = (row: EventRow) => {
    place.go(row.id)
    go({ openId: row.id }, openId !== undefined)
  }
  const close = () => go({ openId: undefined })
  const form = useEventForm({ zone, now, open: (id) => go({ openId: id }), follow })
  const toDay = (day: string) => go({ at: day })
  useCalendarCommands({
    span,
    at,
    today,
    row: opened ?? row,
    toDay,
    export: () => void exportDays(days, zone),
    toSpan: (to) => go({ span: to }),
    move: useFocusOnMove(place),
    open,
    close,
    create: (more) => form.openNew({ day: at, ...more }),
    edit: (row) => void form.openEdit(row),
    remove: (row) => (hasGuests(row) ? setRemoved(row) : void removeQuietly(row)),
    openMeeting: useOpenMeeting(),
  })
  const hasHours = (span === 'day' || span === 'week') && !isNarrow
  const beside = useBeside(zone, days)
  const grid: GridState = {
    ...{ here: row?.id, openId, today, now, at, go: place.go, open },
    colorOf: useCalendars().colorOf,
    ...beside,
    toDay: (day) => go({ at: day, span: 'day' }),
    ...{ createAt: form.openNew, plan: form.plan },
  }
  return (
    <div className={styles.screen}>
      <CalendarBar span={span} at={at} today={today} count={loaded.events.length} go={go}>
        {hasHours && <ViewTools context={beside} />}
      </CalendarBar>
      <div className={styles.body}>
        <GridContext value={grid}>
          <div className={styles.main}>
            <LoadProblem events={loaded} />
            <BusyLegend context={beside} />
            {isNarrow && span !== 'month' && <DayHeads days={daysOf('week', at)} toDay={toDay} />}
            <Shown
              span={isNarrow && span !== 'day' ? 'agenda' : span}
              {...loaded}
              days={days}
              zones={beside.zones}
            />
          </div>
        </GridContext>
        <Beside
          {...{ today, opened, isNarrow, hasHours, close }}
          plan={(task) => form.openNew({ day: at, task })}
        />
      </div>
      <Forms form={form} />
      {removed && <RemoveDialog row={removed} close={() => setRemoved(undefined)} />}
      <ScopeDialog />
    </div>
  )
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

interface BesideProps {
  opened: EventRow | undefined
  today: string
  isNarrow: boolean
  hasHours: boolean
  plan: (task: PlannableTask) => void
  close: () => void
}

/** The open event, or the tasks to plan. */
function Beside({ opened, today, isNarrow, hasHours, plan, close }: BesideProps) {
  const panel = useTaskPanel({ hasHours, closeEvent: opened && close })
  if (!opened) return panel.isShown ? <TaskPanel {...panel} today={today} plan={plan} /> : null
  const Pane = isNarrow ? Sheet : EventPane
  return <Pane row={opened} close={close} />
}

function Sheet({ row, close }: { row: EventRow; close: () => void }) {
  return (
    <Dialog isOpen close={close} title={t.calendar.pane} hasHeader={false} className={styles.sheet}>
      <EventPane row={row} close={close} />
    </Dialog>
  )
}

interface ShownProps {
  span: Span
  days: readonly string[]
  events: readonly EventRow[]
  zones: readonly string[]
  isLoaded: boolean
}

function Shown({ span, days, events, zones, isLoaded }: ShownProps) {
  if (span === 'month') return <MonthGrid days={days} events={events} />
  if (span === 'agenda') return <AgendaList days={days} events={events} isLoaded={isLoaded} />
  return <TimeGrid days={days} events={events} zones={zones} />
}

function Forms({ form: { form, save, close } }: { form: ReturnType<typeof useEventForm> }) {
  if (!form) return null
  const { serial, row, start, initial, hasDescription, problem } = form
  return (
    <EventForm
      key={serial}
      name={row ? `event ${row.id}` : `new event ${start.taskId}`.trim()}
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
