import { useEffect, useMemo, useState, type DragEvent } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { useMe } from '../../../session/session.ts'
import { t } from '../../../texts/index.ts'
import { taskCommands } from '../../tasks/commands.ts'
import { taskRowOf, useAllRows, type TaskRow } from '../../tasks/data/rows.ts'
import {
  pickNone,
  pickRangeTo,
  rowAtOffset,
  selection,
  setCursor,
  setOrder,
  targetIds,
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
    void applyChange(ids, { field: 'sprint', item: { id: sprint.id, title: sprint.name } })
  const unplan = (ids: readonly string[]) => void applyChange(ids, { field: 'sprint', item: null })
  usePlanningKeys({ backlog, planned, plan, unplan })
  return (
    <>
      <SprintHead sprint={sprint} sprints={sprints} tasks={planned} />
      <div className={styles.plan}>
        <Panel
          name={t.planning.sprint.backlog}
          tasks={backlog}
          emptyText={t.planning.sprint.backlogEmpty}
          onDropTasks={unplan}
          move={plan}
          moveLabel={(key) => t.planning.sprint.planTask(key, sprint.name)}
          direction="right"
        />
        <Panel
          name={sprint.name}
          tasks={planned}
          emptyText={t.planning.sprint.sprintEmpty}
          onDropTasks={plan}
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
  const allRows = useAllRows()
  return useMemo(() => {
    const rows = allRows
      .filter((row) => row.project.id === projectId)
      .toSorted((a, b) => Number(a.position > b.position) - Number(a.position < b.position))
    return {
      backlog: rows.filter((row) => !row.sprint && isOpenCategory(row.status_category)),
      planned: rows.filter((row) => row.sprint?.id === sprintId),
    }
  }, [allRows, projectId, sprintId])
}

interface PlanningCommandOptions {
  backlog: readonly TaskRow[]
  planned: readonly TaskRow[]
  plan: (ids: readonly string[]) => void
  unplan: (ids: readonly string[]) => void
}

function usePlanningKeys({ backlog, planned, plan, unplan }: PlanningCommandOptions): void {
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
  const moveCursor = (step: number) => () => {
    const id = rowAtOffset(step)
    if (id === undefined) return false
    setCursor(id)
    document.querySelector<HTMLElement>(`[data-task="${id}"]`)?.focus()
    return true
  }
  /** Moves the targets, and focuses the row that replaces the first one. */
  const move = (rows: readonly TaskRow[], run: (ids: readonly string[]) => void) => () => {
    const ids = targetIds().filter((id) => rows.some((row) => row.id === id))
    if (ids.length === 0) return false
    const lastIndex = rows.findIndex((row) => row.id === ids.at(-1))
    const nextRow = rows[lastIndex + 1] ?? rows.findLast((row) => !ids.includes(row.id))
    run(ids)
    pickNone()
    if (!nextRow) return true
    setCursor(nextRow.id)
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-task="${nextRow.id}"]`)?.focus(),
    )
    return true
  }
  const currentId = () => selection().cursor
  useCommands({
    ...taskCommands({
      ids: targetIds,
      anchor: () => document.querySelector(`[data-task="${currentId()}"] [data-anchor]`),
      me,
    }),
    'list.next': moveCursor(1),
    'list.previous': moveCursor(-1),
    'list.pick': () => {
      const id = currentId()
      return id === undefined ? false : togglePicked(id)
    },
    'list.pickDown': () => pickRangeTo(rowAtOffset(1)),
    'list.pickUp': () => pickRangeTo(rowAtOffset(-1)),
    'list.back': () => (selection().pickedIds.size > 0 ? pickNone() : false),
    'task.nextGroup': move(backlog, plan),
    'task.previousGroup': move(planned, unplan),
  })
}

interface PanelProps {
  name: string
  tasks: readonly TaskRow[]
  emptyText: string
  /** Accepts dropped tasks. */
  onDropTasks: (ids: readonly string[]) => void
  /** Moves tasks to the other side. */
  move: (ids: readonly string[]) => void
  moveLabel: (key: string) => string
  direction: 'left' | 'right'
}

function Panel({ name, tasks, emptyText, onDropTasks, move, moveLabel, direction }: PanelProps) {
  const [isOver, setOver] = useState(false)
  const onDrop = (event: DragEvent) => {
    setOver(false)
    const id = event.dataTransfer.getData(taskDragType)
    const isInPanel = tasks.some((row) => row.id === id)
    if (taskRowOf(id) && !isInPanel) onDropTasks(targetIds().includes(id) ? targetIds() : [id])
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
      onDrop={onDrop}
    >
      <header className={styles.groupHead}>
        <h2 dir="auto">{name}</h2>
        <Sums tasks={tasks} />
      </header>
      {tasks.length === 0 && <p className={styles.emptyPanel}>{emptyText}</p>}
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
