import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
import { IconChecklist, IconFilterOff } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { memo, useCallback, useContext, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { useSnapshot } from '../../store/index.ts'
import { t } from '../../texts/index.ts'
import { onDemand } from '../../ui/on-demand.tsx'
import { EmptyState, Loading, Problem } from '../../ui/states.tsx'
import { openTaskForm } from './create/open.ts'
import { useProjects } from './data/lists.ts'
import { taskRowOf, useAllRows, type TaskRow } from './data/rows.ts'
import { useChangedByAssistants } from './filter/changed.ts'
import { emptyFilter, includedProjects } from './filter/filter.ts'
import { FilterBar } from './filter/FilterBar.tsx'
import { isByMinute, useFilterContext } from './filter/reader.ts'
import { arrange, type StatusName, type TaskGroup } from './list/arrange.ts'
import { Bar } from './list/Bar.tsx'
import { removeMissingRows } from './list/frozen.ts'
import { useFrozenOrder } from '../../ui/work/table/frozen.ts'
import { PickedBar } from './list/PickedBar.tsx'
import { setCursor } from '../../ui/work/table/selection.ts'
import { TaskList } from './list/TaskList.tsx'
import { useListCommands } from './list/useListCommands.ts'
import { TaskScope, useView, type TaskView } from './list/view.ts'
import { RowMenu } from './menu/RowMenu.tsx'
import { TaskPicker } from './pick/TaskPicker.tsx'
import styles from './tasks.module.css'

const Board = onDemand(() => import('./list/Board.tsx').then(({ Board }) => Board))
const Table = onDemand(() => import('./table/Table.tsx').then(({ Table }) => Table))
const Timeline = onDemand(() => import('./timeline/Timeline.tsx').then(({ Timeline }) => Timeline))
const TaskCalendar = onDemand(() =>
  import('./calendar/TaskCalendar.tsx').then(({ TaskCalendar }) => TaskCalendar),
)
const Peek = onDemand(() => import('./item/Peek.tsx').then(({ Peek }) => Peek))

/** All visible tasks. */
export function Tasks() {
  useDocumentTitle(`${t.tasks.title} – ${t.app.name}`)
  return <TaskScreen />
}

/**
 * Tasks as a list or a board, filtered and grouped according to the address; in a `TaskScope`, those of its project.
 */
export function TaskScreen() {
  const { view: currentView, peek, setPeek } = useView()
  const view = useDeferredValue(currentView) // the bar updates at once, the tasks in a deferred render
  const hasRoom = useMediaQuery('(min-width: 1100px)', true, { getInitialValueInEffect: false })
  const loading = useSnapshot(
    'task',
    currentView.closed || currentView.layout === 'board' ? {} : { open: true },
  )
  const { groups, count, hold, release } = useGroups(view)
  const isEmbedded = useContext(TaskScope) !== undefined
  const open = useOpenTask(hasRoom, setPeek)
  useListCommands({
    view: currentView,
    peek,
    setPeek,
    open,
    groups,
    releaseOrder: release,
    holdOrder: hold,
  })
  useEffect(() => () => setCursor(undefined), [])
  return (
    <div className={styles.screen} data-part={isEmbedded || undefined}>
      <Bar isLoading={!loading.isLoaded && !loading.error} count={count} />
      <FilterBar />
      <div className={styles.body}>
        <div className={styles.main}>
          {loading.error && count === 0 ? (
            <Problem error={loading.error} retry={loading.retry} />
          ) : (
            <Content
              view={view}
              groups={groups}
              isLoading={!loading.isLoaded}
              open={open}
              holdOrder={hold}
            />
          )}
          <PickedBar />
        </div>
        {peek !== undefined && hasRoom && <Peek id={peek} close={() => setPeek(undefined)} />}
      </div>
      <TaskPicker />
      <RowMenu />
    </div>
  )
}

/** Opens a task beside the list, or on its own page on small screens; a stable function. */
function useOpenTask(hasRoom: boolean, setPeek: (key: string) => void): (row: TaskRow) => void {
  const navigate = useNavigate()
  const latest = useRef({ hasRoom, setPeek })
  useEffect(() => {
    latest.current = { hasRoom, setPeek }
  })
  return useCallback(
    (row) => {
      if (latest.current.hasRoom) latest.current.setPeek(row.key)
      else void navigate({ to: `/tasks/${row.key}` })
    },
    [navigate],
  )
}

/** The groups of a view; their order is kept while keys act on the list. */
function useGroups(view: TaskView) {
  const reader = useFilterContext(isByMinute(view.filter))
  const allRows = useDeferredValue(useAllRows())
  const { rows, isFrozen, holdOrder, releaseOrder } = useFrozenOrder(allRows, view)
  const projects = useProjects()
  const statuses = useMemo(
    () => statusesOf(projects, includedProjects(view.filter)),
    [projects, view],
  )
  const changed = useChangedByAssistants(view.filter.changed[0], allRows)
  const arrangedGroups = useMemo(
    () => arrange(rows, view, { ...reader, changed }, statuses),
    [rows, view, reader, statuses, changed],
  )
  const groups = useMemo(
    () => (isFrozen ? removeMissingRows(arrangedGroups, allRows) : arrangedGroups),
    [isFrozen, arrangedGroups, allRows],
  )
  const count = useMemo(() => new Set(groups.flatMap((group) => group.ids)).size, [groups])
  return { groups, count, hold: holdOrder, release: releaseOrder }
}

/** The statuses of a view's projects, in the order of the first project that has them. */
function statusesOf(
  projects: ReturnType<typeof useProjects>,
  filter: readonly string[],
): readonly StatusName[] {
  return projects
    .filter(({ key, id, status }) =>
      filter.length > 0 ? filter.includes(key) || filter.includes(id) : status !== 'archived',
    )
    .flatMap((project) => project.statuses.toSorted((a, b) => a.position - b.position))
}

interface ContentProps {
  view: TaskView
  groups: readonly TaskGroup[]
  isLoading: boolean
  open: (row: TaskRow) => void
  holdOrder: () => void
}

/** The tasks in their layout; rerendered only if these change. */
const Content = memo(function Content({ view, groups, isLoading, open, holdOrder }: ContentProps) {
  const create = useCallback(
    (group: TaskGroup) => openTaskForm(initialValuesInGroup(group, view)),
    [view],
  )
  if (groups.length === 0)
    return isLoading ? (
      <div className={styles.loading}>
        <Loading />
      </div>
    ) : (
      <NoTasks />
    )
  const withHeads = view.group !== 'none'
  if (view.layout === 'board')
    return <Board groups={groups} view={view} open={open} create={create} />
  if (view.layout === 'table')
    return <Table groups={groups} withHeads={withHeads} create={create} holdOrder={holdOrder} />
  if (view.layout === 'timeline')
    return <Timeline groups={groups} withHeads={withHeads} open={open} />
  if (view.layout === 'calendar') return <TaskCalendar groups={groups} open={open} />
  return (
    <TaskList
      groups={groups}
      withHeads={withHeads}
      withProject={view.group !== 'project' && includedProjects(view.filter).length !== 1}
      peek={open}
      create={create}
    />
  )
})

/** Placeholder if there are no tasks yet, or none that match the filter. */
function NoTasks() {
  const { isFiltered, change } = useView()
  const texts = isFiltered ? t.tasks.nothing : t.tasks.empty
  return (
    <EmptyState
      icon={isFiltered ? IconFilterOff : IconChecklist}
      title={texts.title}
      text={texts.text}
      {...(isFiltered ? {} : { prompt: t.tasks.empty.prompt })}
      action={
        <button
          type="button"
          className={styles.button}
          onClick={() => (isFiltered ? change({ filter: emptyFilter }) : openTaskForm({}))}
        >
          {isFiltered ? t.tasks.clearFilter : t.tasks.create.title}
        </button>
      }
    />
  )
}

/** Initial values of a task created in a group, so that it appears there. */
function initialValuesInGroup(group: TaskGroup, view: TaskView) {
  const firstRow = group.ids[0] === undefined ? undefined : taskRowOf(group.ids[0])
  const [project] = includedProjects(view.filter)
  return {
    project: group.project?.key ?? project ?? firstRow?.project.key,
    status: group.status?.name,
    priority: group.priority,
    assignee: group.assignee,
  }
}
