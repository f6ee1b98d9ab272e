import { dayCounter, literals, type Planter } from './planter.ts'

export const notifications: Planter = {
  async plant(make, say, { task }) {
    const day = await dayCounter(make)
    const about = await make('create_reminder', {
      remind_at: `${day(400)}T09:00`,
      text: say('reminder'),
      item_id: task![0],
    })
    const free = await make('create_reminder', {
      remind_at: `${day(401)}T09:00`,
      text: say('free reminder'),
      rrule: 'FREQ=WEEKLY',
    })
    await make('update_notification_preferences', { quiet_hours: { from: '22:00', to: '07:00' } })
    const entries = await make('list_notifications', { limit: 100 })
    return {
      reminder: [about.id, free.id],
      notification: entries.items.map((item: { id: string }) => item.id),
    }
  },
  rows: ({ reminder, notification }) => ({
    reminders: `id IN (${literals(reminder)})`,
    notifications: `id IN (${literals(notification)})`,
    inboxes: `id IN (SELECT inbox_id FROM notifications WHERE id IN (${literals(notification)}))`,
  }),
}
