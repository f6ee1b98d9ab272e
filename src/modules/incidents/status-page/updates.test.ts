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
import { maintenanceTick } from './maintenance.ts'

let workspace: TestWorkspace
const ids: Record<string, string> = {}

before(async () => {
  workspace = await makeWorkspace()
  for (const name of ['API', 'Site', 'Batch', 'Mail'])
    ids[name] = (await workspace.ann.call('create_service', { name, public: name !== 'Batch' })).id
})
after(() => workspace.close())

const publish = (args: Record<string, unknown>, who = workspace.bob) =>
  who.call('publish_status_update', {
    title: 'Trouble',
    body_markdown: 'We look into it.',
    state: 'investigating',
    ...args,
  })
const page = (args = {}, who = workspace.carol) => who.call('get_status_page', args)
const states = async () =>
  Object.fromEntries(
    (await page()).services.map((service: any) => [service.service.title, service.state]),
  )
const tick = async () => {
  while (await runTick(workspace.app, maintenanceTick));
}
const undo = (who = workspace.bob) => {
  const [call] = workspace.app.store.raw.read
    .prepare(
      "SELECT id FROM calls WHERE tool = 'publish_status_update' AND status = 'ok' ORDER BY at DESC, id DESC LIMIT 1",
    )
    .all() as { id: string }[]
  return who.call('undo_api_call', { call_id: call!.id })
}
const allOperational = {
  API: 'operational',
  Site: 'operational',
  Batch: 'operational',
  Mail: 'operational',
}

test('an update sets service states, continues by its title, and resolving it restores the states', async () => {
  const first = await publish({
    title: 'Slow API',
    service_states: { api: 'degraded', [ids.Batch!]: 'partial_outage' },
  })
  assert.deepEqual(
    first.services.map((service: any) => [service.service.title, service.from, service.to]).sort(),
    [
      ['API', 'operational', 'degraded'],
      ['Batch', 'operational', 'partial_outage'],
    ],
  )
  assert.deepEqual(
    [first.thread_id, first.dry_run, first.created_by.title],
    [first.id, false, 'Bob'],
  )
  assert.deepEqual(await states(), { ...allOperational, API: 'degraded', Batch: 'partial_outage' })
  const { overall, open_updates } = await page()
  assert.deepEqual(
    [overall, open_updates.length, open_updates[0].service_states],
    ['degraded', 1, { API: 'degraded', Batch: 'partial_outage' }],
    'the overall state is that of the worst public service',
  )
  workspace.clock.pass(10 * minute)
  const second = await publish({ title: 'slow api', state: 'monitoring' }, workspace.carol)
  assert.deepEqual([second.thread_id, second.services], [first.id, []])
  const backwards = await workspace.bob.refused('publish_status_update', {
    title: 'Slow API',
    body_markdown: 'x',
    state: 'identified',
  })
  assert.deepEqual(
    [backwards.code, backwards.more.context],
    ['conflict', { state: 'monitoring', possible: ['monitoring', 'resolved'] }],
  )
  workspace.clock.pass(10 * minute)
  const last = await publish({
    title: 'Slow API',
    state: 'resolved',
    service_states: { Batch: 'degraded' },
  })
  assert.deepEqual(
    last.services.map((service: any) => [service.service.title, service.from, service.to]).sort(),
    [
      ['API', 'degraded', 'operational'],
      ['Batch', 'partial_outage', 'degraded'],
    ],
  )
  assert.deepEqual((await page()).open_updates, [])
  await publish({
    title: 'Batch again',
    state: 'resolved',
    service_states: { Batch: 'operational' },
  })
  assert.deepEqual(await states(), allOperational)
  const again = await publish({ title: 'Slow API' })
  assert.equal(again.thread_id, again.id, 'a resolved thread has ended, so a new one starts')
  await publish({ title: 'Slow API', state: 'resolved' })
})

