import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Queue } from '../../jobs/queue.ts'
import { runTicks } from '../../jobs/scheduler.ts'
import {
  dayLong,
  hour,
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  await workspace.ann.call('create_project', { name: 'Launch', key: 'LAU' })
  await workspace.ann.call('create_task', { project_id: 'LAU', title: 'Ship it' })
})
after(() => workspace.close())

/** Runs a minute of the server's background work. */
async function runBackgroundWork(): Promise<void> {
  await runTicks(workspace.app)
  await new Queue(workspace.app).drain()
}

const inFuture = (milliseconds: number) =>
  new Date(workspace.clock.now() + milliseconds).toISOString()
const unreadReminders = async (who: Someone) =>
  (await who.call('list_notifications', { kind: ['reminder'], unread: true })).items as {
    text: string
    item: { type: string; key?: string }
    actor?: object
  }[]
const lastCall = (tool: string) =>
  workspace.app.store.raw.read
    .prepare('SELECT id FROM calls WHERE tool = ? ORDER BY id DESC LIMIT 1')
    .pluck()
    .get(tool) as string
const markAllRead = (who: Someone) => who.call('mark_notifications_read', { all: true })

test('a reminder fires once at its time, with its item', async () => {
  const { ann, clock } = workspace
  const reminder = await ann.call('create_reminder', {
    remind_at: inFuture(hour),
    text: 'look at it',
    item_id: 'LAU-1',
  })
  assert.deepEqual(
    [reminder.status, reminder.item.key, reminder.timezone],
    ['pending', 'LAU-1', 'Europe/Berlin'],
  )
  await runBackgroundWork()
  assert.deepEqual(await unreadReminders(ann), [])
  clock.pass(hour + minute)
  await runBackgroundWork()
  await runBackgroundWork()
  const [entry, ...more] = await unreadReminders(ann)
  assert.deepEqual(
    [entry!.text, entry!.item.key, entry!.actor, more],
    ['Reminder: look at it', 'LAU-1', undefined, []],
  )
  assert.deepEqual((await ann.call('list_reminders')).items, [])
  assert.equal(
    (await ann.refused('cancel_reminder', { reminder_id: reminder.id })).code,
    'conflict',
  )
})

test('a reminder due within seconds does not wait for the next round of ticks', async () => {
  const { ann, clock } = workspace
  await markAllRead(ann)
  await ann.call('create_reminder', { remind_at: inFuture(5_000), text: 'soon' })
  clock.pass(6_000)
  await new Queue(workspace.app).drain()
  assert.deepEqual(
    (await unreadReminders(ann)).map((item) => item.text),
    ['Reminder: soon'],
  )
})

test('times without an offset are local to the time zone, and a bare date is the start of that day', async () => {
  const { ann } = workspace
  const local = await ann.call('create_reminder', { remind_at: '2026-12-01T09:00', text: 'x' })
  assert.deepEqual(
    [local.remind_at, local.remind_local],
    ['2026-12-01T08:00:00.000Z', '2026-12-01T09:00:00+01:00'],
  )
  const tokyo = await ann.call('create_reminder', {
    remind_at: '2026-12-01T09:00',
    timezone: 'Asia/Tokyo',
    text: 'x',
  })
  assert.equal(tokyo.remind_at, '2026-12-01T00:00:00.000Z')
  const day = await ann.call('create_reminder', { remind_at: '2026-12-01', text: 'x' })
  assert.equal(day.remind_local, '2026-12-01T00:00:00+01:00')
  const before = (await ann.call('list_reminders', { before: '2026-12-01T08:30:00+01:00' })).items
  assert.deepEqual(
    before.map((item: { id: string }) => item.id),
    [day.id, tokyo.id],
  )
  for (const item of [local, tokyo, day])
    await ann.call('cancel_reminder', { reminder_id: item.id })
})

