import { useEffect, useMemo, useState, type DragEvent } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { useMe } from '../../../session/session.ts'
import { t } from '../../../texts/index.ts'
import { taskCommands } from '../../tasks/commands.ts'
import { taskRowOf, useAllRows, type TaskRow } from '../../tasks/data/rows.ts'
import {
  pickNone,
  pickTo,
  rowBy,
  selection,
  setCursor,
  setOrder,
  targets,
  togglePicked,
} from '../../../ui/work/table/selection.ts'
import { applyChange } from '../../tasks/pick/changes.ts'
import { TaskPicker } from '../../tasks/pick/TaskPicker.tsx'
import { isOpenCategory, type ProjectRow, type SprintRow } from '../data.ts'
import styles from '../planning.module.css'
import { Capacity } from './Capacity.tsx'
import { PlanRow, taskDragType } from './PlanRow.tsx'
import { SprintHead } from './SprintHead.tsx'
import { Sums } from './Sums.tsx'

interface PlanningBoardProps {
  project: ProjectRow
  sprint: SprintRow
  /** All sprints that tasks can be planned in. */
  sprints: readonly SprintRow[]
}

/** The backlog beside a sprint: tasks are moved by dragging, by their arrow button, or by keyboard. */
export function PlanningBoard({ project, sprint, sprints }: PlanningBoardProps) {
  const { backlog, planned } = usePlan(project.id, sprint.id)
  const plan = (ids: readonly string[]) =>
    void applyChange(ids, { field: 'sprint', to: { id: sprint.id, title: sprint.name } })
  const unplan = (ids: readonly string[]) => void applyChange(ids, { field: 'sprint', to: null })
  usePlanningKeys({ backlog, planned, plan, unplan })
  return (
    <>
      <SprintHead sprint={sprint} sprints={sprints} tasks={planned} />
      <div className={styles.plan}>
        <Panel
          name={t.planning.sprint.backlog}
          tasks={backlog}
          empty={t.planning.sprint.backlogEmpty}
          take={unplan}
          move={plan}
          moveLabel={(key) => t.planning.sprint.planTask(key, sprint.name)}
          direction="right"
        />
        <Panel
          name={sprint.name}
          tasks={planned}
          empty={t.planning.sprint.sprintEmpty}
          take={plan}
          move={unplan}
          moveLabel={t.planning.sprint.unplanTask}
          direction="left"
        />
      </div>
      <Capacity sprint={sprint} tasks={planned} />
      <TaskPicker />
    </>
  )
}

/** Open tasks without a sprint, and all tasks of the sprint, each in manual order. */
function usePlan(projectId: string, sprintId: string) {
  const all = useAllRows()
  return useMemo(() => {
    const rows = all
      .filter((row) => row.project.id === projectId)
      .toSorted((a, b) => Number(a.position > b.position) - Number(a.position < b.position))
    return {
      backlog: rows.filter((row) => !row.sprint && isOpenCategory(row.status_category)),
      planned: rows.filter((row) => row.sprint?.id === sprintId),
    }
  }, [all, projectId, sprintId])
}

interface PlanningKeys {
  backlog: readonly TaskRow[]
  planned: readonly TaskRow[]
  plan: (ids: readonly string[]) => void
  unplan: (ids: readonly string[]) => void
}

function usePlanningKeys({ backlog, planned, plan, unplan }: PlanningKeys): void {
  const me = useMe()
  useEffect(() => {
    setOrder([...backlog, ...planned].map((row) => row.id))
  }, [backlog, planned])
  useEffect(
    () => () => {
      pickNone()
      setCursor(undefined)
    },
    [],
  )
  const go = (step: number) => () => {
    const id = rowBy(step)
    if (id === undefined) return false
    setCursor(id)
    document.querySelector<HTMLElement>(`[data-task="${id}"]`)?.focus()
    return true
  }
  /** Moves the targets, and focuses the row that replaces the first one. */
  const move = (from: readonly TaskRow[], run: (ids: readonly string[]) => void) => () => {
    const ids = targets().filter((id) => from.some((row) => row.id === id))
    if (ids.length === 0) return false
    const last = from.findIndex((row) => row.id === ids.at(-1))
    const next = from[last + 1] ?? from.findLast((row) => !ids.includes(row.id))
    run(ids)
    pickNone()
    if (!next) return true
    setCursor(next.id)
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-task="${next.id}"]`)?.focus(),
    )
    return true
  }
  const at = () => selection().cursor
  useCommands({
    ...taskCommands({
      ids: targets,
      anchor: () => document.querySelector(`[data-task="${at()}"] [data-anchor]`),
      me,
    }),
    'list.next': go(1),
    'list.previous': go(-1),
    'list.pick': () => {
      const id = at()
      return id === undefined ? false : togglePicked(id)
    },
    'list.pickDown': () => pickTo(rowBy(1)),
    'list.pickUp': () => pickTo(rowBy(-1)),
    'list.back': () => (selection().picked.size > 0 ? pickNone() : false),
    'task.nextGroup': move(backlog, plan),
    'task.previousGroup': move(planned, unplan),
  })
}

interface PanelProps {
  name: string
  tasks: readonly TaskRow[]
  empty: string
  /** Accepts dropped tasks. */
  take: (ids: readonly string[]) => void
  /** Moves tasks to the other side. */
  move: (ids: readonly string[]) => void
  moveLabel: (key: string) => string
  direction: 'left' | 'right'
}

function Panel({ name, tasks, empty, take, move, moveLabel, direction }: PanelProps) {
  const [isOver, setOver] = useState(false)
  const dropped = (event: DragEvent) => {
    setOver(false)
    const id = event.dataTransfer.getData(taskDragType)
    const isHere = tasks.some((row) => row.id === id)
    if (taskRowOf(id) && !isHere) take(targets().includes(id) ? targets() : [id])
  }
  return (
    <section
      className={styles.panel}
      aria-label={name}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(taskDragType)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={dropped}
    >
      <header className={styles.groupHead}>
        <h2 dir="auto">{name}</h2>
        <Sums tasks={tasks} />
      </header>
      {tasks.length === 0 && <p className={styles.emptyPanel}>{empty}</p>}
      <ul className={styles.rows}>
        {tasks.map((row) => (
          <li key={row.id}>
            <PlanRow
              row={row}
              move={() => move([row.id])}
              moveLabel={moveLabel(row.key)}
              direction={direction}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
