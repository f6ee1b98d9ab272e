import type { ReadContext, WriteContext } from '../../operations/context.ts'
import type { Tick, TickContext } from '../../operations/jobs/tick.ts'
import { dayLength } from '../../kernel/time/times.ts'
import {
  activeRecipients,
  channelPreferences,
  writeNotification,
  type NoticeKind,
} from '../../notify/notifications.ts'
import {
  changeRound,
  deleteStaleRounds,
  dueRounds,
  startRound,
  peopleWithoutRound,
  workDaysOf,
  type RoundRow,
} from './access-digests.ts'
import { addMail, addressee, type EntryRow } from './access-mails.ts'
import { visibleNotifications, ownInbox, unreadNotifications } from './access.ts'
import { nextDigest } from './digest-days.ts'
import { digestText } from './mail-texts.ts'
import { requestMailJob, sendAt } from './mails.ts'

const batchSize = 20
const maxListed = 20
/** Maximum time until a digest: holidays can be long, but later dates come from a clock that was set forward. */
const maxAheadMs = 80 * dayLength

export interface DigestContent {
  period: 'daily' | 'weekly'
  since: number
  until: number
  counts: [NoticeKind, number][]
}

/** Creates due digests: one entry and mail each, in the transaction that schedules the next. */
export const makeDigests: Tick = {
  name: 'make_digests',
  async run(system) {
    await deleteStaleRounds(system, system.now + maxAheadMs)
    const starting = await peopleWithoutRound(system, batchSize)
    for (const item of starting)
      await startRound(
        system,
        item,
        nextDigest(system.now, item.timezone, item.digest, await workDaysOf(system, item.org_id)),
      )
    const due = await dueRounds(system, batchSize)
    for (const round of due) await runDigestRound(system, round)
    return starting.length === batchSize || due.length === batchSize
  },
}

async function runDigestRound(system: TickContext, round: RoundRow): Promise<void> {
  const to = await addressee(system, round.person_id)
  const next = nextDigest(
    system.now,
    to?.timezone ?? 'UTC',
    round.digest,
    await workDaysOf(system, round.org_id),
  )
  await changeRound(system, round.person_id, { since_at: system.now, due_at: next })
  if (to) await system.as(round.person_id, (ctx) => writeDigest(system, ctx, round))
}

async function writeDigest(
  system: TickContext,
  ctx: WriteContext,
  { person_id, org_id, digest, since_at }: RoundRow,
): Promise<void> {
  const content: DigestContent = {
    period: digest,
    since: since_at,
    until: system.now,
    counts: await unreadCountsByKind(ctx, since_at),
  }
  if (content.counts.length === 0) return // without unread entries, no digest is sent
  const recipient = (await activeRecipients(system.all, org_id, [person_id])).get(person_id)!
  const item = { type: 'organization', id: org_id }
  await writeNotification(system.all, system.now, recipient, {
    kind: 'digest',
    item,
    actor: null,
    text: `Your ${digest} digest: ${digestText(content.counts)}`,
    isMailedSeparately: true,
  })
  if (ctx.settings.mail_server === '' || !channelPreferences(recipient.events_json, 'digest').email)
    return
  const to = (await addressee(system, person_id))!
  await addMail(
    system,
    { id: person_id, org_id },
    { form: 'digest', sendAt: sendAt(system.now, to, 'digest'), digest: content, entries: [] },
  )
  await requestMailJob(ctx, person_id)
}

/** Counts the unread entries since the given time by kind, the most frequent kind first. */
async function unreadCountsByKind(
  ctx: ReadContext,
  since: number,
): Promise<[NoticeKind, number][]> {
  const rows = await unreadNotifications(ctx, await ownInbox(ctx))
    .where('notifications.shown_at', '>', since)
    .where('notifications.kind', '<>', 'digest')
    .select((eb) => ['notifications.kind', eb.fn.countAll<number>().as('count')])
    .groupBy('notifications.kind')
    .execute()
  return rows
    .map(({ kind, count }): [NoticeKind, number] => [kind, count])
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}

/** The newest entries of a digest that its recipient may still see. */
export function digestEntries(
  ctx: ReadContext,
  { since, until }: DigestContent,
): Promise<EntryRow[]> {
  const entries = visibleNotifications(ctx)
    .selectAll('notifications')
    .where('notifications.shown_at', '>', since)
    .where('notifications.shown_at', '<=', until)
  return entries
    .where('notifications.kind', '<>', 'digest')
    .where('notifications.read_at', 'is', null)
    .orderBy('notifications.shown_at', 'desc')
    .orderBy('notifications.id', 'desc')
    .limit(maxListed)
    .execute()
}
