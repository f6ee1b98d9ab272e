import { useDebouncedValue } from '@mantine/hooks'
import { IconCalendarEvent, IconCalendarOff, IconSparkles } from '@tabler/icons-react'
import { useContext, useState } from 'react'
import { useOperation } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'
import { addDays, dayOf, longDay, nextWeekday } from './days.ts'
import { filterChoices, Picker, PickerStartContext, type Choice } from './Picker.tsx'

interface DayMenuProps {
  anchor: Element
  close: () => void
  label: string
  /** Current days of the items being changed. */
  days: readonly (string | undefined)[]
  canClear?: boolean
  choose: (day: string | null) => void
}

/** A menu of common days, and of phrases that the server can parse, such as “next fri” or “in 10 days”. */
export function DayMenu({ anchor, close, label, days, canClear = true, choose }: DayMenuProps) {
  const [query, setQuery] = useState(useContext(PickerStartContext).query)
  const parsedDay = useParsedDay(query)
  const today = dayOf()
  const choices: Choice<string | null>[] = [
    ...dayChoices(today).map(([name, day]) => ({
      value: day,
      label: name,
      icon: <IconCalendarEvent size={15} stroke={1.6} aria-hidden />,
      hint: longDay(day, today),
      isChosen: days.every((other) => other === day),
    })),
    ...(canClear && days.some((day) => day !== undefined)
      ? [
          {
            value: null,
            label: t.tasks.noDay,
            icon: <IconCalendarOff size={15} stroke={1.6} aria-hidden />,
          },
        ]
      : []),
  ]
  const parsedChoices: Choice<string | null>[] =
    parsedDay === undefined
      ? []
      : [
          {
            value: parsedDay,
            label: longDay(parsedDay, today),
            icon: <IconSparkles size={15} stroke={1.6} aria-hidden />,
            hint: query,
          },
        ]
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={label}
      onQuery={setQuery}
      choices={(text) => {
        const matching = filterChoices(choices, text)
        return matching.length > 0 && text.length < 3
          ? [...matching, ...parsedChoices]
          : [...parsedChoices, ...matching]
      }}
      choose={choose}
    />
  )
}

function dayChoices(today: string): [string, string][] {
  const { days } = t.tasks
  return [
    [days.today, today],
    [days.tomorrow, addDays(today, 1)],
    [days.friday, nextWeekday(today, 5)],
    [days.monday, nextWeekday(today, 1)],
    [days.twoWeeks, addDays(today, 14)],
    [days.month, addDays(today, 30)],
  ]
}

/** The day for a phrase, parsed by the server. */
function useParsedDay(query: string): string | undefined {
  const [debouncedQuery] = useDebouncedValue(query.trim(), 150)
  const { data } = useOperation(
    'get_current_time',
    { phrase: debouncedQuery },
    { enabled: debouncedQuery.length >= 2, staleTime: 60_000 },
  )
  const isCurrent = query.trim() === debouncedQuery && debouncedQuery.length >= 2
  return isCurrent ? data?.resolved?.from_local.slice(0, 10) : undefined
}
