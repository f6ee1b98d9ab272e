import type { Module } from '../../operations/module.ts'
import { makeDigests } from './digests.ts'
import { enqueueDueReminders, fireReminder } from './due-reminders.ts'
import { scheduleMails, wakeMails } from './mails.ts'
import * as notifications from './notifications.ts'
import * as preferences from './preferences.ts'
import { pruneNotifications } from './pruning.ts'
import * as reminders from './reminders.ts'
import { mailNotifications } from './delivery.ts'
import { erasures } from '../../privacy/erasure.ts'
import { notificationErasures } from './access-erasure.ts'
import { notificationsPresenters } from './presenters.ts'

for (const erasure of notificationErasures) erasures.register(erasure)

export const notificationsModule: Module = {
  name: 'notifications',
  about:
    'Notifications in the app and by email, preferences, and reminders. Nouns: notification, notification preference, reminder.',
  operations: [
    ...Object.values(notifications),
    ...Object.values(preferences),
    ...Object.values(reminders),
  ],
  ticks: [enqueueDueReminders, makeDigests, scheduleMails, wakeMails],
  jobs: [fireReminder, mailNotifications, pruneNotifications],
  schedules: [{ name: 'prune_notifications', cron: '23 3 * * *', kind: pruneNotifications.name }],
  presenters: notificationsPresenters,
}
