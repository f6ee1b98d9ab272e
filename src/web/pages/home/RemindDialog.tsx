import { useState, type FormEvent } from 'react'
import { t } from '../../texts/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { addDays, dayOf } from '../../ui/work/days.ts'
import planning from '../planning/planning.module.css'
import { createReminder } from './reminders-data.ts'
import { repeats, rruleOfRepeat, type Repeat } from './repeats.ts'

const words = t.home.reminders

/** The form of a reminder: text, time, and repetition. */
export function RemindDialog({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  return (
    <Dialog isOpen={isOpen} close={close} title={words.add}>
      <RemindForm close={close} />
    </Dialog>
  )
}

function RemindForm({ close }: { close: () => void }) {
  const [text, setText] = useState('')
  const [localTime, setLocalTime] = useState(`${addDays(dayOf(), 1)}T09:00`)
  const [repeat, setRepeat] = useState<Repeat | ''>('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const input = {
      text: text.trim(),
      remind_at: new Date(localTime).toISOString(),
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(repeat === '' ? {} : { rrule: rruleOfRepeat(repeat) }),
    }
    void createReminder(input)
    close()
  }
  return (
    <form className={planning.form} onSubmit={submit}>
      <label>
        {words.text}
        <input
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          required
          maxLength={2000}
          autoComplete="off"
          dir="auto"
        />
      </label>
      <div className={planning.pair}>
        <label>
          {words.at}
          <input
            type="datetime-local"
            value={localTime}
            onChange={(event) => setLocalTime(event.currentTarget.value)}
            required
          />
        </label>
        <RepeatField value={repeat} change={setRepeat} />
      </div>
      <button
        type="submit"
        className={planning.primary}
        disabled={text.trim() === '' || localTime === ''}
      >
        {words.save}
      </button>
    </form>
  )
}

function RepeatField({
  value,
  change,
}: {
  value: Repeat | ''
  change: (repeat: Repeat | '') => void
}) {
  return (
    <label>
      {words.repeatLabel}
      <select
        value={value}
        onChange={(event) =>
          change(repeats.find((repeat) => repeat === event.currentTarget.value) ?? '')
        }
      >
        <option value="">{words.once}</option>
        {repeats.map((repeat) => (
          <option key={repeat} value={repeat}>
            {words.repeat[repeat]}
          </option>
        ))}
      </select>
    </label>
  )
}
