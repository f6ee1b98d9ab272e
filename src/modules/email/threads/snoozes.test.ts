import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import {
  dayLong,
  hour,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'
import {
  plantEmail,
  plantMailbox,
  type GivenMail,
  type PlantedMailbox,
} from '../../../testing/mail/mailboxes.ts'
import { notifyAwaiting, wakeSnoozed } from '../ticks.ts'

let workspace: TestWorkspace
let ann: Someone
let box: PlantedMailbox

before(async () => {
  workspace = await makeWorkspace()
  ann = workspace.ann
  box = await plantMailbox(
    workspace.app.store,
    { id: ann.id, org_id: ann.actor.org_id, email: ann.actor.email },
    workspace.clock.now(),
  )
})
after(() => workspace.close())

const mail = (mail: GivenMail = {}) => plantEmail(box, mail, workspace.clock.now())
const read = (sql: string, ...values: unknown[]) =>
  workspace.app.store.raw.read.prepare(sql).all(...values) as Record<string, any>[]
const rowOf = (id: string) => read('select * from emails where id = ?', id)[0]!
const run = async (tick: typeof wakeSnoozed) => {
  while (await runTick(workspace.app, tick));
}

test('a snoozed thread returns on time, unread in the inbox, with a notification', async () => {
  const plantedMail = await mail({ subject: 'Later', unread: false })
  const snoozed = await ann.call('snooze_email', {
    thread_id: plantedMail.thread_id,
    until: new Date(workspace.clock.now() + 2 * hour).toISOString(),
  })
  assert.equal(
    snoozed.snoozed_until,
    new Date(workspace.clock.now() + 2 * hour).toISOString().replace('.000Z', '.000Z'),
  )
  assert.equal(
    (await ann.call('get_me')).counts.awaiting_reply,
    0,
    'snoozed threads do not count as awaiting a reply',
  )
  await ann.call('archive_emails', { email_ids: [plantedMail.id] })
  await run(wakeSnoozed)
  assert.equal(rowOf(plantedMail.id).place, 'archive')
  workspace.clock.pass(2 * hour + 1000)
  await run(wakeSnoozed)
  assert.deepEqual([rowOf(plantedMail.id).place, rowOf(plantedMail.id).unread], ['inbox', 1])
  assert.equal(
    read('select snoozed_until from mail_threads where id = ?', plantedMail.thread_id)[0]!
      .snoozed_until,
    null,
  )
  assert.ok(
    (await ann.call('list_notifications')).items.some(
      (item: any) => item.item?.id === plantedMail.thread_id,
    ),
  )
})

test('a snooze until a reply ends with a reply; null ends it at once', async () => {
  const plantedMail = await mail({ subject: 'Waiting' })
  const snoozed = await ann.call('snooze_email', {
    thread_id: plantedMail.thread_id,
    until_reply: true,
  })
  assert.deepEqual([snoozed.snoozed_until, snoozed.snoozed_until_reply], [undefined, true])
  await mail({ thread: plantedMail.thread_id, subject: 'Re: Waiting', news: true })
  assert.equal(
    read('select snoozed_until_reply from mail_threads where id = ?', plantedMail.thread_id)[0]!
      .snoozed_until_reply,
    0,
  )
  await ann.call('snooze_email', { thread_id: plantedMail.thread_id, until: '2026-12-24' })
  const back = await ann.call('snooze_email', { thread_id: plantedMail.thread_id, until: null })
  assert.equal(back.snoozed_until, undefined)
})

test('an empty snooze, or one into the past, is refused', async () => {
  const plantedMail = await mail()
  assert.equal(
    (await ann.refused('snooze_email', { thread_id: plantedMail.thread_id })).code,
    'invalid_argument',
  )
  assert.match(
    (await ann.refused('snooze_email', { thread_id: plantedMail.thread_id, until: '2020-01-01' }))
      .message,
    /has passed/,
  )
  assert.match(
    (await ann.refused('snooze_email', { thread_id: plantedMail.thread_id, until: '2099-01-01' }))
      .message,
    /within a year/,
  )
  assert.equal(
    (
      await workspace.bob.refused('snooze_email', {
        thread_id: plantedMail.thread_id,
        until_reply: true,
      })
    ).code,
    'not_found',
  )
})

test('a thread awaiting a reply for a day is announced once, only to its owner', async () => {
  workspace.clock.pass(hour)
  const plantedMail = await mail({ subject: 'Could you look at this?', from: 'kim@client.test' })
  await run(notifyAwaiting)
  const eventCount = async (who: Someone) =>
    (await who.call('list_changes', { limit: 100 })).items.filter(
      (item: any) =>
        item.event === 'thread.awaiting_reply' && item.item.id === plantedMail.thread_id,
    ).length
  const events = () =>
    read(
      "select for_person_id from changes where item_id = ? and events_json like '%thread.awaiting_reply%'",
      plantedMail.thread_id,
    )
  assert.deepEqual(events(), [])
  workspace.clock.pass(dayLong + 1000)
  await run(notifyAwaiting)
  await run(notifyAwaiting)
  assert.deepEqual(events(), [{ for_person_id: ann.id }])
  assert.equal(await eventCount(workspace.bob), 0)
})

test('agenda and counts show threads awaiting a reply; brief and interactions show mail with people', async () => {
  const contact = await ann.call('create_contact', {
    name: 'Kim Lee',
    emails: ['kim@partner.test'],
  })
  const plantedMail = await mail({
    subject: 'Contract',
    from: 'kim@partner.test',
    text: 'Please sign.',
  })
  const agenda = await ann.call('get_my_agenda')
  assert.ok(agenda.threads_awaiting_me.some((item: any) => item.id === plantedMail.thread_id))
  assert.ok((await ann.call('get_me')).counts.awaiting_reply >= 1)
  const interactions = (await ann.call('list_interactions', { contact_id: contact.id })).items
  assert.deepEqual(
    interactions.map((item: any) => [
      item.kind,
      item.source.id,
      item.trust,
      item.contacts[0].title,
    ]),
    [['email', plantedMail.id, 'external', 'Kim Lee']],
  )
  assert.deepEqual(
    (await ann.call('list_interactions', { kind: ['email'] })).items.map((item: any) => item.id),
    [plantedMail.id],
  )
  assert.deepEqual(
    (await workspace.bob.call('list_interactions', { contact_id: contact.id })).items,
    [],
    "colleagues see nothing of ann's mail",
  )
  assert.equal((await workspace.bob.call('get_my_agenda')).threads_awaiting_me.length, 0)
  const meeting = await ann.call('create_meeting', {
    title: 'Contract talk',
    participants: ['kim@partner.test'],
    starts_at: '2026-12-01T10:00:00Z',
    ends_at: '2026-12-01T11:00:00Z',
  })
  const brief = await ann.call('get_meeting_brief', { meeting_id: meeting.id })
  assert.deepEqual(
    brief.threads.map((item: any) => item.subject),
    ['Contract'],
  )
  assert.ok(!brief.missing_modules.includes('email'))
})

test('snoozed threads are listed separately and stay hidden in the inbox', async () => {
  const plantedMail = await mail({ subject: 'Out of sight' })
  const { thread_id } = plantedMail
  const findListed = async (filter: object) => {
    const { items } = await ann.call('list_email_threads', { limit: 100, ...filter })
    return items.find((item: { id: string }) => item.id === thread_id)
  }
  assert.equal((await findListed({ folder: 'inbox' })).in_inbox, true)
  assert.equal(await findListed({ snoozed: true }), undefined)
  await ann.call('snooze_email', { thread_id, until_reply: true })
  assert.equal(await findListed({ folder: 'inbox' }), undefined)
  assert.equal(await findListed({ snoozed: false }), undefined)
  assert.equal((await findListed({ folder: 'inbox', snoozed: true })).snoozed_until_reply, true)
  assert.equal((await findListed({ snoozed: true })).in_inbox, true)
  await ann.call('archive_emails', { thread_ids: [thread_id] })
  assert.equal((await findListed({ snoozed: true })).in_inbox, false)
})
