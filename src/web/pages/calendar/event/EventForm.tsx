import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { foldText } from '../../../../kernel/text/folded-text.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { deleteDraft, useDraft } from '../../../ui/work/kept-drafts.ts'
import { usePeople } from '../../tasks/data/lists.ts'
import { calendarTexts as t } from '../texts.ts'
import styles from './event.module.css'
import { EventFields } from './EventFields.tsx'
import { isAttendeeAddress, isBackwards, type EventValues } from './values.ts'

interface EventFormProps {
  /** Key under which the draft is stored. */
  draftKey: string
  start: EventValues
  initial: EventValues | undefined
  /** True for an existing event. */
  isEdit: boolean
  isSeries: boolean
  /** False if the description of an event could not be loaded: it is left unchanged then. */
  hasDescription: boolean
  /** Error from the server, if the form is reopened because of one. */
  problem: string | undefined
  close: () => void
  save: (values: EventValues, guests: GuestChange) => void
}

/** Guests in operation arguments: ids of colleagues, and addresses. */
export interface GuestChange {
  all: string[]
  added: string[]
  removed: string[]
}

/** Stored part of the form: the texts, as they take the longest to write. */
type Draft = Partial<Pick<EventValues, 'title' | 'place' | 'about' | 'guests'>>

/** The form of an event. Typed text is restored after Escape, a reload and a refusal. */
export function EventForm(props: EventFormProps) {
  const { form } = t.calendar
  return (
    <Dialog isOpen close={props.close} title={props.isEdit ? form.edit : form.create}>
      <FormBody {...props} />
    </Dialog>
  )
}

function FormBody(props: EventFormProps) {
  const { form } = t.calendar
  const { draftKey, start, initial, isEdit, problem, close, save } = props
  const [draft, keepDraft] = useDraft(draftKey, '')
  const [values, setValues] = useState<EventValues>(
    () => initial ?? { ...start, ...readDraft(draft) },
  )
  const [isSubmitted, setSubmitted] = useState(problem !== undefined)
  const guestChange = useGuestChange(start.guests, values.guests)
  const validationError = validationErrorOf(values, guestChange.unknown)
  const change = (patch: Partial<EventValues>) => {
    const next = { ...values, ...patch }
    setValues(next)
    const { title, place, about, guests } = next
    const isNew = (['title', 'place', 'about', 'guests'] as const).some(
      (field) => JSON.stringify(next[field]) !== JSON.stringify(start[field]),
    )
    keepDraft(isNew ? JSON.stringify({ title, place, about, guests } satisfies Draft) : '')
  }
  const trySave = () => {
    setSubmitted(true)
    if (validationError !== undefined) return
    deleteDraft(draftKey)
    save(values, guestChange)
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    trySave()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    trySave()
  }
  const message = validationError ?? problem
  return (
    <form className={styles.form} onSubmit={handleSubmit} onKeyDown={handleKeyDown} noValidate>
      <EventFields {...props} values={values} change={change} knownGuests={guestChange.all} />
      <footer className={styles.foot}>
        <p className={styles.problem} role="alert">
          {isSubmitted && message}
        </p>
        <button type="button" className={styles.button} onClick={close}>
          {t.app.cancel}
        </button>
        <button type="submit" className={styles.primary}>
          {isEdit ? form.save : form.make} <KeyCombo command="text.send" />
        </button>
      </footer>
    </form>
  )
}

function readDraft(text: string): Draft {
  return text === '' ? {} : (JSON.parse(text) as Draft)
}

function validationErrorOf(values: EventValues, unknown: string | undefined): string | undefined {
  const { invalid } = t.calendar.form
  if (values.title.trim() === '') return invalid.title
  if (isBackwards(values)) return invalid.ends
  return unknown === undefined ? undefined : invalid.guest(unknown)
}

const singleItem = <T,>(items: readonly T[]) => (items.length === 1 ? items[0] : undefined)

/** Added and removed guests, and the first one who is unknown. */
function useGuestChange(before: readonly string[], after: readonly string[]) {
  const people = usePeople()
  const idOf = (text: string): string | undefined => {
    const lowerCased = text.toLowerCase()
    const folded = foldText(text)
    const exact = people.find(
      (person) =>
        person.display_name.toLowerCase() === lowerCased ||
        person.email.toLowerCase() === lowerCased,
    )
    const withName = people.filter((person) => foldText(person.display_name) === folded)
    const withFirstName = people.filter((person) =>
      foldText(person.display_name).startsWith(`${folded} `),
    )
    const match = exact ?? singleItem(withName) ?? singleItem(withFirstName)
    return match?.id ?? (isAttendeeAddress(text) ? text : undefined)
  }
  const added = after.filter((guest) => !before.includes(guest))
  const idsOf = (guests: readonly string[]) =>
    guests.map(idOf).filter((guest) => guest !== undefined)
  return {
    all: idsOf(after),
    added: idsOf(added),
    removed: before.filter((guest) => !after.includes(guest)),
    unknown: added.find((guest) => idOf(guest) === undefined),
  }
}