test('the newer of two open updates sets the state of a service, and the older one applies again afterwards', async () => {
  await publish({ title: 'One', service_states: { API: 'major_outage' } })
  workspace.clock.pass(minute)
  await publish({ title: 'Two', service_states: { API: 'degraded' } })
  assert.equal((await states()).API, 'degraded')
  workspace.clock.pass(minute)
  await publish({ title: 'Two', state: 'resolved' })
  assert.equal((await states()).API, 'major_outage')
  workspace.clock.pass(minute)
  await publish({ title: 'Three', service_states: { API: 'operational' } })
  assert.equal(
    (await states()).API,
    'operational',
    'operational ends the states of all open updates',
  )
  for (const title of ['One', 'Three']) await publish({ title, state: 'resolved' })
  assert.deepEqual(await states(), allOperational)
})

test('a maintenance is planned, runs and ends at its times exactly once, however late the tick runs', async () => {
  const starts = workspace.clock.at + hour
  const planned = await publish({
    title: 'Move',
    state: 'maintenance',
    service_states: { Site: 'maintenance', Mail: 'degraded' },
    starts_at: new Date(starts).toISOString(),
    ends_at: new Date(starts + 2 * hour).toISOString(),
  })
  assert.deepEqual(
    [planned.phase, planned.services, (await page()).planned.length],
    ['planned', [], 1],
  )
  await tick()
  assert.deepEqual(await states(), allOperational)
  workspace.clock.pass(hour + 10 * minute)
  assert.equal(
    (await page()).open_updates[0].phase,
    'running',
    'by the clock, before the tick has run',
  )
  await tick()
  await tick()
  assert.deepEqual(await states(), { ...allOperational, Site: 'maintenance', Mail: 'degraded' })
  await publish({ title: 'Mail is down', service_states: { Mail: 'major_outage' } })
  workspace.clock.pass(5 * hour)
  await tick()
  assert.deepEqual(
    await states(),
    { ...allOperational, Mail: 'major_outage' },
    'other states of the service stay',
  )
  const rows = workspace.app.store.raw.read
    .prepare(
      "SELECT starts_at, ends_at FROM service_intervals WHERE service_id = ? AND state = 'maintenance'",
    )
    .all(ids.Site!)
  assert.deepEqual(rows, [{ starts_at: starts, ends_at: starts + 2 * hour }], 'with its own times')
  await publish({ title: 'Mail is down', state: 'resolved' })
  assert.deepEqual(await states(), allOperational)
})

test('an entirely missed maintenance is recorded in the history; the same title reschedules it, and resolved ends it', async () => {
  const at = (hours: number) => new Date(workspace.clock.at + hours * hour).toISOString()
  await publish({
    title: 'Night work',
    state: 'maintenance',
    service_states: { Site: 'maintenance' },
    starts_at: at(1),
    ends_at: at(2),
  })
  const moved = await publish({
    title: 'Night work',
    state: 'maintenance',
    service_states: { Site: 'maintenance' },
    starts_at: at(3),
    ends_at: at(4),
  })
  assert.deepEqual(
    [(await page()).planned.map((item: any) => item.id), moved.thread_id === moved.id],
    [[moved.id], false],
  )
  workspace.clock.pass(10 * hour)
  await tick()
  assert.deepEqual(
    [await states(), (await page()).planned, (await page()).open_updates],
    [allOperational, [], []],
  )
  await publish({
    title: 'Now',
    state: 'maintenance',
    service_states: { Site: 'maintenance' },
    ends_at: at(4),
  })
  assert.equal((await states()).Site, 'maintenance', 'at once')
  workspace.clock.pass(hour)
  await publish({ title: 'Now', state: 'resolved' })
  assert.equal((await states()).Site, 'operational')
  await tick()
  const intervals = workspace.app.store.raw.read
    .prepare(
      'SELECT ends_at - starts_at AS lasted FROM service_intervals WHERE service_id = ? ORDER BY starts_at',
    )
    .all(ids.Site!)
  assert.deepEqual(
    intervals.map((interval: any) => interval.lasted / hour),
    [2, 1, 1],
  )
})

