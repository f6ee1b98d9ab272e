import { presenter } from '../../operations/listing/presenters.ts'
import { notification, ownInbox, reminder } from './access.ts'
import { presentNotifications, presentReminders } from './shapes.ts'

/** Presenters for this module's items, and the operations that read them. */
export const notificationsPresenters = [
  presenter(notification, {
    operation: 'list_notifications',
    entries: async (ctx, rows) =>
      presentNotifications(ctx, rows, (await ownInbox(ctx))?.read_before ?? 0),
  }),
  presenter(reminder, { operation: 'list_reminders', entries: presentReminders }),
]
