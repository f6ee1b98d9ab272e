import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour, makeWorkspace, minute, type TestWorkspace } from '../../../testing/harness.ts'
import { causeKey } from '../incidents/causes.ts'
import { figuresOf, monthNamer, repeatedCauses, type MeasuredIncident } from './figures.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const measured = (more: Partial<MeasuredIncident> = {}): MeasuredIncident => ({
  id: 'inc_a',
  severity: 'sev1',
  detected_at: 0,
  opened_at: 0,
  first_acknowledged_at: null,
  resolved_at: null,
  cause: null,
  ...more,
})

test('time to acknowledge counts from declaration and time to resolve from detection, each averaged over incidents that have it', () => {
  assert.deepEqual(figuresOf([]), { count: 0, mtta: null, mttr: null })
  assert.deepEqual(figuresOf([measured()]), { count: 1, mtta: null, mttr: null })
  // acknowledged after 4 and 9 minutes: (4 + 9) / 2 = 6.5; resolved 70 and 20.5 minutes after noticing: 45.25
  const incidents = [
    measured({
      detected_at: 0,
      opened_at: 10 * minute,
      first_acknowledged_at: 14 * minute,
      resolved_at: 70 * minute,
    }),
    measured({
      detected_at: 5 * minute,
      opened_at: 6 * minute,
      first_acknowledged_at: 15 * minute,
    }),
    measured({ detected_at: 0, opened_at: 0, resolved_at: 20.5 * minute }),
  ]
  assert.deepEqual(figuresOf(incidents), { count: 3, mtta: 6.5, mttr: 45.25 })
})

test('causes are compared regardless of case, spacing and full stop', () => {
  assert.equal(causeKey(' Expired   Certificate. '), causeKey('expired certificate'))
  const incidents = [
    measured({ id: 'inc_a', cause: 'Full disk', opened_at: 1 }),
    measured({ id: 'inc_b', cause: 'full  DISK!', opened_at: 2 }),
    measured({ id: 'inc_c', cause: 'Other' }),
    measured({ id: 'inc_d', cause: ' . ' }),
    measured({ id: 'inc_e', cause: '.' }),
  ]
  assert.deepEqual(repeatedCauses(incidents), [{ cause: 'full  DISK!', ids: ['inc_b', 'inc_a'] }])
})

test('a month starts on its first day in the zone', () => {
  const last = Date.UTC(2026, 9, 31, 22, 59, 59)
  const monthOf = monthNamer('Europe/Berlin', [last, last + 1000, Date.UTC(2026, 11, 31, 23)])
  assert.deepEqual(
    [monthOf(last), monthOf(last + 1000), monthOf(Date.UTC(2026, 11, 31, 23))],
    ['2026-10', '2026-11', '2027-01'],
  )
})

