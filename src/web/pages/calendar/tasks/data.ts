import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queries, useOperation } from '../../../api/queries.ts'
import { screenCall, readScreen } from '../../../store/index.ts'
import { addDays } from '../../../ui/work/days.ts'
import { linksOf, manualLinks } from '../../items/links/data.ts'
import { isOccurrence } from '../data/events.ts'

/** Number of days ahead in which planned focus time is looked up. */
const aheadDays = 28
/** Maximum number of operations in one request. */
const maxFocusTimes = 20
const screenName = 'tasks with focus time'

/** The reader's open tasks, sorted by due date. */
export function useMyTasks() {
  return useOperation('list_tasks', {
    assignee: 'me',
    status_category: ['triage', 'backlog', 'todo', 'in_progress'],
    sort: 'due_at',
    order: 'asc',
    limit: 100,
  })
}

/** The reader's open tasks without planned focus time from today on. */
export function useTasksToPlan(today: string) {
  const myTasks = useMyTasks()
  const plannedIds = usePlannedTasks(today)
  return { ...myTasks, data: myTasks.data?.items.filter(({ id }) => plannedIds?.has(id) === false) }
}

/** Ids of tasks linked with focus times from today on; undefined until loaded. */
function usePlannedTasks(today: string): ReadonlySet<string> | undefined {
  const { data: events } = useOperation('list_events', {
    from: today,
    to: addDays(today, aheadDays),
    limit: 100,
  })
  const focusTimes = events?.items.filter(
    (row) => row.kind === 'focus' && row.series_id === undefined && isOccurrence(row),
  )
  const calls = (focusTimes ?? [])
    .slice(0, maxFocusTimes)
    .map(({ id }) => screenCall('find_related_items', linksOf(id)))
  const { data: answers } = useQuery({
    queryKey: ['screen', screenName, calls],
    queryFn: ({ signal }) => readScreen(screenName, calls, signal),
    enabled: calls.length > 0,
    placeholderData: keepPreviousData,
  })
  if (focusTimes === undefined) return undefined
  if (calls.length === 0) return new Set()
  return (
    answers && new Set(answers.flatMap(({ value }) => manualLinks(value?.items ?? [])).map(itemId))
  )
}

const itemId = ({ item }: { item: { id: string } }) => item.id

/** Reloads which tasks have focus time. */
export const refetchPlannedTasks = () =>
  queries.invalidateQueries({ queryKey: ['screen', screenName] })

/** The tasks linked with an event. */
export function useTasksOf(eventId: string, enabled: boolean) {
  const { data } = useOperation('find_related_items', linksOf(eventId), { enabled })
  return manualLinks(data?.items ?? []).filter(({ item }) => item.type === 'task')
}
