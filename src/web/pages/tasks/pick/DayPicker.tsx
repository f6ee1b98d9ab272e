import { useDebouncedValue } from '@mantine/hooks'
import { IconCalendarOff, IconCalendarEvent, IconSparkles } from '@tabler/icons-react'
import { useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { addDays, dayOf, longDay, nextWeekday } from '../../../ui/work/days.ts'
import { filterChoices, Picker, type Choice } from '../../../ui/work/Picker.tsx'
import { dueDay } from '../list/arrange.ts'
import { applyChange } from './changes.ts'
import type { FieldPickerProps } from './TaskPicker.tsx'

/** A day in words: the usual ones, and whatever else the server understands, such as “next fri” or “in 10 days”. */
export function DayPicker({
  ids,
  rows,
  anchor,
  close,
  field,
}: FieldPickerProps & { field: 'due' | 'start' }) {
  const [query, setQuery] = useState('')
  const spoken = useSpokenDay(query)
  const today = dayOf()
  const has = rows.some((row) => (field === 'due' ? dueDay(row) : row.start_on) !== undefined)
  const choices: Choice<string | null>[] = [
    ...usualDays(today).map(([label, day]) => ({
      value: day,
      label,
      icon: <IconCalendarEvent size={15} stroke={1.6} aria-hidden />,
      hint: longDay(day, today),
      isChosen: rows.every((row) => (field === 'due' ? dueDay(row) : row.start_on) === day),
    })),
    ...(has
      ? [
          {
            value: null,
            label: t.tasks.noDay,
            icon: <IconCalendarOff size={15} stroke={1.6} aria-hidden />,
          },
        ]
      : []),
  ]
  const understood: Choice<string | null>[] =
    spoken === undefined
      ? []
      : [
          {
            value: spoken,
            label: longDay(spoken, today),
            icon: <IconSparkles size={15} stroke={1.6} aria-hidden />,
            hint: query,
          },
        ]
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={t.tasks.pick[field]}
      onQuery={setQuery}
      choices={(text) => {
        const known = filterChoices(choices, text)
        return known.length > 0 && text.length < 3
          ? [...known, ...understood]
          : [...understood, ...known]
      }}
      choose={(day) => void applyChange(ids, { field, day })}
    />
  )
}

function usualDays(today: string): [string, string][] {
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

/** The day that words mean, as the server reads them. */
function useSpokenDay(query: string): string | undefined {
  const [asked] = useDebouncedValue(query.trim(), 150)
  const { data } = useOperation(
    'get_current_time',
    { phrase: asked },
    { enabled: asked.length >= 2, staleTime: 60_000 },
  )
  const isCurrent = query.trim() === asked && asked.length >= 2
  return isCurrent ? data?.resolved?.from_local.slice(0, 10) : undefined
}