test('metrics of a period by severity, service, team and month, with repeated causes and open follow-ups', async () => {
  const { ann, bob, carol, eve, clock } = workspace
  await ann.call('create_team', { name: 'Web', lead_id: ann.id })
  await ann.call('create_service', { name: 'Shop', team_id: 'Web' })
  await ann.call('create_service', { name: 'Blog', team_id: 'Web' })
  const declare = async (
    severity: string,
    services: string[],
    acknowledgedAfter?: number,
    resolvedAfter?: number,
    cause?: string,
  ) => {
    const { id } = await bob.call('create_incident', {
      title: severity,
      severity,
      service_ids: services,
    })
    if (cause) await bob.call('update_incident', { incident_id: id, cause })
    if (acknowledgedAfter !== undefined) clock.pass(acknowledgedAfter)
    if (acknowledgedAfter !== undefined) await bob.call('acknowledge_incident', { incident_id: id })
    if (resolvedAfter !== undefined) clock.pass(resolvedAfter - (acknowledgedAfter ?? 0))
    if (resolvedAfter !== undefined)
      await bob.call('resolve_incident', { incident_id: id, resolution: 'ok' })
    return id as string
  }
  const a = await declare('sev1', ['Shop', 'Blog'], 2 * minute, 30 * minute, 'DNS')
  const b = await declare('sev1', ['Shop'], 6 * minute, 90 * minute, 'dns.')
  await bob.call('create_incident', {
    title: 'Hidden',
    severity: 'sev1',
    service_ids: ['Shop'],
    restricted: true,
  })
  await declare('sev3', [])
  clock.pass(14 * 24 * hour)
  await declare('sev3', ['Blog'], 1 * minute)
  const metricsFor = (who: typeof ann, more: Record<string, unknown> = {}) =>
    who.call('get_incident_metrics', { from: '2026-11-01', to: '2026-12-31', ...more })

  // acknowledged after 2, 6 and 1 minutes: 3; resolved after 30 and 90: 60
  const carolsMetrics = await metricsFor(carol)
  assert.deepEqual(
    [carolsMetrics.count, carolsMetrics.mtta_minutes, carolsMetrics.mttr_minutes],
    [4, 3, 60],
  )
  assert.deepEqual(carolsMetrics.groups, [
    { key: 'sev1', label: 'sev1', count: 2, mtta: 4, mttr: 60 },
    { key: 'sev3', label: 'sev3', count: 2, mtta: 1, mttr: null },
  ])
  assert.deepEqual(
    carolsMetrics.repeat_causes.map((same: any) => [
      same.cause,
      same.incidents.map((ref: any) => ref.id),
    ]),
    [['dns.', [b, a]]],
  )
  assert.equal((await metricsFor(ann)).count, 5)
  assert.equal((await metricsFor(eve)).count, 0)
  const grouped = async (group_by: string) =>
    (await metricsFor(carol, { group_by })).groups.map((group: any) => [
      group.label,
      group.count,
      group.mtta,
      group.mttr,
    ])
  assert.deepEqual(await grouped('service'), [
    ['Blog', 2, 1.5, 30],
    ['Shop', 2, 4, 60],
    ['None', 1, null, null],
  ])
  assert.deepEqual(await grouped('team'), [
    ['Web', 3, 3, 60],
    ['None', 1, null, null],
  ])
  assert.deepEqual(await grouped('month'), [
    ['2026-11', 3, 4, 60],
    ['2026-12', 1, 1, null],
  ])
  const shop = await metricsFor(carol, { service_id: 'Shop' })
  assert.deepEqual([shop.count, shop.mtta_minutes], [2, 4])
  assert.equal((await metricsFor(carol, { from: '2026-12-01' })).count, 1)

  await bob.call('create_project', { name: 'After', key: 'AFT' })
  const followUp = await bob.call('create_task_from_source', {
    source_type: 'incident',
    source_id: a,
    project_id: 'AFT',
  })
  await bob.call('create_task_from_source', {
    source_type: 'incident',
    source_id: b,
    project_id: 'AFT',
  })
  assert.deepEqual(
    [(await metricsFor(bob)).open_follow_ups, (await metricsFor(carol)).open_follow_ups],
    [2, 0],
  )
  await bob.call('complete_task', { task_id: followUp.id })
  assert.equal((await metricsFor(bob)).open_follow_ups, 1)
  assert.equal((await metricsFor(bob, { service_id: 'Blog' })).open_follow_ups, 0)
  assert.match(
    (await carol.refused('get_incident_metrics', { from: '2026-12-01', to: '2026-11-01' })).message,
    /before from/,
  )
})

test('a reopened incident counts by its first acknowledgement and its last resolution', async () => {
  const { bob, clock } = workspace
  clock.pass(60 * 24 * hour)
  const from = new Date(clock.now()).toISOString()
  const { id } = await bob.call('create_incident', { title: 'Twice', severity: 'sev2' })
  clock.pass(5 * minute)
  await bob.call('acknowledge_incident', { incident_id: id })
  clock.pass(5 * minute)
  await bob.call('resolve_incident', { incident_id: id, resolution: 'once' })
  await bob.call('reopen_incident', { incident_id: id, reason: 'again' })
  const figures = async () => {
    const { mtta_minutes, mttr_minutes } = await bob.call('get_incident_metrics', {
      from,
      to: new Date(clock.now()).toISOString(),
    })
    return [mtta_minutes, mttr_minutes]
  }
  assert.deepEqual(await figures(), [5, null])
  clock.pass(20 * minute)
  await bob.call('acknowledge_incident', { incident_id: id })
  await bob.call('resolve_incident', { incident_id: id, resolution: 'twice' })
  assert.deepEqual(await figures(), [5, 30])
})
