import type { CSSProperties } from 'react'
import { screenCall, useScreen } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { Face } from '../../../ui/work/Who.tsx'
import type { TaskRow } from '../../tasks/data/rows.ts'
import { isOpenCategory, type SprintRow } from '../data.ts'
import styles from '../planning.module.css'

/** Maximum operations in one screen request. */
const maxPeople = 20

interface CapacityProps {
  sprint: SprintRow
  tasks: readonly TaskRow[]
}

/** Workload of each person in a sprint, beside the working hours left by meetings and time off. */
export function Capacity({ sprint, tasks }: CapacityProps) {
  const loads = loadsOf(tasks)
  const people = loads.slice(0, maxPeople)
  const { data } = useScreen(
    'sprint-capacity',
    people.map(({ person }) =>
      screenCall('get_person_workload', {
        person_id: person.id,
        from: sprint.starts_on,
        to: sprint.ends_on,
      }),
    ),
  )
  if (people.length === 0) return null
  return (
    <section className={styles.capacity}>
      <h2 className={styles.capacityTitle}>{t.planning.sprint.capacity}</h2>
      <ul className={styles.rows}>
        {people.map(({ person, minutes, points, count }, index) => {
          const workload = data?.[index]?.value
          const freeMinutes =
            workload && Math.max(0, workload.capacity_minutes - (workload.meeting_minutes ?? 0))
          return (
            <li
              key={person.id}
              className={styles.load}
              data-over={isOverloaded(minutes, freeMinutes)}
            >
              <Face id={person.id} name={person.title} />
              <span className={styles.loadName} dir="auto">
                {person.title}
              </span>
              <span className={styles.fact}>
                {t.tasks.count(count)}
                {points > 0 && ` · ${t.planning.points(points)}`}
              </span>
              <span
                className={styles.track}
                style={{ '--done': `${shareOf(minutes, freeMinutes)}%` } as CSSProperties}
                aria-hidden
              >
                <span className={styles.loadBar} />
              </span>
              <span className={styles.hours}>
                {freeMinutes === undefined
                  ? t.items.minutes(minutes)
                  : t.planning.sprint.ofHours(toHours(minutes), toHours(freeMinutes))}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const toHours = (minutes: number) => Math.round(minutes / 60)
const isOverloaded = (minutes: number, freeMinutes: number | undefined) =>
  (freeMinutes !== undefined && minutes > freeMinutes) || undefined
const shareOf = (minutes: number, freeMinutes: number | undefined) =>
  freeMinutes === undefined || freeMinutes === 0
    ? Number(minutes > 0) * 100
    : Math.min(100, (100 * minutes) / freeMinutes)

interface Load {
  person: { id: string; title: string }
  minutes: number
  points: number
  count: number
}

/** The open work of a sprint by person; a shared task counts for each of them. */
function loadsOf(tasks: readonly TaskRow[]): Load[] {
  const loads = new Map<string, Load>()
  for (const row of tasks) {
    if (!isOpenCategory(row.status_category)) continue
    for (const person of row.assignees) {
      const load = loads.get(person.id) ?? { person, minutes: 0, points: 0, count: 0 }
      load.minutes += row.estimate_minutes ?? 0
      load.points += row.points ?? 0
      load.count++
      loads.set(person.id, load)
    }
  }
  return [...loads.values()].toSorted((a, b) => a.person.title.localeCompare(b.person.title))
}
