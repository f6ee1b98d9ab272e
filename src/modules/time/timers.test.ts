import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { runTick } from '../../operations/jobs/system.ts'
import {
  hour,
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../testing/harness.ts'
import { notifyLongTimers } from './ticks.ts'

let workspace: TestWorkspace
let who: Someone
let count = 0
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

// Each test gets its own person and project, at noon UTC, 13:00 in Berlin.
beforeEach(async () => {
  workspace.clock.at = Date.UTC(2026, 10, 20, 12, 0, 0)
  who = await workspace.person(`P${++count}`)
  await who.call('create_project', { name: `Project ${count}`, key: `P${count}` })
})

const targetArgs = () => ({ project_id: `P${count}` })
const start = (more: Record<string, unknown> = {}) =>
  who.call('start_timer', { ...targetArgs(), ...more })
const stop = (more: Record<string, unknown> = {}) => who.call('stop_timer', more)
const iso = (ago: number) => new Date(workspace.clock.at - ago).toISOString()

test('a timer runs until it is stopped, and its entry then has the minutes', async () => {
  const timer = await start({ note: 'thinking' })
  assert.deepEqual(
    [timer.running_since, timer.spent_on, timer.note, timer.billable],
    ['2026-11-20T12:00:00.000Z', '2026-11-20', 'thinking', false],
  )
  workspace.clock.pass(25 * minute)
  const [running] = (await who.call('list_time_entries', { running: true })).items
  assert.deepEqual([running.id, running.duration_minutes], [timer.id, 25])
  workspace.clock.pass(10 * minute)
  const ended = await stop({ note: 'thought' })
  assert.deepEqual(
    [ended.id, ended.duration_minutes, ended.running_since, ended.note],
    [timer.id, 35, undefined, 'thought'],
  )
  assert.deepEqual((await who.call('list_time_entries', { running: true })).items, [])
  assert.equal((await who.refused('stop_timer')).code, 'conflict')
})

test('durations are rounded to the nearest minute, with a minimum of one', async () => {
  for (const [seconds, minutes] of [
    [0, 1],
    [29, 1],
    [89, 1],
    [90, 2],
    [150, 3],
  ] as const) {
    await start()
    workspace.clock.pass(seconds * 1000)
    assert.equal((await stop()).duration_minutes, minutes, `${seconds} s`)
  }
})

test('starting another timer stops the first one, and says so', async () => {
  const first = await start()
  workspace.clock.pass(7 * minute)
  const second = await start({ note: 'next' })
  assert.deepEqual(
    [second.stopped.id, second.stopped.duration_minutes, second.stopped.running_since],
    [first.id, 7, undefined],
  )
  assert.equal((await who.call('list_time_entries', { running: true })).items.length, 1)
})

test('two simultaneous starts leave one timer running', async () => {
  await Promise.all(Array.from({ length: 8 }, () => start()))
  assert.equal((await who.call('list_time_entries', { running: true })).items.length, 1)
  assert.equal((await who.call('list_time_entries', { running: false })).items.length, 7)
})

test('a timer can be started up to a day in the past, but not before the previous one ended', async () => {
  const { clock } = workspace
  const refused = async (more: Record<string, unknown>) =>
    (await who.refused('start_timer', { ...targetArgs(), ...more })).body()
  assert.match((await refused({ started_at: iso(-minute) })).message, /in the future/)
  assert.match((await refused({ started_at: iso(25 * hour) })).message, /up to 24 hours ago/)
  const timer = await start({ started_at: iso(20 * hour) })
  assert.deepEqual([timer.spent_on, timer.duration_minutes], ['2026-11-19', 1200])
  assert.match((await refused({ started_at: iso(21 * hour) })).message, /later than started_at/)
  const next = await start({ started_at: iso(10 * hour) })
  assert.equal(next.stopped.duration_minutes, 600)
  clock.pass(minute)
  await stop({ stopped_at: iso(5 * hour) })
  const again = await refused({ started_at: iso(6 * hour) })
  assert.deepEqual(
    [again.code, /ran until 2026-11-20T08:01:00\+01:00/.test(again.message)],
    ['conflict', true],
  )
  assert.equal((await start({ started_at: iso(5 * hour) })).running_since, iso(5 * hour))
})

test('a timer cannot be stopped before its start or in the future', async () => {
  await start()
  workspace.clock.pass(hour)
  assert.match(
    (await who.refused('stop_timer', { stopped_at: iso(hour) })).message,
    /started later/,
  )
  assert.match(
    (await who.refused('stop_timer', { stopped_at: iso(-minute) })).message,
    /in the future/,
  )
  assert.equal((await stop({ stopped_at: iso(30 * minute) })).duration_minutes, 30)
})

test('a timer across midnight counts for the local day of its start, capped at one day', async () => {
  const { clock } = workspace
  clock.at = Date.UTC(2026, 10, 20, 22, 50) // 23:50 in Berlin
  await start()
  clock.pass(30 * minute)
  assert.deepEqual(
    [(await stop()).spent_on, (await who.call('list_time_entries', {})).items[0].duration_minutes],
    ['2026-11-20', 30],
  )
  clock.at = Date.UTC(2026, 10, 20, 23, 30) // 0:30 the next day
  assert.equal((await start()).spent_on, '2026-11-21')
  clock.pass(61 * hour)
  const ended = await stop()
  assert.equal(ended.duration_minutes, 1440)
  assert.match(ended.notes[0], /more than a day/)
})

test('day and minutes of a running timer cannot be edited; other fields can', async () => {
  const { id } = await start()
  assert.equal(
    (await who.refused('update_time_entry', { entry_id: id, duration_minutes: 5 })).more.next?.tool,
    'stop_timer',
  )
  assert.equal(
    (await who.refused('update_time_entry', { entry_id: id, spent_on: '2026-11-19' })).code,
    'conflict',
  )
  assert.equal(
    (await who.call('update_time_entry', { entry_id: id, note: 'x', billable: true })).billable,
    true,
  )
})

test('deleting a timer stops it; restored, it is an ended entry', async () => {
  const { id } = await start()
  workspace.clock.pass(4 * minute)
  await who.call('delete_time_entry', { entry_id: id })
  assert.equal((await who.refused('stop_timer')).code, 'conflict')
  await start()
  await who.call('restore_item', { item_id: id })
  assert.deepEqual(
    (await who.call('list_time_entries', { running: false })).items.map(
      (item: any) => item.duration_minutes,
    ),
    [4],
  )
})

test('starting, stopping and deleting a timer can be undone', async () => {
  const key = await workspace.key(who)
  const call = (tool: string, args: Record<string, unknown> = {}) =>
    who.call(tool, args, { via: 'api', key })
  const undo = async () =>
    (
      await who.call('undo_api_call', {
        call_id: (await who.call('list_api_calls', {})).items[0].id,
      })
    ).undone
  const running = async () =>
    (await who.call('list_time_entries', { running: true })).items.map(
      (item: any) => item.running_since,
    )
  const first = await call('start_timer', targetArgs())
  workspace.clock.pass(minute)
  await call('start_timer', targetArgs())
  assert.equal(await undo(), true)
  assert.deepEqual(await running(), [first.running_since])
  workspace.clock.pass(minute)
  await call('stop_timer')
  assert.equal(await undo(), true)
  assert.deepEqual(await running(), [first.running_since])
  await call('delete_time_entry', { entry_id: first.id })
  assert.equal(await undo(), true)
  assert.deepEqual(await running(), [first.running_since])
  await call('stop_timer')
  await who.call('start_timer', targetArgs())
  assert.equal(await undo(), false)
})

test('a timer running for ten hours triggers one notification', async () => {
  const { clock, app } = workspace
  const { id } = await start()
  const notificationCount = async () =>
    (
      await app.store.read
        .selectFrom('notifications')
        .select(['person_id', 'text'])
        .where('item_id', '=', id)
        .execute()
    ).length
  const events = async () =>
    (
      await app.store.read
        .selectFrom('changes')
        .select('events_json')
        .where('item_id', '=', id)
        .execute()
    ).filter((row) => row.events_json.includes('timer.running_long')).length
  clock.pass(10 * hour - minute)
  await runTick(app, notifyLongTimers)
  assert.deepEqual([await notificationCount(), await events()], [0, 0])
  clock.pass(minute)
  await runTick(app, notifyLongTimers)
  clock.pass(10 * hour)
  await runTick(app, notifyLongTimers)
  assert.deepEqual([await notificationCount(), await events()], [1, 1])
  assert.equal((await stop()).duration_minutes, 1200)
})

test('only its owner can stop a timer, and only the owner and the project lead see it', async () => {
  const { ann, eve } = workspace
  await who.call('add_project_member', { project_id: `P${count}`, person_id: ann.id })
  await ann.call('start_timer', targetArgs())
  assert.equal(
    (await who.call('list_time_entries', { running: true })).items[0].person.title,
    'Ann',
  )
  assert.equal((await who.refused('stop_timer')).code, 'conflict')
  assert.deepEqual((await eve.call('list_time_entries', {})).items, [])
  await ann.call('stop_timer')
  assert.equal((await eve.refused('start_timer', targetArgs())).code, 'not_found')
})
