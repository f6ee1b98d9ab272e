import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { spans, type Span } from './data/spans.ts'

const spanKey = 'workspace.calendar-span'

const isDayParam = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

interface CalendarAddress {
  span: Span
  /** The day to which the keyboard has moved. */
  cursorDay: string
  /** The open event. */
  openId: string | undefined
}

/** Reads and changes the calendar's state in the address; the span is remembered in this browser. */
export function useAddress(today: string) {
  const search = useSearch({ strict: false }) as { view?: string; day?: unknown; event?: string }
  const navigate = useNavigate()
  const router = useRouter()
  const storedSpan = localStorage.getItem(spanKey)
  const span = spans.find((name) => name === (search.view ?? storedSpan)) ?? 'week'
  const address: CalendarAddress = {
    span,
    cursorDay: isDayParam(search.day) ? search.day : today,
    openId: search.event,
  }
  const go = (change: Partial<CalendarAddress>, replace = true) => {
    const next = { ...address, ...change }
    if (change.span !== undefined) localStorage.setItem(spanKey, change.span)
    const event = next.openId === undefined ? {} : { event: next.openId }
    void navigate({
      to: '/calendar',
      search: { view: next.span, day: next.cursorDay, ...event },
      replace,
    })
  }
  /** Follows an open event when the server assigns its id. */
  const follow = (temporaryId: string, assignedId: string) => {
    const { pathname, search } = router.latestLocation
    if (pathname === '/calendar' && 'event' in search && search.event === temporaryId)
      void navigate({ to: '/calendar', search: { ...search, event: assignedId }, replace: true })
  }
  return { ...address, go, follow }
}
