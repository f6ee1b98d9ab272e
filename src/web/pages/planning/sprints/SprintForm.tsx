import { useState, type FormEvent } from 'react'
import { useCall } from '../../../api/queries.ts'
import { storeRows } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { Problem } from '../../../ui/states.tsx'
import { addDays, dayOf } from '../../../ui/work/days.ts'
import type { ProjectRow, SprintRow } from '../data.ts'
import styles from '../planning.module.css'

interface SprintFormProps {
  project: ProjectRow
  /** Existing sprints; the new one follows the last of them. */
  sprints: readonly SprintRow[]
  close: (sprintId: string | undefined) => void
}

const defaultDays = 14

/** Name and dates of a sprint; suggests the next two weeks. */
export function SprintForm({ project, sprints, close }: SprintFormProps) {
  const suggested = suggestSprint(sprints)
  const create = useCall('create_sprint')
  const [name, setName] = useState(suggested.name)
  const [startsOn, setStartsOn] = useState(suggested.starts)
  const [endsOn, setEndsOn] = useState(suggested.ends)
  const [goal, setGoal] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(
      {
        project_id: project.id,
        name: name.trim(),
        starts_on: startsOn,
        ends_on: endsOn,
        ...(goal.trim() !== '' && { goal: goal.trim() }),
      },
      {
        onSuccess: (sprint) => {
          storeRows('sprint', [sprint])
          close(sprint.id)
        },
      },
    )
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <label>
        {t.planning.fields.name}
        <input
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={500}
          dir="auto"
        />
      </label>
      <div className={styles.pair}>
        <label>
          {t.planning.sprint.firstDay}
          <input
            type="date"
            value={startsOn}
            onChange={(event) => setStartsOn(event.currentTarget.value)}
            required
          />
        </label>
        <label>
          {t.planning.sprint.lastDay}
          <input
            type="date"
            value={endsOn}
            min={startsOn}
            onChange={(event) => setEndsOn(event.currentTarget.value)}
            required
          />
        </label>
      </div>
      <label>
        {t.planning.sprint.goal}
        <input
          value={goal}
          onChange={(event) => setGoal(event.currentTarget.value)}
          maxLength={2000}
          dir="auto"
        />
      </label>
      {create.error && <Problem error={create.error} />}
      <button
        type="submit"
        className={styles.primary}
        disabled={name.trim() === '' || create.isPending}
      >
        {t.planning.create}
      </button>
    </form>
  )
}

function suggestSprint(sprints: readonly SprintRow[]) {
  const today = dayOf()
  const lastEnd = sprints
    .filter(({ status }) => status !== 'cancelled')
    .map(({ ends_on }) => ends_on)
    .toSorted()
    .at(-1)
  const starts = lastEnd !== undefined && lastEnd >= today ? addDays(lastEnd, 1) : today
  return {
    name: t.planning.sprint.numbered(sprints.length + 1),
    starts,
    ends: addDays(starts, defaultDays - 1),
  }
}
