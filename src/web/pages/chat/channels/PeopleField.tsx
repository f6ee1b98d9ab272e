import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useSignedIn } from '../../../session/session.ts'
import { t } from '../../../texts/index.ts'
import { filterChoices, Picker } from '../../../ui/work/Picker.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { useColleagues } from '../data/people.ts'
import styles from './channels.module.css'

interface Person {
  id: string
  title: string
}

interface PeopleFieldProps {
  label: string
  people: readonly Person[]
  change: (people: readonly Person[]) => void
  autoFocus?: boolean
}

/** The chosen people, and a way to choose more. */
export function PeopleField({ label, people, change, autoFocus }: PeopleFieldProps) {
  const [anchor, setAnchor] = useState<Element>()
  return (
    <fieldset className={styles.people} aria-label={label}>
      <span className={styles.peopleLabel}>{label}</span>
      {people.map((person) => (
        <span key={person.id} className={styles.person}>
          <Face id={person.id} name={person.title} size={18} />
          <span dir="auto">{person.title}</span>
          <button
            type="button"
            aria-label={t.chat.directTo.remove(person.title)}
            onClick={() => change(people.filter((item) => item.id !== person.id))}
          >
            <IconX size={13} aria-hidden />
          </button>
        </span>
      ))}
      <button
        type="button"
        className={styles.addPerson}
        onClick={(event) => setAnchor(event.currentTarget)}
        ref={(node) => {
          if (autoFocus && people.length === 0) node?.focus()
        }}
      >
        <IconPlus size={14} aria-hidden /> {t.chat.directTo.add}
      </button>
      {anchor && (
        <PersonPicker
          anchor={anchor}
          chosen={people}
          choose={(person) =>
            change(
              people.some((item) => item.id === person.id)
                ? people.filter((item) => item.id !== person.id)
                : [...people, person],
            )
          }
          close={() => setAnchor(undefined)}
        />
      )}
    </fieldset>
  )
}

interface PersonPickerProps {
  anchor: Element
  chosen: readonly Person[]
  choose: (person: Person) => void
  close: () => void
}

/** A multiple choice of colleagues. */
export function PersonPicker({ anchor, chosen, choose, close }: PersonPickerProps) {
  const { person: me } = useSignedIn()
  const people = useColleagues()
  const choices = people
    .filter(({ id }) => id !== me.id)
    .map((person) => ({
      value: person,
      label: person.title,
      icon: <Face id={person.id} name={person.title} size={18} />,
      isChosen: chosen.some((item) => item.id === person.id),
    }))
  return (
    <Picker
      anchor={anchor}
      label={t.chat.directTo.add}
      choices={(query) => filterChoices(choices, query)}
      choose={choose}
      isMultiple
      close={close}
    />
  )
}
