import { useDebouncedValue } from '@mantine/hooks'
import { IconClock, IconSparkles } from '@tabler/icons-react'
import { useState } from 'react'
import { useOperation } from '../../api/queries.ts'
import { addDays, dayOf, nextWeekday } from '../../ui/work/days.ts'
import { filterChoices, Picker, type Choice } from '../../ui/work/Picker.tsx'
import { describeMoment, resolvedDate, wholeHour } from './moments.ts'
import { inboxTexts as t } from './texts.ts'

interface LaterMenuProps {
  anchor: Element
  close: () => void
  choose: (until: Date) => void
}

/** When an item returns: common moments, or any time in words. */
export function LaterMenu({ anchor, close, choose }: LaterMenuProps) {
  const [query, setQuery] = useState('')
  const [debouncedQuery] = useDebouncedValue(wholeHour(query), 150)
  const { data } = useOperation(
    'get_current_time',
    { phrase: debouncedQuery },
    { enabled: debouncedQuery.length >= 2, staleTime: 60_000 },
  )
  const isCurrent = debouncedQuery.length >= 2 && wholeHour(query) === debouncedQuery
  const parsedDate = isCurrent && data?.resolved ? resolvedDate(data.resolved) : undefined
  const choices = momentChoices(new Date()).map(
    ([label, date]): Choice<Date> => ({
      value: date,
      label,
      hint: describeMoment(date),
      icon: <IconClock size={15} stroke={1.6} aria-hidden />,
    }),
  )
  const parsedChoices: Choice<Date>[] =
    parsedDate && parsedDate > new Date()
      ? [
          {
            value: parsedDate,
            label: describeMoment(parsedDate),
            hint: query,
            icon: <IconSparkles size={15} stroke={1.6} aria-hidden />,
          },
        ]
      : []
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={t.inbox.later.label}
      onQuery={setQuery}
      choices={(text) => [...parsedChoices, ...filterChoices(choices, text)]}
      choose={choose}
    />
  )
}

/** Common moments in the future, the most common first. */
function momentChoices(now: Date): [string, Date][] {
  const { later } = t.inbox
  const today = dayOf(now)
  const dateAt = (day: string, hour: number) =>
    new Date(`${day}T${String(hour).padStart(2, '0')}:00`)
  const evening = dateAt(today, 18)
  const all: [string, Date][] = [
    [later.tomorrow, dateAt(addDays(today, 1), 9)],
    [later.hour, new Date(now.getTime() + 3_600_000)],
    [later.evening, evening],
    [later.monday, dateAt(nextWeekday(today, 1), 9)],
    [later.week, dateAt(addDays(today, 7), 9)],
    [later.month, dateAt(addDays(today, 30), 9)],
  ]
  return all.filter(([, moment]) => moment > now)
}