test('an invalid reminder is refused with a hint', async () => {
  const { ann } = workspace
  assert.match(
    (await ann.refused('create_reminder', { remind_at: inFuture(hour) })).message,
    /needs a text or an item/,
  )
  assert.match(
    (await ann.refused('create_reminder', { remind_at: inFuture(-hour), text: 'x' })).message,
    /has passed/,
  )
  assert.match(
    (await ann.refused('create_reminder', { remind_at: '2026-11-20', text: 'x' })).more.hint!,
    /add a time/,
  )
  assert.equal(
    (
      await ann.refused('create_reminder', {
        remind_at: inFuture(hour),
        text: 'x',
        rrule: 'FREQ=HOURLY',
      })
    ).more.field,
    'rrule',
  )
  assert.match(
    (
      await ann.refused('create_reminder', {
        remind_at: '2026-01-01T09:00',
        text: 'x',
        rrule: 'FREQ=DAILY;UNTIL=20260201',
      })
    ).message,
    /no future occurrence/,
  )
})

test('a repeating reminder fires at each occurrence in local time and becomes pending again', async () => {
  const { ann, clock } = workspace
  await markAllRead(ann)
  const reminder = await ann.call('create_reminder', {
    remind_at: '2027-03-27T09:00',
    text: 'daily',
    rrule: 'FREQ=DAILY;COUNT=3',
  })
  const times: string[] = []
  clock.at = Date.parse('2027-03-27T06:30:00Z')
  for (let i = 0; i < 4; i++) {
    const [next] = (await ann.call('list_reminders', { limit: 1 })).items
    if (next?.id === reminder.id) times.push(next.remind_local)
    clock.pass(dayLong)
    await runBackgroundWork()
  }
  assert.deepEqual(times, [
    '2027-03-27T09:00:00+01:00',
    '2027-03-28T09:00:00+02:00',
    '2027-03-29T09:00:00+02:00',
  ])
  assert.equal((await unreadReminders(ann)).length, 3)
})

test('after long downtime or a clock jump ahead a reminder fires late and once; it does not fire again when the clock is set back', async () => {
  const { ann, clock } = workspace
  await markAllRead(ann)
  const start = clock.now()
  await ann.call('create_reminder', {
    remind_at: inFuture(hour),
    text: 'every day',
    rrule: 'FREQ=DAILY',
  })
  await ann.call('create_reminder', { remind_at: inFuture(2 * hour), text: 'once' })
  clock.pass(10 * dayLong)
  await runBackgroundWork()
  assert.deepEqual((await unreadReminders(ann)).map((item) => item.text).sort(), [
    'Reminder: every day',
    'Reminder: once',
  ])
  clock.at = start + minute
  await runBackgroundWork()
  clock.pass(3 * hour)
  await runBackgroundWork()
  assert.equal(
    (
      await workspace.app.store.read
        .selectFrom('notifications')
        .select('id')
        .where('kind', '=', 'reminder')
        .where('text', '=', 'Reminder: once')
        .execute()
    ).length,
    1,
  )
  const [daily] = (await ann.call('list_reminders')).items
  assert.ok(
    Date.parse(daily.remind_at) < clock.now() + dayLong,
    'the next occurrence follows the corrected clock',
  )
  await ann.call('cancel_reminder', { reminder_id: daily.id })
  clock.at = start + 11 * dayLong
})

test('setting the clock back an hour after a reminder fired does not repeat it', async () => {
  const { bob, clock } = workspace
  await bob.call('create_reminder', {
    remind_at: inFuture(hour),
    text: 'daily',
    rrule: 'FREQ=DAILY',
  })
  clock.pass(hour)
  await runBackgroundWork()
  clock.pass(-hour)
  await runBackgroundWork()
  clock.pass(hour)
  await runBackgroundWork()
  clock.pass(1000)
  assert.equal((await unreadReminders(bob)).length, 1)
  const [daily] = (await bob.call('list_reminders')).items
  await bob.call('cancel_reminder', { reminder_id: daily.id })
})