test('an incident update goes onto the timeline and follows the incident state; people who cannot see the incident learn nothing of it', async () => {
  const { ann, bob, carol } = workspace
  const incident = await ann.call('create_incident', {
    title: 'Secret cause',
    severity: 'sev2',
    lead_id: bob.id,
    restricted: true,
  })
  assert.equal(
    (
      await carol.refused('publish_status_update', {
        title: 'x',
        body_markdown: 'x',
        state: 'identified',
        incident_id: incident.id,
      })
    ).code,
    'not_found',
  )
  const update = await publish({
    title: 'Logins fail',
    incident_id: incident.key,
    service_states: { Site: 'major_outage' },
  })
  assert.equal(update.incident.key, incident.key)
  const other = await publish({
    title: 'Another title',
    state: 'identified',
    incident_id: incident.key,
  })
  assert.equal(other.thread_id, update.id, 'one thread per incident')
  const carolsPage = await page({}, carol)
  assert.deepEqual(
    [carolsPage.open_updates.map((item: any) => item.id), carolsPage.open_updates[0].incident],
    [[other.id], undefined],
  )
  assert.equal((await page({}, bob)).open_updates[0].incident.id, incident.id)
  const incidentDetail = await bob.call('get_incident', {
    incident_id: incident.key,
    include: ['updates', 'timeline'],
  })
  assert.deepEqual(
    incidentDetail.status_updates.map((statusUpdate: any) => statusUpdate.state),
    ['identified', 'investigating'],
  )
  assert.deepEqual(
    incidentDetail.timeline
      .filter((item: any) => item.kind === 'update')
      .map((item: any) => item.to),
    ['investigating', 'identified'],
  )
  await bob.call('resolve_incident', { incident_id: incident.id, resolution: 'Fixed.' })
  await publish({ title: 'Logins fail', state: 'resolved', incident_id: incident.id })
  assert.match(
    (
      await bob.refused('publish_status_update', {
        title: 'x',
        body_markdown: 'x',
        state: 'investigating',
        incident_id: incident.id,
      })
    ).body().message,
    /reopen_incident/,
  )
  await bob.call('reopen_incident', { incident_id: incident.id, reason: 'Again.' })
  assert.notEqual(
    (await publish({ title: 'Again', incident_id: incident.id })).thread_id,
    update.id,
  )
  await publish({ title: 'Again', state: 'resolved', incident_id: incident.id })
  assert.deepEqual(await states(), allOperational)
})

test('a dry run changes nothing, undo reverts everything, and a hold_outbound key needs approval', async () => {
  const { bob, app } = workspace
  const count = () =>
    app.store.raw.read
      .prepare(
        'SELECT (SELECT count(*) FROM status_updates) AS u, (SELECT count(*) FROM service_intervals) AS i',
      )
      .get() as object
  const before = count()
  const dry = await publish({ title: 'Dry', service_states: { API: 'degraded' }, dry_run: true })
  assert.deepEqual([dry.dry_run, dry.services.length, count()], [true, 1, before])
  const first = await publish({
    title: 'Undone',
    service_states: { API: 'degraded', Site: 'major_outage' },
  })
  workspace.clock.pass(minute)
  await publish({ title: 'Undone', state: 'resolved' })
  const [, original] = app.store.raw.read
    .prepare(
      "SELECT id FROM calls WHERE tool = 'publish_status_update' AND status = 'ok' ORDER BY at DESC, id DESC LIMIT 2",
    )
    .all() as { id: string }[]
  const refusedUndo = await bob.call('undo_api_call', { call_id: original!.id })
  assert.deepEqual(
    [
      refusedUndo.undone,
      [...new Set(refusedUndo.refused.map((item: any) => item.reason))],
      (await states()).API,
    ],
    [false, ['changed_since'], 'operational'],
    'an update that later ones continue stays entirely',
  )
  assert.deepEqual((await undo()).refused, [])
  assert.deepEqual(
    [(await states()).API, (await page()).open_updates.map((update: any) => update.id)],
    ['degraded', [first.id]],
  )
  workspace.clock.pass(minute)
  assert.deepEqual((await bob.call('undo_api_call', { call_id: original!.id })).refused, [])
  assert.deepEqual([await states(), (await page()).open_updates], [allOperational, []])
  assert.deepEqual(count(), before)
  const key = await workspace.key(bob, { hold_outbound: true })
  await assert.rejects(
    bob.call(
      'publish_status_update',
      { title: 'Held', body_markdown: 'x', state: 'identified' },
      { key },
    ),
    { code: 'approval_required' },
  )
})

