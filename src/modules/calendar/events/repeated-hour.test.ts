import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const times = (event: any) => [event.starts_at, event.ends_at].map((at) => at.replace('.000Z', 'Z'))
const create = (args: object) => workspace.ann.call('create_event', { title: 'Night', ...args })
const get = (event_id: string) => workspace.ann.call('get_event', { event_id })

const nights: [zone: string, start: string, end: string][] = [
  ['Europe/Berlin', '2027-10-31T01:30:00Z', '2027-10-31T02:00:00Z'],
  ['Europe/Berlin', '2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z'],
  ['Europe/Berlin', '2027-10-31T00:30:00Z', '2027-10-31T00:45:00Z'],
  ['America/New_York', '2027-11-07T06:15:00Z', '2027-11-07T06:45:00Z'],
  ['Australia/Lord_Howe', '2027-04-03T15:10:00Z', '2027-04-03T15:20:00Z'],
]

test('an event in the hour repeated by DST keeps its instants and zone, also when exported to another calendar', async () => {
  const { ann, bob } = workspace
  for (const [timezone, starts_at, ends_at] of nights) {
    const created = await create({ starts_at, ends_at, timezone })
    assert.deepEqual(times(created), [starts_at, ends_at])
    assert.deepEqual(times(await get(created.id)), [starts_at, ends_at])
    assert.equal(created.event_timezone ?? 'Europe/Berlin', timezone)
  }
  const [from] = (await ann.call('list_calendars', {})).items
  const [to] = (await bob.call('list_calendars', {})).items
  const { download } = await ann.call('export_calendar', { calendar_id: from.id })
  const ics = Buffer.from(download.content_base64, 'base64').toString()
  assert.equal((await bob.call('import_calendar', { calendar_id: to.id, ics })).created, 5)
  const range = { from: '2027-04-01', to: '2027-11-30' }
  const { items } = await bob.call('list_events', range)
  assert.deepEqual(items.map(times).sort(), nights.map(([, start, end]) => [start, end]).sort())
})

test('events and single occurrences can be moved into and out of the repeated hour', async () => {
  const { ann } = workspace
  const berlin = { timezone: 'Europe/Berlin' }
  const at = { starts_at: '2027-10-30T10:00:00Z', ends_at: '2027-10-30T10:20:00Z', ...berlin }
  const { id } = await create(at)
  const movedInto = await ann.call('update_event', {
    event_id: id,
    starts_at: '2027-10-31T01:10:00Z',
  })
  assert.deepEqual(times(movedInto), ['2027-10-31T01:10:00Z', '2027-10-31T01:30:00Z'])
  const longer = await ann.call('update_event', { event_id: id, ends_at: '2027-10-31T01:40:00Z' })
  assert.deepEqual(times(longer), ['2027-10-31T01:10:00Z', '2027-10-31T01:40:00Z'])
  const earlier = { event_id: id, starts_at: '2027-10-31T00:10:00Z' }
  const movedOut = await ann.call('update_event', earlier)
  assert.deepEqual(times(movedOut), ['2027-10-31T00:10:00Z', '2027-10-31T00:40:00Z'])
  const series = await create({ ...at, rrule: 'FREQ=DAILY;COUNT=3' })
  const { items } = await ann.call('list_events', { from: '2027-10-30', to: '2027-11-02' })
  const second = items.filter((item: any) => item.series_id === series.series_id)[1]
  const moved = await ann.call('update_event', {
    event_id: second.id,
    starts_at: '2027-10-31T01:50:00Z',
  })
  assert.deepEqual(times(moved), ['2027-10-31T01:50:00Z', '2027-10-31T02:10:00Z'])
})

test('a series that starts in the repeated hour continues by local time', async () => {
  const { ann } = workspace
  const series = await create({
    title: 'Backup',
    starts_at: '2027-10-31T01:30:00Z',
    ends_at: '2027-10-31T02:00:00Z',
    timezone: 'Europe/Berlin',
    rrule: 'FREQ=MONTHLY;COUNT=7',
  })
  const listed = async () => {
    const range = { from: '2027-10-01', to: '2028-06-30', query: 'Backup', limit: 50 }
    return (await ann.call('list_events', range)).items
  }
  const starts = (items: any[]) => items.map((item) => times(item)[0])
  const all = await listed()
  assert.deepEqual(
    [starts(all)[0], starts(all).at(-1)],
    ['2027-10-31T01:30:00Z', '2028-04-30T00:30:00Z'],
  )
  await ann.call('delete_event', { event_id: all[0].id, scope: 'this' })
  assert.deepEqual(starts(await listed()), starts(all).slice(1))
  assert.equal(series.rrule.startsWith('FREQ=MONTHLY'), true)
})

test('a series can be moved to start in the repeated hour', async () => {
  const { ann } = workspace
  const series = await create({
    title: 'Rounds',
    starts_at: '2027-10-31T09:00:00Z',
    ends_at: '2027-10-31T09:20:00Z',
    timezone: 'Europe/Berlin',
    rrule: 'FREQ=DAILY;COUNT=2',
  })
  const starts_at = '2027-10-31T01:30:00Z'
  await ann.call('update_event', { event_id: series.id, starts_at, scope: 'all' })
  const range = { from: '2027-10-30', to: '2027-11-05', query: 'Rounds' }
  assert.deepEqual((await ann.call('list_events', range)).items.map(times), [
    ['2027-10-31T01:30:00Z', '2027-10-31T01:50:00Z'],
    ['2027-11-01T01:30:00Z', '2027-11-01T01:50:00Z'],
  ])
})
