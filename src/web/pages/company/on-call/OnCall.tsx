import { useDocumentTitle } from '@mantine/hooks'
import { IconPhoneCall, IconPlus } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { runCommand, useCommands } from '../../../keys/commands.ts'
import { onCallTexts as words } from '../../../texts/en/company/on-call.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState, Loading, Problem } from '../../../ui/states.tsx'
import { addDays, dayOf, shortDate } from '../../../ui/work/days.ts'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import planning from '../../planning/planning.module.css'
import contacts from '../contacts/contacts.module.css'
import { ResponseTabs } from '../ResponseTabs.tsx'
import { removeSchedule, shownDays, useSchedules, type Schedule } from './data.ts'
import { OverrideForm, type Override } from './OverrideForm.tsx'
import { ScheduleCard } from './ScheduleCard.tsx'
import { ScheduleForm } from './ScheduleForm.tsx'
import styles from './on-call.module.css'

/** Current and next people on call, and the rotations with their gaps. */
export function OnCall() {
  useDocumentTitle(`${words.title} – ${t.app.name}`)
  const { id } = useParams({ strict: false }) as { id?: string }
  const [from, setFrom] = useState(dayOf())
  const [editedSchedule, setEditing] = useState<Schedule | 'new'>()
  const [override, setCover] = useState<Override>()
  const scheduleList = useSchedules(from)
  const schedules = scheduleList.items.filter((schedule) => id === undefined || schedule.id === id)
  const list = useRef<HTMLDivElement>(null)
  useRowKeys(list)
  useOnCallCommands(schedules, { setFrom, setEditing, setCover })
  return (
    <div className={planning.screen}>
      <Bar from={from} />
      <div ref={list} className={styles.schedules}>
        {scheduleList.error && (
          <Problem error={scheduleList.error} retry={() => void scheduleList.refetch()} />
        )}
        {scheduleList.isPending && <Loading />}
        {!scheduleList.isPending && !scheduleList.error && schedules.length === 0 && (
          <EmptyState icon={IconPhoneCall} {...words.empty} action={<NewButton />} />
        )}
        {schedules.map((schedule) => (
          <ScheduleCard
            key={schedule.id}
            schedule={schedule}
            edit={() => setEditing(schedule)}
            cover={setCover}
          />
        ))}
      </div>
      <Dialog
        isOpen={editedSchedule !== undefined}
        close={() => setEditing(undefined)}
        title={words.form.title}
        isWide
      >
        <ScheduleForm
          schedule={editedSchedule === 'new' ? undefined : editedSchedule}
          close={() => setEditing(undefined)}
        />
      </Dialog>
      <Dialog
        isOpen={override !== undefined}
        close={() => setCover(undefined)}
        title={words.override.title(override?.schedule.name ?? '')}
      >
        {override && <OverrideForm override={override} close={() => setCover(undefined)} />}
      </Dialog>
    </div>
  )
}

interface Setters {
  setFrom: (change: (from: string) => string) => void
  setEditing: (schedule: Schedule | 'new') => void
  setCover: (cover: Override) => void
}

/** Keyboard commands: for the schedule that has the focus, else the first. */
function useOnCallCommands(schedules: readonly Schedule[], set: Setters): void {
  const currentSchedule = () => {
    const id = document.activeElement?.closest<HTMLElement>('[data-schedule]')?.dataset.schedule
    return schedules.find((schedule) => schedule.id === id) ?? schedules[0]
  }
  const withCurrent = (run: (schedule: Schedule) => void) =>
    schedules.length === 0
      ? undefined
      : () => {
          const schedule = currentSchedule()
          if (schedule) run(schedule)
        }
  useCommands({
    'onCall.create': () => set.setEditing('new'),
    'onCall.edit': withCurrent(set.setEditing),
    'onCall.cover': withCurrent((schedule) => set.setCover({ schedule })),
    'onCall.delete': withCurrent((schedule) => void removeSchedule(schedule)),
    'period.previous': () => set.setFrom((from) => addDays(from, -shownDays)),
    'period.next': () => set.setFrom((from) => addDays(from, shownDays)),
    'timeline.today': () => set.setFrom(() => dayOf()),
  })
}

function Bar({ from }: { from: string }) {
  return (
    <header className={planning.bar}>
      <h1 className={contacts.hidden}>{words.title}</h1>
      <ResponseTabs />
      {(
        [
          ['period.previous', words.previous],
          ['timeline.today', words.today],
          ['period.next', words.next],
        ] as const
      ).map(([command, label]) => (
        <button
          key={command}
          type="button"
          className={planning.button}
          data-plain
          onClick={() => runCommand(command)}
        >
          {label}
        </button>
      ))}
      <span className={planning.note} role="status">
        {words.period(shortDate(from), shortDate(addDays(from, shownDays - 1)))}
      </span>
      <span className={planning.spring} />
      <NewButton />
    </header>
  )
}

function NewButton() {
  return (
    <button type="button" className={planning.primary} onClick={() => runCommand('onCall.create')}>
      <IconPlus size={15} stroke={2} aria-hidden />
      {words.create}
    </button>
  )
}
