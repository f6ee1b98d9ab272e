import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import {
  dayLong,
  hour,
  makeWorkspace,
  minute,
  type TestWorkspace,
} from '../../../testing/harness.ts'
import { notifyStarts } from '../ticks.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const reminderTexts = async () =>
  (await workspace.ann.call('list_notifications', { kind: 'reminder' })).items.map(
    (item: any) => item.text ?? item.summary,
  )
const startEventCount = async () => {
  const rows = await workspace.app.store.read
    .selectFrom('changes')
    .select('events_json')
    .where('events_json', 'like', '%event.starting_soon%')
    .execute()
  return rows.length
}
const pass = async (milliseconds: number) => {
  workspace.clock.pass(milliseconds)
  for (let i = 0; i < 3; i++) await runTick(workspace.app, notifyStarts)
}

test('only the owner of an event is reminded, once per reminder', async () => {
  const { ann, bob } = workspace
  await ann.call('create_event', {
    title: 'Secret surgery',
    starts_at: '2026-11-20T14:00',
    ends_at: '2026-11-20T15:00',
    reminders_minutes: [30, 5],
    attendees: [bob.id],
  })
  await pass(29 * minute)
  assert.deepEqual(await reminderTexts(), [])
  await pass(2 * minute)
  assert.deepEqual(await reminderTexts(), ['One of your events starts in 29 minutes'])
  await pass(10 * minute)
  assert.equal((await reminderTexts()).length, 1)
  await pass(15 * minute)
  assert.deepEqual([(await reminderTexts()).length, await startEventCount()], [2, 2])
  await pass(3 * hour)
  assert.deepEqual([(await reminderTexts()).length, await startEventCount()], [2, 2])
  assert.deepEqual((await bob.call('list_notifications', { kind: 'reminder' })).items, [])
})

test('each occurrence of a series is announced, exceptions at their new time; without reminders only to listeners', async () => {
  const { ann } = workspace
  const before = [(await reminderTexts()).length, await startEventCount()] as const
  const series = await ann.call('create_event', {
    title: 'Standup',
    starts_at: '2026-11-23T09:00',
    ends_at: '2026-11-23T09:15',
    rrule: 'FREQ=DAILY;COUNT=3',
  })
  await ann.call('update_event', {
    event_id: `${series.id}_20261124T080000Z`,
    starts_at: '2026-11-24T15:00',
  })
  const eventsRaisedBy = async (text: string) => {
    await pass(Date.parse(text) - workspace.clock.at)
    return (await startEventCount()) - before[1]
  }
  assert.deepEqual(
    [await eventsRaisedBy('2026-11-23T07:49:00Z'), await eventsRaisedBy('2026-11-23T07:51:00Z')],
    [0, 1],
  )
  assert.deepEqual(
    [await eventsRaisedBy('2026-11-24T08:30:00Z'), await eventsRaisedBy('2026-11-24T13:51:00Z')],
    [1, 2],
  )
  assert.equal(await eventsRaisedBy('2026-11-25T07:50:30Z'), 3)
  assert.equal((await reminderTexts()).length, before[0])
  const [row] = await workspace.app.store.read
    .selectFrom('events')
    .select('remind_at')
    .where('id', '=', series.id)
    .execute()
  assert.equal(row!.remind_at, null)
})

test('a reminder due during downtime comes late, but not after the event is over', async () => {
  const { ann } = workspace
  const before = (await reminderTexts()).length
  const day = new Date(workspace.clock.at + dayLong).toISOString().slice(0, 10)
  await ann.call('create_event', {
    title: 'Long',
    starts_at: `${day}T10:00`,
    ends_at: `${day}T18:00`,
    reminders_minutes: [10],
  })
  await ann.call('create_event', {
    title: 'Short',
    starts_at: `${day}T10:00`,
    ends_at: `${day}T10:30`,
    reminders_minutes: [10],
  })
  await pass(Date.parse(`${day}T12:00:00Z`) - workspace.clock.at)
  assert.deepEqual((await reminderTexts()).slice(0, (await reminderTexts()).length - before), [
    'One of your events has started',
  ])
})

test('a deleted event triggers no reminder', async () => {
  const { ann } = workspace
  const before = await startEventCount()
  const day = new Date(workspace.clock.at + dayLong).toISOString().slice(0, 10)
  const createdEvent = await ann.call('create_event', {
    title: 'Gone',
    starts_at: `${day}T10:00`,
    ends_at: `${day}T11:00`,
    reminders_minutes: [10],
  })
  await ann.call('delete_event', { event_id: createdEvent.id, notify: false })
  await pass(Date.parse(`${day}T09:00:00Z`) - workspace.clock.at)
  assert.equal(await startEventCount(), before)
})
