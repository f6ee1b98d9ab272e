import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useList, useOperation } from '../../api/queries.ts'
import { runCommand, useCommands } from '../../keys/commands.ts'
import { KeyCombo } from '../../keys/KeyCombo.tsx'
import { useIsAdmin, useMe } from '../../session/session.ts'
import { peopleTexts } from '../../texts/en/company/people.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { QueryContent } from '../../ui/states.tsx'
import { useRowKeys } from '../../ui/work/row-keys.ts'
import { Loaded } from '../items/Found.tsx'
import { ItemFrame } from '../items/Frame.tsx'
import { ItemSection } from '../items/Section.tsx'
import { CommandButton } from '../planning/CommandButton.tsx'
import planning from '../planning/planning.module.css'
import { AbsenceList } from './AbsenceList.tsx'
import { AddTimeOff } from './AddTimeOff.tsx'
import { relativeDay } from '../../ui/work/days.ts'
import { HandOver } from './HandOver.tsx'
import { isAwayOn, type Absence, type Colleague } from './data.ts'
import styles from './people.module.css'
import { PersonFacts } from './PersonFacts.tsx'
import { CurrentTasks } from './WorksOn.tsx'

const { person: words, people, availabilities, timeOff } = peopleTexts

/** A person of the organization: contact details, working hours, current tasks, and absences. */
export function PersonPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const personQuery = useOperation('get_person', { person_id: id })
  return (
    <Loaded query={personQuery}>
      {(person) => <PersonDetail key={person.id} person={person} />}
    </Loaded>
  )
}

function PersonDetail({ person }: { person: Colleague }) {
  const me = useMe()
  const isAdmin = useIsAdmin()
  const navigate = useNavigate()
  const content = useRef<HTMLDivElement>(null)
  const absences = useList('list_time_off', { person_id: person.id, limit: 20 })
  useRowKeys(content)
  useCommands({ 'list.back': () => void navigate({ to: '/people' }) })
  return (
    <ItemFrame
      type="person"
      title={person.display_name}
      item={person}
      id={person.id}
      status={<Availability person={person} absences={absences.items} />}
      actions={
        <>
          {(isAdmin || person.id === me.id) && <HandOverButton person={person} />}
          {person.id === me.id ? (
            <AppLink to="/settings/profile">{words.profile}</AppLink>
          ) : (
            person.status === 'active' && <MessageButton person={person} />
          )}
        </>
      }
    >
      <div ref={content} className={styles.person}>
        <PersonFacts person={person} />
        <CurrentTasks person={person} />
        <ItemSection title={words.timeOff}>
          <QueryContent query={absences}>
            {() =>
              absences.items.length === 0 ? (
                <p className={planning.quiet}>{words.noTimeOff}</p>
              ) : (
                <AbsenceList absences={absences.items} />
              )
            }
          </QueryContent>
          {person.id === me.id && <AddTimeOffButton />}
        </ItemSection>
      </div>
    </ItemFrame>
  )
}

function MessageButton({ person: { id } }: { person: Colleague }) {
  const navigate = useNavigate()
  useCommands({
    'person.message': () => void navigate({ to: '/chat/new', search: { to: id } }),
  })
  return (
    <button type="button" className={planning.button} onClick={() => runCommand('person.message')}>
      {words.message} <KeyCombo command="person.message" />
    </button>
  )
}

/** Opened from a link with `?handOver`, too, such as the one in the settings of people. */
function HandOverButton({ person }: { person: Colleague }) {
  const { handOver } = useSearch({ strict: false }) as { handOver?: unknown }
  const [isOpen, setOpen] = useState(String(handOver) === 'true')
  useCommands({ 'person.handOver': () => setOpen(true) })
  return (
    <>
      <CommandButton command="person.handOver" />
      <HandOver person={person} isOpen={isOpen} close={() => setOpen(false)} />
    </>
  )
}

function AddTimeOffButton() {
  const [isAdding, setAdding] = useState(false)
  useCommands({ 'timeOff.create': () => setAdding(true) })
  return (
    <>
      <button
        type="button"
        className={`${planning.button} ${styles.add}`}
        onClick={() => runCommand('timeOff.create')}
      >
        {timeOff.create} <KeyCombo command="timeOff.create" />
      </button>
      <AddTimeOff isOpen={isAdding} close={() => setAdding(false)} />
    </>
  )
}

interface AvailabilityProps {
  person: Colleague
  absences: readonly Absence[]
}

/** Whether a person is available now: absent for days, or as they set themselves. */
function Availability({ person: { presence }, absences }: AvailabilityProps) {
  const currentAbsence = absences.find((absence) => isAwayOn(absence))
  if (currentAbsence)
    return <span className={styles.away}>{people.until(relativeDay(currentAbsence.ends_on))}</span>
  return (
    <span className={styles.availability} data-availability={presence.availability}>
      {availabilities[presence.availability]}
    </span>
  )
}
