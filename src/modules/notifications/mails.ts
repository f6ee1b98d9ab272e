import type { WriteContext } from '../../operations/context.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Tick, TickContext } from '../../operations/jobs/tick.ts'
import { dayLength } from '../../kernel/time/times.ts'
import {
  addMail,
  addressee,
  hasNewEntries,
  releaseFarAhead,
  changeEntries,
  dueEntries,
  gatheringEndsAt,
  mailsSince,
  newEntries,
  nextMail,
  peopleWithDueMail,
  type Addressee,
  type EntryRow,
  type MailRow,
} from './access-mails.ts'
import { quietUntil } from './quiet-hours.ts'

const batchSize = 200
const minute = 60_000
/** Maximum number of single mails within this time; further ones are combined into one. */
const maxSingleMails = 5
const gatheringPeriodMs = 5 * minute
const maxEntriesPerMail = 200

/** Kind of the job that sends one person's mails; run by delivery.ts. */
export const mailJob = 'mail_notifications'

/** Requests the job that sends a person's due mails, in their name. */
export async function requestMailJob(ctx: WriteContext, person: Id<'users'>): Promise<void> {
  await ctx.job(mailJob, { person_id: person }, { uniqueKey: person, whileRunning: 'again' })
}

/** Decides when new entries may be mailed; without a mail server, shows them in the app. */
export const scheduleMails: Tick = {
  name: 'sort_notification_mails',
  due: hasNewEntries,
  async run(system) {
    const rows = await newEntries(system, batchSize)
    for (const [person, personRows] of Map.groupBy(rows, (row) => row.person_id))
      await scheduleEntries(system, person, personRows)
    return rows.length === batchSize
  },
}

async function scheduleEntries(
  system: TickContext,
  person: Id<'users'>,
  rows: EntryRow[],
): Promise<void> {
  const to = await addressee(system, person)
  if (!to) return changeEntries(system, rows, { mail: null })
  await system.as(person, async (ctx) => {
    if (ctx.settings.mail_server === '')
      return changeEntries(system, rows, { mail: null, in_app: 1 }) // otherwise the person would not be notified at all
    for (const [mail_at, rowsAtTime] of Map.groupBy(rows, (row) =>
      sendAt(system.now, to, row.kind),
    ))
      await changeEntries(system, rowsAtTime, { mail: 'waiting', mail_at })
    if (rows.some((row) => sendAt(system.now, to, row.kind) <= system.now))
      await requestMailJob(ctx, person)
  })
}

/** When a mail of a kind may be sent to a person: now, or after their quiet hours. */
export function sendAt(now: number, to: Addressee, kind: EntryRow['kind']): number {
  if (
    to.quiet_from === null ||
    to.quiet_to === null ||
    (kind === 'incident' && to.quiet_except_incidents === 1)
  )
    return now
  return (
    quietUntil(now, {
      from: to.quiet_from,
      to: to.quiet_to,
      timezone: to.quiet_timezone ?? to.timezone,
    }) ?? now
  )
}

/** Requests jobs for mails that became due: after quiet hours, gathering, or a server outage. */
export const wakeMails: Tick = {
  name: 'wake_notification_mails',
  async run(system) {
    await releaseFarAhead(system, system.now + 2 * dayLength) // quiet hours end within a day
    const people = await peopleWithDueMail(system, mailJob, batchSize)
    for (const person of people) await system.as(person, (ctx) => requestMailJob(ctx, person))
    return people.length === batchSize
  },
}

/** The next mail to send to a person, composed if necessary. */
export async function takeMail(system: TickContext, to: Addressee): Promise<MailRow | undefined> {
  const pending = await nextMail(system, to.id)
  if (pending) return pending
  await writeMails(system, to)
  return nextMail(system, to.id)
}

/** Turns due entries into mails: one each, or one for all if they are many or mails were sent just before. */
async function writeMails(system: TickContext, to: Addressee): Promise<void> {
  const due = await dueEntries(system, to.id, maxEntriesPerMail)
  const urgent = due.filter((row) => row.kind === 'incident')
  const rest = due.filter((row) => row.kind !== 'incident')
  for (const row of urgent) await addSingleMail(system, to, row)
  if (rest.length === 0) return
  if (rest.length > maxSingleMails || rest.some((row) => row.mail === 'gathering'))
    return void (await addMail(system, to, {
      form: rest.length > 1 ? 'several' : 'one',
      sendAt: system.now,
      entries: rest,
    }))
  const until = await gatheringUntil(system, to, rest.length)
  if (until !== undefined) return changeEntries(system, rest, { mail: 'gathering', mail_at: until })
  for (const row of rest) await addSingleMail(system, to, row)
}

async function addSingleMail(system: TickContext, to: Addressee, row: EntryRow): Promise<void> {
  await addMail(system, to, { form: 'one', sendAt: system.now, entries: [row] })
}

/** Until when to gather further entries for a person, because too many mails were sent recently. */
async function gatheringUntil(
  system: TickContext,
  to: Addressee,
  newCount: number,
): Promise<number | undefined> {
  const until = await gatheringEndsAt(system, to.id)
  if (until !== undefined) return until
  const recent = (await mailsSince(system, to.id, system.now - gatheringPeriodMs)).filter(
    (at) => at <= system.now,
  )
  return recent.length + newCount > maxSingleMails ? recent[0]! + gatheringPeriodMs : undefined
}
