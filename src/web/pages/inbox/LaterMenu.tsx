import { useDebouncedValue } from '@mantine/hooks'
import { IconClock, IconSparkles } from '@tabler/icons-react'
import { useState } from 'react'
import { useOperation } from '../../api/queries.ts'
import { addDays, dayOf, nextWeekday } from '../../ui/work/days.ts'
import { filterChoices, Picker, type Choice } from '../../ui/work/Picker.tsx'
import { momentWords, spokenMoment, wholeHour } from './moments.ts'
import { inboxTexts as t } from './texts.ts'

interface LaterMenuProps {
  anchor: Element
  close: () => void
  choose: (until: Date) => void
}

/** When an item returns: common moments, or any time in words. */
export function LaterMenu({ anchor, close, choose }: LaterMenuProps) {
  const [query, setQuery] = useState('')
  const [asked] = useDebouncedValue(wholeHour(query), 150)
  const { data } = useOperation(
    'get_current_time',
    { phrase: asked },
    { enabled: asked.length >= 2, staleTime: 60_000 },
  )
  const isCurrent = asked.length >= 2 && wholeHour(query) === asked
  const spoken = isCurrent && data?.resolved ? spokenMoment(data.resolved) : undefined
  const choices = momentChoices(new Date()).map(
    ([label, at]): Choice<Date> => ({
      value: at,
      label,
      hint: momentWords(at),
      icon: <IconClock size={15} stroke={1.6} aria-hidden />,
    }),
  )
  const understood: Choice<Date>[] =
    spoken && spoken > new Date()
      ? [
          {
            value: spoken,
            label: momentWords(spoken),
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
      choices={(text) => [...understood, ...filterChoices(choices, text)]}
      choose={choose}
    />
  )
}

/** The first one is the most common choice. */
function momentChoices(now: Date): [string, Date][] {
  const { later } = t.inbox
  const today = dayOf(now)
  const at = (day: string, hour: number) => new Date(`${day}T${String(hour).padStart(2, '0')}:00`)
  const evening = at(today, 18)
  const all: [string, Date][] = [
    [later.tomorrow, at(addDays(today, 1), 9)],
    [later.hour, new Date(now.getTime() + 3_600_000)],
    [later.evening, evening],
    [later.monday, at(nextWeekday(today, 1), 9)],
    [later.week, at(addDays(today, 7), 9)],
    [later.month, at(addDays(today, 30), 9)],
  ]
  return all.filter(([, moment]) => moment > now)
}
