import type { Tick } from '../../operations/jobs/tick.ts'
import { dayLength } from '../../kernel/time/times.ts'
import { ownAddressesOf, event } from './access.ts'
import { dueEvents, storeNextReminder } from './events/access-reminders.ts'
import { indexIn, staleEvents } from './events/access-occurrences.ts'
import { readObject } from './ical/objects.ts'
import { dueAt, nextReminder } from './events/reminders.ts'
import { quantity } from '../../kernel/text/quantity.ts'

const batchSize = 20
/** Maximum time that indexing occupies the writer, in milliseconds. */
const maxIndexMs = 100

/** Rebuilds the occurrence index if it is older than its event, or no longer reaches far enough into the future. */
export const updateOccurrenceIndex: Tick = {
  name: 'index_occurrences',
  async run(system) {
    const stale = await staleEvents(system, batchSize)
    const end = performance.now() + maxIndexMs
    let indexedCount = 0
    for (const row of stale) {
      await indexIn(
        system.all,
        system.now,
        row,
        row.zone,
        await ownAddressesOf(system.all, row.owner_id, row.owner_email),
      )
      indexedCount++
      if (performance.now() > end) break
    }
    return indexedCount < stale.length || stale.length === batchSize
  },
}

/**
 * Notifies people once of upcoming starts: notification and clearing share a transaction. Those missed while the
 * server was down are sent late, unless the event is over.
 */
export const notifyStarts: Tick = {
  name: 'tell_starts',
  async run(system) {
    const due = await dueEvents(system, batchSize)
    for (const { zone, owner_email, ...row } of due) {
      const reader = {
        zone,
        ownAddresses: await ownAddressesOf(system.all, row.owner_id, owner_email),
      }
      const object = readObject(row.raw_ics)
      const upcoming = dueAt(object, reader, row.remind_at!).filter(
        (item) => item.occurrence.ends_at > system.now,
      )
      if (upcoming.length > 0) {
        await system.as(row.owner_id, async (ctx) => {
          if (!(await event.find(ctx, row.id))) return // its account is being removed
          ctx.event('event.starting_soon', 'events', row)
          const requested = upcoming.find((item) => item.isRequested)
          if (requested)
            ctx.notify(
              'reminder',
              [row.owner_id],
              'events',
              row,
              startText(requested.occurrence.starts_at - system.now),
            )
        })
      }
      await storeNextReminder(
        system,
        row.id,
        nextReminder(object, reader, Math.max(row.remind_at!, system.now - dayLength)),
      )
    }
    return due.length === batchSize
  },
}

function startText(msUntilStart: number): string {
  const minutes = Math.round(msUntilStart / 60_000)
  if (minutes < 0) return 'One of your events has started'
  if (minutes === 0) return 'One of your events is starting now'
  if (minutes < 120)
    return `One of your events starts in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  const hours = Math.round(minutes / 60)
  return hours < 48
    ? `One of your events starts in ${quantity(hours, 'hour')}`
    : `One of your events starts in ${quantity(Math.round(hours / 24), 'day')}`
}
