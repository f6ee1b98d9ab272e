import { write } from '../../../store/index.ts'
import { invalidateOperations } from '../../../api/queries.ts'
import { calendarTexts as t } from '../texts.ts'
import { refetchPlannedTasks } from './data.ts'

interface FocusTime {
  eventId: string
  title: string
  taskId: string
  /** Group of the call that created the event: both are undone together. */
  group: string
}

/** Links focus time with its task. */
export async function linkTask({ eventId, title, taskId, group }: FocusTime): Promise<void> {
  await write(
    'link_items',
    { from_id: eventId, to_id: taskId },
    { text: t.calendar.said.created(title), group, noticeSeconds: 0 },
  )
  await Promise.all([invalidateOperations('find_related_items'), refetchPlannedTasks()])
}