test('the same idempotency key publishes once', async () => {
  const args = {
    title: 'Once',
    body_markdown: 'x',
    state: 'resolved',
    idempotency_key: 'status-once',
  }
  assert.equal(
    (await workspace.bob.call('publish_status_update', args)).id,
    (await workspace.bob.call('publish_status_update', args)).id,
  )
})

test('invalid updates are refused with a reason', async () => {
  const guest = await workspace.person('Gus', { role: 'guest' })
  const base = { title: 'T', body_markdown: 'x', state: 'maintenance' }
  const at = (hours: number) => new Date(workspace.clock.at + hours * hour).toISOString()
  const invalidUpdates: [args: Record<string, unknown>, code: string, field: string | undefined][] =
    [
      [{ ...base }, 'invalid_argument', 'ends_at'],
      [{ ...base, starts_at: at(2), ends_at: at(1) }, 'invalid_argument', 'ends_at'],
      [{ ...base, starts_at: at(-2), ends_at: at(-1) }, 'invalid_argument', 'ends_at'],
      [{ ...base, ends_at: at(24 * 90) }, 'invalid_argument', 'ends_at'],
      [{ ...base, state: 'identified', ends_at: at(1) }, 'invalid_argument', 'ends_at'],
      [
        { ...base, state: 'identified', service_states: { Nothing: 'degraded' } },
        'not_found',
        'service_states.Nothing',
      ],
      [
        {
          ...base,
          state: 'identified',
          service_states: { API: 'degraded', [ids.API!]: 'operational' },
        },
        'invalid_argument',
        'service_states',
      ],
      [
        { ...base, state: 'identified', service_states: { API: 'broken' } },
        'invalid_argument',
        'service_states.API',
      ],
      [{ ...base, state: 'identified', body_markdown: '  ' }, 'invalid_argument', 'body_markdown'],
    ]
  for (const [args, code, field] of invalidUpdates) {
    const refusal = await workspace.bob.refused('publish_status_update', args)
    assert.deepEqual([refusal.code, refusal.more.field], [code, field], JSON.stringify(args))
  }
  assert.equal(
    (await guest.refused('publish_status_update', { ...base, state: 'identified' })).code,
    'permission_denied',
  )
  assert.equal(
    (
      await workspace.eve.refused('publish_status_update', {
        ...base,
        state: 'identified',
        service_states: { [ids.API!]: 'degraded' },
      })
    ).code,
    'not_found',
  )
  assert.deepEqual(
    (await page({}, workspace.eve)).services,
    [],
    'another organization sees none of them',
  )
})

test('uptime is the time since registration minus the outage intervals', async () => {
  const { ann, clock } = workspace
  clock.at = Date.UTC(2027, 2, 20, 11, 0, 0) // noon in Berlin; the clock goes forward on the 28th
  await ann.call('create_service', { name: 'Fresh', public: true })
  clock.pass(dayLong)
  await publish({ title: 'Out', service_states: { Fresh: 'major_outage' } })
  clock.pass(6 * hour)
  await publish({ title: 'Out', state: 'identified', service_states: { Fresh: 'partial_outage' } })
  clock.pass(10 * hour)
  await publish({ title: 'Out', state: 'monitoring', service_states: { Fresh: 'degraded' } })
  clock.pass(2 * hour)
  await publish({ title: 'Out', state: 'resolved' })
  clock.pass(30 * hour)
  const { services } = await page({ days: 3 })
  const fresh = services.find((service: any) => service.service.title === 'Fresh')
  // 72 hours, of which 6 major and 10 partial: 6 + 3 hours down
  assert.deepEqual(
    fresh.days.map((day: any) => [day.date, day.state, day.outage_minutes, day.uptime]),
    [
      ['2027-03-21', 'major_outage', 12 * 60, 67.5],
      ['2027-03-22', 'partial_outage', 4 * 60, 95],
      ['2027-03-23', 'operational', 0, 100],
    ],
  )
  assert.equal(fresh.uptime_90d, 87.5)
  assert.equal(
    (await page()).services.find((service: any) => service.service.title === 'API').days.length,
    90,
    'older services show the last 90 days',
  )
})
