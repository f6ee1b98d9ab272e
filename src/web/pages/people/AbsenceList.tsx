import { useCommands } from '../../keys/commands.ts'
import { useMe } from '../../session/session.ts'
import { peopleTexts } from '../../texts/en/company/people.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { ItemLink } from '../../ui/ItemLink.tsx'
import planning from '../planning/planning.module.css'
import { absenceDays, absenceLength, cancelTimeOff, type Absence } from './data.ts'
import styles from './people.module.css'

const { timeOff: words } = peopleTexts

interface AbsenceListProps {
  absences: readonly Absence[]
  /** Shows the person of each. */
  withPeople?: boolean
}

/** Absences in order; the reader's own can be cancelled, the focused one by its key. */
export function AbsenceList({ absences, withPeople = false }: AbsenceListProps) {
  const me = useMe()
  useCommands({
    'timeOff.cancel': () => {
      const row = document.activeElement?.closest<HTMLElement>('[data-absence]')
      const absence = absences.find(
        ({ id, person }) => id === row?.dataset.absence && person.id === me.id,
      )
      if (absence) void cancelTimeOff(absence)
      return absence !== undefined
    },
  })
  return (
    <ul className={styles.absences}>
      {absences.map((absence) => (
        <li key={absence.id} className={styles.row} data-absence={absence.id}>
          {withPeople && <ItemLink item={absence.person} isRow />}
          {withPeople ? (
            <span className={styles.days}>{absenceDays(absence)}</span>
          ) : (
            <AppLink to={`/time-off/${absence.id}`} className={styles.days} data-row>
              {absenceDays(absence)}
            </AppLink>
          )}
          <span className={planning.note}>{words.days(absenceLength(absence))}</span>
          <span className={planning.note}>{words.kinds[absence.kind]}</span>
          <Conflicts absence={absence} />
          {absence.note !== undefined && (
            <span className={planning.note} dir="auto">
              {absence.note}
            </span>
          )}
          {absence.person.id === me.id && <CancelButton absence={absence} />}
        </li>
      ))}
    </ul>
  )
}

function CancelButton({ absence }: { absence: Absence }) {
  return (
    <button
      type="button"
      className={planning.button}
      aria-label={words.cancelOf(absenceDays(absence))}
      data-plain
      onClick={() => void cancelTimeOff(absence)}
    >
      {words.cancel}
    </button>
  )
}

/** Conflicts with an absence: due tasks, and shifts. */
function Conflicts({ absence: { conflicts } }: { absence: Absence }) {
  return conflicts.map(({ kind, item, shifts = 1 }) => (
    <span key={item.id} className={styles.conflict}>
      {kind === 'on_call' ? words.shifts(shifts) : words.taskDue} <ItemLink item={item} />
    </span>
  ))
}
