import { projectSettings } from '../../../texts/en/planning/project-settings.ts'
import { useAllRows } from '../../tasks/data/rows.ts'
import type { ProjectRow } from '../data.ts'
import styles from './settings.module.css'
import type { EditedStatus } from './statuses.ts'

const texts = projectSettings.workflow

interface RemovedStatusProps {
  project: ProjectRow
  removedName: string
  statuses: readonly EditedStatus[]
  /** The key of the chosen status. */
  targetKey: string
  choose: (key: string) => void
}

/** Target status for the tasks of a removed status. */
export function RemovedStatus({
  project,
  removedName,
  statuses,
  targetKey,
  choose,
}: RemovedStatusProps) {
  const rows = useAllRows()
  const count = rows.filter(
    (row) => row.project.id === project.id && row.status === removedName,
  ).length
  return (
    <label className={styles.target}>
      <span dir="auto">{texts.goTo(removedName, count)}</span>
      <select
        className={styles.select}
        value={targetKey}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {statuses
          .filter(({ name }) => name.trim() !== '')
          .map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
      </select>
    </label>
  )
}