test('a reminder whose item has become invisible shows only its text, or says so', async () => {
  const { ann, carol, clock } = workspace
  await ann.call('add_project_member', { project_id: 'LAU', person_id: carol.id })
  await carol.call('create_reminder', {
    remind_at: inFuture(hour),
    text: 'with words',
    item_id: 'LAU-1',
  })
  await carol.call('create_reminder', { remind_at: inFuture(hour + minute), item_id: 'LAU-1' })
  await markAllRead(carol)
  await ann.call('remove_project_member', { project_id: 'LAU', person_id: carol.id })
  const [listed] = (await carol.call('list_reminders')).items
  assert.deepEqual([listed.item, listed.item_hidden], [undefined, true])
  clock.pass(2 * hour)
  await runBackgroundWork()
  const notices = await unreadReminders(carol)
  assert.deepEqual(notices.map((item) => [item.item.type, item.text]).sort(), [
    ['reminder', 'Reminder about an item you can no longer see'],
    ['reminder', 'Reminder: with words'],
  ])
})

test('a cancelled reminder does not fire, cancelling again is no error, and undo restores it', async () => {
  const { ann, clock } = workspace
  await markAllRead(ann)
  const reminder = await ann.call('create_reminder', { remind_at: inFuture(hour), text: 'maybe' })
  const cancellation = await ann.call('cancel_reminder', { reminder_id: reminder.id })
  assert.deepEqual([cancellation.item.id, cancellation.restorable_until], [reminder.id, undefined])
  await ann.call('cancel_reminder', { reminder_id: reminder.id })
  clock.pass(2 * hour)
  await runBackgroundWork()
  assert.deepEqual(await unreadReminders(ann), [])
  await ann.call('undo_api_call', { call_id: cancellation.undo_call_id })
  await runBackgroundWork()
  assert.deepEqual(
    (await unreadReminders(ann)).map((item) => item.text),
    ['Reminder: maybe'],
  )
})

test('undoing the creation removes a reminder that has not fired yet', async () => {
  const { ann } = workspace
  const reminder = await ann.call('create_reminder', { remind_at: inFuture(hour), text: 'no' })
  assert.equal(
    (await ann.call('undo_api_call', { call_id: lastCall('create_reminder') })).undone,
    true,
  )
  assert.equal(
    (await ann.refused('cancel_reminder', { reminder_id: reminder.id })).code,
    'not_found',
  )
})

test('reminders are private to their owner, and cannot refer to invisible items', async () => {
  const { ann, bob, eve } = workspace
  const reminder = await ann.call('create_reminder', { remind_at: inFuture(hour), text: 'mine' })
  for (const who of [bob, eve]) {
    assert.equal(
      (await who.refused('cancel_reminder', { reminder_id: reminder.id })).code,
      'not_found',
    )
    assert.ok(
      !(await who.call('list_reminders')).items.some(
        (item: { id: string }) => item.id === reminder.id,
      ),
    )
    assert.equal(
      (await who.refused('create_reminder', { remind_at: inFuture(hour), item_id: 'LAU-1' })).code,
      'not_found',
    )
  }
  const same = await ann.call(
    'create_reminder',
    { remind_at: '2030-01-01T09:00', text: 'same' },
    { idempotencyKey: 'r1' },
  )
  assert.equal(
    (
      await ann.call(
        'create_reminder',
        { remind_at: '2030-01-01T09:00', text: 'same' },
        { idempotencyKey: 'r1' },
      )
    ).id,
    same.id,
  )
  assert.deepEqual((await ann.call('list_reminders', { item_id: 'LAU-1' })).items, [])
})

test('a deactivated person gets no reminders, and missed ones fire once after reactivation', async () => {
  const { clock, app } = workspace
  const dora = await workspace.person('Dora')
  await dora.call('create_reminder', { remind_at: inFuture(hour), text: 'late' })
  const setStatus = (status: 'active' | 'deactivated') =>
    app.store.writer.run(
      async () =>
        void (await app.store.write
          .updateTable('users')
          .set({ status })
          .where('id', '=', dora.id)
          .execute()),
    )
  await setStatus('deactivated')
  clock.pass(2 * hour)
  await runBackgroundWork()
  assert.equal(
    (
      await app.store.read
        .selectFrom('notifications')
        .select('id')
        .where('text', '=', 'Reminder: late')
        .execute()
    ).length,
    0,
  )
  await setStatus('active')
  await runBackgroundWork()
  assert.deepEqual(
    (await unreadReminders(dora)).map((item) => item.text),
    ['Reminder: late'],
  )
})
