import { IconFlag, IconTrash } from '@tabler/icons-react'
import { useRef, useState, type FormEvent } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { randomId, useListedRows, write } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState, Loading, Problem } from '../../../ui/states.tsx'
import { dayOf, relativeDay } from '../../../ui/work/days.ts'
import { DayMenu } from '../../../ui/work/DayMenu.tsx'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import type { TaskRow } from '../../tasks/data/rows.ts'
import {
  amountsOf,
  milestoneIdOf,
  useProjectItems,
  useTasksBy,
  type MilestoneRow,
  type ProjectRow,
} from '../data.ts'
import styles from '../planning.module.css'
import { Progress } from '../Progress.tsx'

const compareByDueDay = (a: MilestoneRow, b: MilestoneRow) =>
  (a.due_on ?? '9').localeCompare(b.due_on ?? '9') || a.name.localeCompare(b.name)

export function Milestones({ project }: { project: ProjectRow }) {
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const loading = useListedRows('milestone', { project_id: project.id })
  const milestones = useProjectItems('milestone', project.id, compareByDueDay)
  const tasksByMilestone = useTasksBy(milestoneIdOf)
  useRowKeys(list)
  useCommands({
    'plan.create': () => setOpen(true),
    'plan.deleteMilestone': () => {
      const row = document.activeElement?.closest<HTMLElement>('[data-milestone]')
      const milestone = milestones.find(({ id }) => id === row?.dataset.milestone)
      if (!milestone) return false
      removeMilestone(milestone)
    },
  })
  const create = (
    <button type="button" className={styles.button} onClick={() => setOpen(true)}>
      {t.planning.milestone.create}
    </button>
  )
  return (
    <div ref={list} className={styles.table}>
      {loading.error && <Problem error={loading.error} retry={loading.retry} />}
      {!loading.isLoaded && !loading.error && <Loading />}
      {loading.isLoaded && milestones.length === 0 && (
        <EmptyState icon={IconFlag} {...t.planning.empty.milestones} action={create} />
      )}
      {milestones.length > 0 && (
        <section>
          <div className={styles.tools}>{create}</div>
          <ul className={styles.rows}>
            {milestones.map((milestone) => (
              <li key={milestone.id}>
                <MilestoneLine
                  milestone={milestone}
                  tasks={tasksByMilestone.get(milestone.id) ?? []}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      <Dialog isOpen={isOpen} close={() => setOpen(false)} title={t.planning.milestone.create}>
        <MilestoneForm project={project} close={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

interface MilestoneLineProps {
  milestone: MilestoneRow
  tasks: readonly TaskRow[]
}

const { states } = t.planning.milestone

function MilestoneLine({ milestone, tasks }: MilestoneLineProps) {
  const [anchor, setAnchor] = useState<Element>()
  const { id, name, due_on, status } = milestone
  const isLate = status === 'missed' || (status === 'open' && (due_on ?? '9') < dayOf())
  const update = (
    change: { due_on: string | null } | { status: 'open' | 'reached' },
    message: string,
  ) =>
    void write(
      'update_milestone',
      { milestone_id: id, ...change },
      {
        rows: [
          {
            type: 'milestone',
            id,
            set: 'due_on' in change ? { due_on: change.due_on ?? undefined } : change,
          },
        ],
        text: t.tasks.changed(name, message),
      },
    )
  return (
    <div className={styles.row} data-milestone={id}>
      <button
        type="button"
        className={styles.tick}
        aria-pressed={status === 'reached'}
        aria-label={t.planning.milestone.reached(name)}
        onClick={() =>
          status === 'reached'
            ? update({ status: 'open' }, t.planning.set.status(states.open))
            : update({ status: 'reached' }, t.planning.set.status(states.reached))
        }
      >
        <IconFlag size={15} stroke={1.7} aria-hidden />
      </button>
      <RouterLink to={`/milestones/${id}`} className={styles.name} data-row dir="auto">
        {name}
      </RouterLink>
      <span className={styles.fact} data-late={isLate || undefined}>
        {states[status]}
      </span>
      <Progress amounts={amountsOf(tasks)} />
      <button
        type="button"
        className={styles.button}
        data-plain
        data-late={isLate || undefined}
        aria-haspopup="dialog"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {due_on === undefined ? t.tasks.noDay : <DueDay day={due_on} />}
      </button>
      {anchor && (
        <DayMenu
          anchor={anchor}
          close={() => setAnchor(undefined)}
          label={t.planning.milestone.due(name)}
          days={[due_on]}
          choose={(day) => update({ due_on: day }, t.planning.set.day(t.planning.fields.due, day))}
        />
      )}
      <button
        type="button"
        className={styles.tick}
        aria-label={t.planning.milestone.remove(name)}
        onClick={() => removeMilestone(milestone)}
      >
        <IconTrash size={15} stroke={1.7} aria-hidden />
      </button>
    </div>
  )
}

const DueDay = ({ day }: { day: string }) => <time dateTime={day}>{relativeDay(day)}</time>

/** Moves a milestone to the trash; its tasks stay, without a milestone. */
function removeMilestone({ id, name }: MilestoneRow): void {
  void write(
    'delete_milestone',
    { milestone_id: id },
    {
      rows: [{ type: 'milestone', id, remove: true }],
      text: t.tasks.changed(name, t.tasks.set.deleted),
    },
  )
}

function MilestoneForm({ project, close }: { project: ProjectRow; close: () => void }) {
  const [name, setName] = useState('')
  const [due, setDue] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const id = randomId()
    const { id: projectId, name: title, key } = project
    const day = due === '' ? undefined : due
    void write(
      'create_milestone',
      { project_id: projectId, name: name.trim(), ...(day !== undefined && { due_on: day }) },
      {
        rows: [
          {
            type: 'milestone',
            id,
            add: {
              project: { id: projectId, title, key },
              name: name.trim(),
              due_on: day,
              status: 'open',
            },
          },
        ],
        text: t.planning.created(name.trim()),
      },
    )
    close()
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
      <label>
        {t.planning.fields.due}
        <input type="date" value={due} onChange={(event) => setDue(event.currentTarget.value)} />
      </label>
      <button type="submit" className={styles.primary} disabled={name.trim() === ''}>
        {t.planning.create}
      </button>
    </form>
  )
}
