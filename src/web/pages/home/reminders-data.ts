import type { Input } from '../../api/client.ts'
import { queries, invalidateOperations } from '../../api/queries.ts'
import { write } from '../../store/index.ts'
import { t } from '../../texts/index.ts'

/** Sets a reminder. */
export async function createReminder(
  input: Input<'create_reminder'> & { text: string },
): Promise<void> {
  await write('create_reminder', input, { text: t.home.reminders.added(input.text) })
  await refetchReminders()
}

/** Cancels a reminder; `title` is its title in the list. */
export async function cancelReminder(id: string, title: string): Promise<void> {
  await write('cancel_reminder', { reminder_id: id }, { text: t.home.reminders.cancelled(title) })
  await refetchReminders()
}

async function refetchReminders(): Promise<void> {
  await Promise.all([
    invalidateOperations('list_reminders'),
    queries.invalidateQueries({ queryKey: ['screen', 'my-day'] }),
  ])
}
