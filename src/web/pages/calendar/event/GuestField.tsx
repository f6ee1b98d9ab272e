import { IconX } from '@tabler/icons-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { Face } from '../../../ui/work/Who.tsx'
import { usePeople } from '../../tasks/data/lists.ts'
import { calendarTexts as t } from '../texts.ts'
import styles from './event.module.css'

interface GuestFieldProps {
  guests: readonly string[]
  change: (guests: string[]) => void
}

/**
 * Field for invited guests: names are completed, Enter or a comma accepts the input, Backspace removes the last
 * guest.
 */
export function GuestField({ guests, change }: GuestFieldProps) {
  const [text, setText] = useState('')
  const people = usePeople()
  const listId = useId()
  const hintId = useId()
  const add = (entry: string) => {
    const names = entry.split(',').map((name) => name.trim())
    const added = names.filter((name) => name !== '' && !guests.includes(name))
    if (added.length > 0) change([...guests, ...added])
    setText('')
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (
      (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && text.trim() !== '') ||
      event.key === ','
    ) {
      event.preventDefault()
      add(text)
    } else if (event.key === 'Backspace' && text === '') change(guests.slice(0, -1))
  }
  return (
    <div className={styles.field} data-wide>
      <label htmlFor={`${listId}-input`}>{t.calendar.form.guests}</label>
      <div className={styles.guests}>
        {guests.map((guest) => (
          <span key={guest} className={styles.guest}>
            <Face id={guest} name={guest} size={16} />
            <span dir="auto">{guest}</span>
            <button
              type="button"
              className={styles.takeOut}
              aria-label={`${t.calendar.form.takeOut} ${guest}`}
              onClick={() => change(guests.filter((other) => other !== guest))}
            >
              <IconX size={12} aria-hidden />
            </button>
          </span>
        ))}
        <input
          id={`${listId}-input`}
          value={text}
          list={listId}
          aria-describedby={hintId}
          autoComplete="off"
          dir="auto"
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={handleKeyDown}
          onBlur={() => add(text)}
        />
      </div>
      <datalist id={listId}>
        {people
          .filter(({ display_name }) => !guests.includes(display_name))
          .map((person) => (
            <option key={person.id} value={person.display_name} label={person.email} />
          ))}
      </datalist>
      <p id={hintId} className={styles.hint}>
        {t.calendar.form.guestsHint}
      </p>
    </div>
  )
}
