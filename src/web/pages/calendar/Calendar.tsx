import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
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
import { EventForm } from './event/EventForm.tsx'
import { EventPane } from './event/EventPane.tsx'
import { hasGuests, RemoveDialog, removeQuietly } from './event/RemoveDialog.tsx'
import { ScopeDialog } from './event/ScopeDialog.tsx'
import { useEventForm } from './event/useEventForm.ts'
import { AgendaList } from './grid/AgendaList.tsx'
import { GridContext, type GridState } from './grid/context.ts'
import { DayHeads } from './grid/DayHeads.tsx'
import { MonthGrid } from './grid/MonthGrid.tsx'
import { TimeGrid } from './grid/TimeGrid.tsx'
import { useFocusOnMove } from './grid/useFocusOnMove.ts'
import { calendarTexts as t } from './texts.ts'
import { useAddress } from './useAddress.ts'
import { BusyLegend, ViewTools } from './ViewTools.tsx'
import { useCalendarCommands } from './useCalendarCommands.ts'

/** The reader's own events by day, week, month or as a list, in the reader's zone. */
export function Calendar() {
  useDocumentTitle(`${t.calendar.title} – ${t.app.name}`)
  const { timezone: zone } = useSignedIn().person
  const now = useNow(zone)
  const today = now.slice(0, 10)
  const { span, at, openId, go } = useAddress(today)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const days = useMemo(() => daysOf(span, at), [span, at])
  const loaded = useEvents(days, zone)
  const place = usePlace(loaded.events)
  const row = place.entry
  const opened = loaded.events.find(({ id }) => id === openId)
  const [removed, setRemoved] = useState<EventRow>()
  const open = (of: EventRow) => {
    place.go(of.id)
    go({ openId: of.id }, openId !== undefined)
  }
  const close = () => go({ openId: undefined })
  const form = useEventForm({ zone, now, open: (id) => go({ openId: id }) })
  const toDay = (day: string) => go({ at: day })
  useCalendarCommands({
    span,
    at,
    today,
    row: opened ?? row,
    toDay,
    toSpan: (to) => go({ span: to }),
    move: useFocusOnMove(place),
    open,
    close,
    create: () => form.openNew({ day: at }),
    edit: (of) => void form.openEdit(of),
    remove: (of) => (hasGuests(of) ? setRemoved(of) : void removeQuietly(of)),
  })
  const { colorOf } = useCalendars()
  const beside = useBeside(zone, days)
  const grid: GridState = {
    ...{ here: row?.id, openId, today, now, at, colorOf, go: place.go, open },
    ...beside,
    toDay: (day) => go({ at: day, span: 'day' }),
    createAt: form.openNew,
  }
  return (
    <div className={styles.screen}>
      <CalendarBar span={span} at={at} today={today} count={loaded.events.length} go={go}>
        {(span === 'day' || span === 'week') && !isNarrow && <ViewTools of={beside} />}
      </CalendarBar>
      <div className={styles.body}>
        <GridContext value={grid}>
          <div className={styles.main}>
            {loaded.error && loaded.events.length === 0 && (
              <Problem error={loaded.error} retry={loaded.retry} />
            )}
            <BusyLegend of={beside} />
            {isNarrow && span !== 'month' && <DayHeads days={daysOf('week', at)} toDay={toDay} />}
            <Shown
              span={isNarrow && span !== 'day' ? 'agenda' : span}
              {...loaded}
              days={days}
              zones={beside.zones}
            />
          </div>
        </GridContext>
        {opened && !isNarrow && <EventPane row={opened} close={close} />}
      </div>
      {opened && isNarrow && <Sheet row={opened} close={close} />}
      <Forms form={form} />
      {removed && <RemoveDialog row={removed} close={() => setRemoved(undefined)} />}
      <ScopeDialog />
    </div>
  )
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
  const { serial, row, start, again, hasDescription, problem } = form
  return (
    <EventForm
      key={serial}
      name={row ? `event ${row.id}` : 'new event'}
      start={start}
      again={again}
      isEdit={row !== undefined}
      isSeries={row?.series_id !== undefined}
      hasDescription={hasDescription}
      problem={problem}
      close={close}
      save={(values, guests) => void save(form, values, guests)}
    />
  )
}
