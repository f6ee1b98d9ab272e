import { useState, type FormEvent } from 'react'
import type { Input } from '../../api/client.ts'
import { peopleTexts } from '../../texts/en/company/people.ts'
import { PickerButton } from '../../ui/actions/PickerButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { addDays, dayOf, longDay } from '../../ui/work/days.ts'
import { DayMenu } from '../../ui/work/DayMenu.tsx'
import planning from '../planning/planning.module.css'
import { addTimeOff } from './data.ts'
import styles from './people.module.css'

const { timeOff: words } = peopleTexts

type Kind = Input<'create_time_off'>['kind']
const kinds = Object.keys(words.kinds) as Kind[]

/** Records the reader's time off, with days in words. */
export function AddTimeOff({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  return (
    <Dialog isOpen={isOpen} close={close} title={words.create}>
      <TimeOffForm close={close} />
    </Dialog>
  )
}

function TimeOffForm({ close }: { close: () => void }) {
  const [firstDay, setFirstDay] = useState(() => addDays(dayOf(), 1))
  const [lastDay, setLastDay] = useState(firstDay)
  const [kind, setKind] = useState<Kind>('vacation')
  const [note, setNote] = useState('')
  const [isSending, setSending] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setSending(true)
    const isAdded = await addTimeOff({
      starts_on: firstDay,
      ends_on: lastDay,
      kind,
      ...(note.trim() !== '' && { note: note.trim() }),
    })
    setSending(false)
    if (isAdded) close()
  }
  return (
    <form className={planning.form} onSubmit={(event) => void submit(event)}>
      <div className={planning.pair}>
        <DayButton
          label={words.first}
          day={firstDay}
          isFirst
          set={(day) => {
            setFirstDay(day)
            if (lastDay < day) setLastDay(day)
          }}
        />
        <DayButton
          label={words.last}
          day={lastDay}
          set={(day) => {
            setLastDay(day)
            if (day < firstDay) setFirstDay(day)
          }}
        />
      </div>
      <label>
        {words.kind}
        <select value={kind} onChange={(event) => setKind(event.currentTarget.value as Kind)}>
          {kinds.map((value) => (
            <option key={value} value={value}>
              {words.kinds[value]}
            </option>
          ))}
        </select>
        {kind === 'sick' && <span className={planning.note}>{words.sickHint}</span>}
      </label>
      <label>
        {words.note}
        <input
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          maxLength={2000}
          autoComplete="off"
          dir="auto"
        />
      </label>
      <button type="submit" className={planning.primary} disabled={isSending}>
        {words.add}
      </button>
    </form>
  )
}

interface DayButtonProps {
  label: string
  day: string
  isFirst?: boolean
  set: (day: string) => void
}

/** A day entered in words, such as “next monday”. */
function DayButton({ label, day, isFirst = false, set }: DayButtonProps) {
  return (
    <div className={styles.day}>
      <span aria-hidden>{label}</span>
      <PickerButton
        className={planning.button}
        aria-label={`${label}: ${longDay(day)}`}
        data-autofocus={isFirst || undefined}
        list={(anchor, close) => (
          <DayMenu
            anchor={anchor}
            close={close}
            label={label}
            days={[day]}
            canClear={false}
            choose={(chosen) => chosen !== null && set(chosen)}
          />
        )}
      >
        {longDay(day)}
      </PickerButton>
    </div>
  )
}
