import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Queue } from '../../../jobs/queue.ts'
import { runTicks } from '../../../jobs/scheduler.ts'
import { requirePerson, setStatus } from '../../../identity/people.ts'
import {
  dayLong,
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'

// The clock starts on Friday, 20 November 2026, 12:00 UTC, which is 13:00 in Berlin.

let workspace: TestWorkspace
let people: Record<'dora' | 'emil' | 'fred' | 'gina', Someone>
let team: string
let schedule: string
let payments: string

/** dora on level 1, emil on 2, fred on 3; gina leads the team; ann is the administrator. */
before(async () => {
  workspace = await makeWorkspace()
  const [dora, emil, fred, gina] = await Promise.all(
    ['Dora', 'Emil', 'Fred', 'Gina'].map((name) => workspace.person(name)),
  )
  people = { dora: dora!, emil: emil!, fred: fred!, gina: gina! }
  team = (await workspace.ann.call('create_team', { name: 'Payments', lead_id: gina!.id })).id
  schedule = (
    await gina!.call('create_on_call_schedule', {
      name: 'Payments',
      timezone: 'Europe/Berlin',
      team_id: team,
      escalation_minutes: 10,
      layers: [dora, emil, fred].map((item) => ({ people: [item!.id], starts_on: '2026-11-02' })),
    })
  ).id
  payments = (
    await gina!.call('create_service', { name: 'Payments', team_id: team, schedule_id: schedule })
  ).id
})
after(() => workspace.close())

/** Runs the ticks and jobs of a newly started process to completion. */
async function runPendingWork(): Promise<void> {
  await runTicks(workspace.app)
  await new Queue(workspace.app).drain()
}

async function advance(minutes: number): Promise<void> {
  workspace.clock.pass(minutes * minute)
  await runPendingWork()
}

const declare = (more: Record<string, unknown> = {}, who = workspace.bob) =>
  who.call('create_incident', { title: 'Down', severity: 'sev2', service_ids: [payments], ...more })

interface StoredPage {
  round: number
  level: number
  status: string
  to: string[]
}

/** The stored pages of an incident. */
function pages(key: string): StoredPage[] {
  const { read } = workspace.app.store.raw
  const rows = read
    .prepare(
      'SELECT escalations.* FROM escalations JOIN incidents ON incidents.id = incident_id WHERE key = ? ORDER BY round, level',
    )
    .all(key) as any[]
  const to = read
    .prepare(
      'SELECT display_name FROM escalation_targets JOIN users ON users.id = person_id WHERE escalation_id = ? ORDER BY display_name',
    )
    .pluck()
  return rows.map(({ id, round, level, status }) => ({
    round,
    level,
    status,
    to: to.all(id) as string[],
  }))
}

const pageSummaries = (key: string) =>
  pages(key).map((page) => `${page.round}.${page.level} ${page.status} ${page.to.join()}`.trim())
const notificationsOf = async (who: Someone, key: string): Promise<string[]> =>
  (await who.call('list_notifications', { limit: 100 })).items
    .filter((item: any) => item.item.key === key && item.kind === 'incident')
    .map((item: any) => item.text)
    .reverse()
const timeline = async (key: string): Promise<string[]> =>
  (
    await workspace.ann.call('list_incident_timeline', {
      incident_id: key,
      kind: ['escalation'],
      limit: 100,
    })
  ).items.map((item: any) => item.body_markdown)
const lastCall = (tool: string) =>
  workspace.app.store.raw.read
    .prepare("SELECT id FROM calls WHERE tool = ? AND status = 'ok' ORDER BY seq DESC LIMIT 1")
    .pluck()
    .get(tool)

test('an incident pages level 1 at once and each next level after its delay, once each; when all are exhausted, people who can help are notified', async () => {
  const { dora, emil, fred, gina } = people
  const { key } = await declare()
  assert.deepEqual(pageSummaries(key), ['1.1 paging Dora'])
  assert.deepEqual(await notificationsOf(dora, key), [
    `You were paged for ${key} (sev2), level 1: please acknowledge it`,
  ])
  assert.deepEqual(await notificationsOf(emil, key), [])
  await advance(9)
  assert.deepEqual(pageSummaries(key), ['1.1 paging Dora'])
  await advance(1)
  await runPendingWork()
  assert.deepEqual(pageSummaries(key), ['1.1 exhausted Dora', '1.2 paging Emil'])
  await advance(10)
  assert.deepEqual(pageSummaries(key), [
    '1.1 exhausted Dora',
    '1.2 exhausted Emil',
    '1.3 paging Fred',
  ])
  await advance(10)
  await advance(60)
  assert.deepEqual(pageSummaries(key), [
    '1.1 exhausted Dora',
    '1.2 exhausted Emil',
    '1.3 exhausted Fred',
  ])
  for (const someone of [dora, emil, fred])
    assert.equal((await notificationsOf(someone, key)).length, 1)
  for (const someone of [gina, workspace.ann])
    assert.deepEqual(await notificationsOf(someone, key), [
      `No one has acknowledged ${key}, and there is no one left to page`,
    ])
  assert.deepEqual(await timeline(key), [
    'Paged Dora.',
    'Paged Emil. Level 1 has not acknowledged within 10 minutes.',
    'Paged Fred. Level 2 has not acknowledged within 10 minutes.',
    'No one has acknowledged, and no levels are left. Notified Ann, Gina.',
  ])
  const events = workspace.app.store.raw.read
    .prepare(
      "SELECT count(*) FROM changes JOIN incidents ON item_id = incidents.id WHERE key = ? AND events_json LIKE '%incident.escalated%'",
    )
    .pluck()
    .get(key)
  assert.equal(events, 3)
  assert.match(
    (await workspace.bob.refused('escalate_incident', { incident_id: key, reason: 'x' })).body()
      .message,
    /Level 3 was the last one/,
  )
})

test('acknowledging, mitigating and resolving stop the pages at once', async () => {
  const { dora } = people
  const [first, second, third] = [await declare(), await declare(), await declare()]
  await dora.call('acknowledge_incident', { incident_id: first.key })
  await dora.call('acknowledge_incident', { incident_id: second.key })
  await dora.call('update_incident', {
    incident_id: second.key,
    mitigated_at: new Date(workspace.clock.at).toISOString(),
  })
  await dora.call('resolve_incident', { incident_id: third.key, resolution: 'Was nothing' })
  assert.deepEqual(
    [pageSummaries(first.key), pageSummaries(second.key), pageSummaries(third.key)],
    [['1.1 acknowledged Dora'], ['1.1 acknowledged Dora'], ['1.1 cancelled Dora']],
  )
  await advance(60)
  for (const { key } of [first, second, third]) assert.equal(pages(key).length, 1)
})

test('undoing an acknowledgement resumes the pages; undoing a declaration ends them; a sent page cannot be undone', async () => {
  const { dora } = people
  const { key } = await declare()
  await dora.call('acknowledge_incident', { incident_id: key })
  assert.equal(
    (await dora.call('undo_api_call', { call_id: lastCall('acknowledge_incident') })).undone,
    true,
  )
  assert.deepEqual(pageSummaries(key), ['1.1 paging Dora'])
  await advance(10)
  assert.deepEqual(pageSummaries(key), ['1.1 exhausted Dora', '1.2 paging Emil'])
  await workspace.bob.call('escalate_incident', { incident_id: key, reason: 'Faster' })
  const undone = await workspace.bob.call('undo_api_call', {
    call_id: lastCall('escalate_incident'),
  })
  assert.deepEqual(
    [undone.undone, undone.refused.map((item: any) => item.reason)],
    [false, ['sent_outside']],
  )
  const other = await declare()
  assert.equal(
    (await workspace.bob.call('undo_api_call', { call_id: lastCall('create_incident') })).undone,
    true,
  )
  await advance(60)
  assert.deepEqual(
    pageSummaries(other.key),
    ['1.1 paging Dora'],
    'paging is suspended while it is in the trash',
  )
  await workspace.bob.call('restore_item', { item_id: other.id })
  await runPendingWork()
  assert.deepEqual(
    pageSummaries(other.key),
    ['1.1 exhausted Dora', '1.2 paging Emil'],
    'and resumes at the same level',
  )
  for (const item of [key, other.key])
    await dora.call('resolve_incident', { incident_id: item, resolution: 'x' })
})

test('pages due during downtime are sent late, level by level, without skipping any', async () => {
  const { key } = await declare()
  await advance(600)
  assert.deepEqual(pageSummaries(key), ['1.1 exhausted Dora', '1.2 paging Emil'])
  workspace.clock.pass(-dayLong) // the clock had run ahead by a day
  await runPendingWork()
  await advance(9)
  assert.deepEqual(pageSummaries(key), ['1.1 exhausted Dora', '1.2 paging Emil'])
  await advance(2)
  assert.deepEqual(pageSummaries(key).at(-1), '1.3 paging Fred')
  workspace.clock.pass(dayLong)
  await people.dora.call('resolve_incident', { incident_id: key, resolution: 'x' })
})

test('raising to sev1 restarts at level 1 if unacknowledged, and so does reopening; other changes do not', async () => {
  const { key } = await declare({ severity: 'sev3' })
  await advance(10)
  await workspace.bob.call('update_incident', { incident_id: key, severity: 'sev2' })
  assert.deepEqual(pageSummaries(key), ['1.1 exhausted Dora', '1.2 paging Emil'])
  await workspace.bob.call('update_incident', {
    incident_id: key,
    severity: 'sev1',
    reason: 'All of it',
  })
  assert.deepEqual(pageSummaries(key), [
    '1.1 exhausted Dora',
    '1.2 cancelled Emil',
    '2.1 paging Dora',
  ])
  assert.deepEqual(
    (await notificationsOf(people.dora, key)).at(-1),
    `You were paged for ${key} (sev1), level 1: please acknowledge it`,
  )
  assert.match((await timeline(key)).at(-1)!, /^Paged Dora\. Raised to sev1\.$/)
  await people.dora.call('acknowledge_incident', { incident_id: key })
  await workspace.bob.call('update_incident', { incident_id: key, severity: 'sev3' })
  await workspace.bob.call('update_incident', { incident_id: key, severity: 'sev1' })
  assert.equal(pages(key).length, 3)
  await people.dora.call('resolve_incident', { incident_id: key, resolution: 'x' })
  await workspace.bob.call('reopen_incident', { incident_id: key, reason: 'Again' })
  assert.equal(pageSummaries(key).at(-1), '3.1 paging Dora')
  await people.dora.call('resolve_incident', { incident_id: key, resolution: 'y' })
})

test('if no one is on call, the next level is paged at once, or finally the team lead, and the timeline says so', async () => {
  const { emil, gina, fred } = people
  const night = { mon: [{ from: '02:00', to: '03:00' }] }
  await gina.call('create_on_call_schedule', {
    name: 'Holes',
    timezone: 'Europe/Berlin',
    team_id: team,
    escalation_minutes: 5,
    layers: [
      { people: [fred.id], hours: night },
      { people: [emil.id] },
      { people: [fred.id], hours: night },
    ],
  })
  await gina.call('create_service', { name: 'Holes', team_id: team, schedule_id: 'Holes' })
  const first = await declare({ service_ids: ['Holes'] })
  assert.deepEqual(pageSummaries(first.key), ['1.1 exhausted', '1.2 paging Emil'])
  assert.deepEqual(await timeline(first.key), [
    'Skipped level 1. No one is on call at level 1 of Holes.',
    'Paged Emil.',
  ])
  await advance(5)
  assert.deepEqual(pageSummaries(first.key), [
    '1.1 exhausted',
    '1.2 exhausted Emil',
    '1.3 exhausted',
  ])
  assert.equal(
    (await timeline(first.key)).at(-1),
    'No one has acknowledged, and no levels are left. Notified Ann, Gina.',
  )
  await gina.call('create_on_call_schedule', {
    name: 'Nobody',
    timezone: 'UTC',
    team_id: team,
    layers: [{ people: [fred.id], hours: night }],
  })
  await gina.call('create_service', { name: 'Nobody', team_id: team, schedule_id: 'Nobody' })
  const second = await declare({ service_ids: ['Nobody'] })
  assert.deepEqual(pageSummaries(second.key), ['1.1 exhausted', '1.2 paging Gina'])
  assert.match((await timeline(second.key)).at(-1)!, /^Paged Gina\. No one is on call at any level/)
})

test('a service without a schedule pages its team lead, or the administrators if there is none; an incident without services pages the administrators', async () => {
  const { gina } = people
  await gina.call('create_service', { name: 'Led', team_id: team })
  await workspace.ann.call('create_service', { name: 'Bare' })
  const ledIncident = await declare({ service_ids: ['Led'] })
  assert.deepEqual(
    [pageSummaries(ledIncident.key), await timeline(ledIncident.key)],
    [['1.1 paging Gina'], ['Paged Gina. Led has no on-call schedule: its team lead was paged.']],
  )
  const bareIncident = await declare({ service_ids: ['Bare', payments] })
  assert.deepEqual(
    [pageSummaries(bareIncident.key), await timeline(bareIncident.key)],
    [
      ['1.1 paging Ann,Dora'],
      [
        'Paged Ann, Dora. Bare has no on-call schedule and no team lead: the administrators were paged.',
      ],
    ],
  )
  const none = await declare({ service_ids: [] })
  assert.deepEqual(
    [pageSummaries(none.key), await timeline(none.key)],
    [
      ['1.1 paging Ann'],
      ['Paged Ann. The incident has no service: the administrators were paged.'],
    ],
  )
  await advance(15)
  assert.equal(
    (await timeline(none.key)).at(-1),
    'No one has acknowledged, and no levels are left. Notified Ann.',
  )
})

test('a service added to an open incident also pages its people, and a declarer on call is paged, too', async () => {
  const { dora } = people
  const { key } = await declare({ service_ids: ['Led'] }, dora)
  await workspace.bob.call('update_incident', { incident_id: key, service_ids: ['Led', payments] })
  assert.deepEqual(pageSummaries(key), ['1.1 paging Gina', '2.1 paging Dora'])
  await advance(10)
  assert.deepEqual(pageSummaries(key), ['1.1 paging Gina', '2.1 exhausted Dora', '2.2 paging Emil'])
  const ownIncident = await declare({}, dora)
  assert.deepEqual(await notificationsOf(dora, ownIncident.key), [
    `You were paged for ${ownIncident.key} (sev2), level 1: please acknowledge it`,
  ])
  for (const item of [key, ownIncident.key])
    await dora.call('resolve_incident', { incident_id: item, resolution: 'x' })
})

test('escalating pages the next level now, or a person, a team or another schedule alongside the levels', async () => {
  const { dora, emil, fred, gina } = people
  const { key, id } = await declare()
  const next = await workspace.bob.call('escalate_incident', {
    incident_id: key,
    reason: 'Customers call',
  })
  assert.deepEqual(
    [next.level, next.status, next.targets, next.channels, next.incident.key, next.next_at],
    [
      2,
      'paging',
      [{ id: emil.id, title: 'Emil' }],
      ['app', 'email'],
      key,
      new Date(workspace.clock.at + 10 * minute).toISOString(),
    ],
  )
  assert.equal((await timeline(key)).at(-1), 'Paged Emil. Bob escalated: Customers call')
  const pageGinaArgs = {
    incident_id: key,
    reason: 'You know it',
    person_id: 'gina@acme.test',
    idempotency_key: 'one',
  }
  const item = await workspace.bob.call('escalate_incident', pageGinaArgs)
  assert.equal((await workspace.bob.call('escalate_incident', pageGinaArgs)).id, item.id)
  assert.deepEqual([item.level, item.round, item.targets[0].title], [1, 2, 'Gina'])
  assert.deepEqual(await notificationsOf(gina, key), [
    `You were paged for ${key} (sev2): please acknowledge it`,
  ])
  await workspace.bob.call('escalate_incident', {
    incident_id: key,
    reason: 'All hands',
    team_id: team,
  })
  await workspace.bob.call('escalate_incident', {
    incident_id: key,
    reason: 'Them, too',
    schedule_id: 'Holes',
  })
  assert.deepEqual(pageSummaries(key), [
    '1.1 exhausted Dora',
    '1.2 paging Emil',
    '2.1 paging Gina',
    '3.1 paging Gina',
    '4.1 exhausted',
    '4.2 paging Emil',
  ])
  await advance(10)
  assert.deepEqual(
    pageSummaries(key).slice(0, 4),
    ['1.1 exhausted Dora', '1.2 exhausted Emil', '1.3 paging Fred', '2.1 paging Gina'],
    'the levels continue in parallel',
  )
  await fred.call('acknowledge_incident', { incident_id: key })
  assert.ok(pages(key).every((page) => page.status !== 'paging'))
  const later = await workspace.bob.call('escalate_incident', {
    incident_id: key,
    reason: 'Fred needs help',
    person_id: dora.id,
  })
  assert.equal(later.status, 'paging')
  await dora.call('acknowledge_incident', { incident_id: key })
  assert.equal(pageSummaries(key).at(-1), '5.1 acknowledged Dora')
  await dora.call('update_incident', {
    incident_id: key,
    mitigated_at: new Date(workspace.clock.at).toISOString(),
  })
  await workspace.bob.call('escalate_incident', {
    incident_id: key,
    reason: 'A last look',
    person_id: dora.id,
  })
  assert.equal((await dora.call('acknowledge_incident', { incident_id: key })).status, 'mitigated')
  assert.equal(
    pageSummaries(key).at(-1),
    '6.1 acknowledged Dora',
    'running pages are stopped, whatever the state',
  )
  const refused = async (more: Record<string, unknown>) =>
    (
      await workspace.bob.refused('escalate_incident', { incident_id: id, reason: 'x', ...more })
    ).body()
  assert.match(
    (await refused({ person_id: dora.id, team_id: team })).message,
    /one of person_id, team_id and schedule_id/,
  )
  assert.match(
    (await refused({ schedule_id: 'Nobody' })).message,
    /Nobody has no one who can be paged now/,
  )
  assert.equal((await refused({ reason: ' ' })).code, 'invalid_argument')
  assert.equal(
    (await workspace.eve.refused('escalate_incident', { incident_id: id, reason: 'x' })).code,
    'not_found',
  )
  const deactivated = await workspace.person('Goner')
  await setStatus(
    workspace.app.store,
    workspace.clock,
    await requirePerson(workspace.app.store, deactivated.id),
    'deactivated',
  )
  assert.match((await refused({ person_id: deactivated.id })).message, /Goner is deactivated/)
  await dora.call('resolve_incident', { incident_id: key, resolution: 'x' })
  const afterResolution = await workspace.bob.refused('escalate_incident', {
    incident_id: key,
    reason: 'x',
  })
  assert.deepEqual(
    [afterResolution.code, afterResolution.more.next!.tool],
    ['conflict', 'reopen_incident'],
  )
})

test('an unanswered requested page is reported back to the requester, while others continue', async () => {
  const { gina, dora } = people
  const { key } = await declare()
  await advance(1)
  await workspace.carol.call('escalate_incident', {
    incident_id: key,
    reason: 'x',
    person_id: gina.id,
  })
  await advance(9)
  await advance(6)
  assert.deepEqual(pageSummaries(key), [
    '1.1 exhausted Dora',
    '1.2 paging Emil',
    '2.1 exhausted Gina',
  ])
  assert.deepEqual(await notificationsOf(workspace.carol, key), [
    `No one you paged has acknowledged ${key}: Gina`,
  ])
  assert.equal((await notificationsOf(workspace.ann, key)).length, 0)
  assert.equal((await timeline(key)).at(-1), 'No answer from Gina.')
  await dora.call('resolve_incident', { incident_id: key, resolution: 'x' })
})

test('guests are neither on call nor paged, unless they have a role in the incident', async () => {
  const guest = await workspace.person('Guest', { role: 'guest' })
  const { key, id } = await declare()
  const layers = [{ people: [guest.id] }]
  assert.match(
    (
      await workspace.ann.refused('create_on_call_schedule', {
        name: 'Guests',
        timezone: 'UTC',
        layers,
      })
    ).body().message,
    /Guest is a guest/,
  )
  assert.match(
    (
      await people.gina.refused('create_on_call_override', {
        schedule_id: schedule,
        person_id: guest.id,
        starts_at: '2026-11-25',
        ends_at: '2027-02-01',
      })
    ).body().message,
    /Guest is a guest/,
  )
  assert.match(
    (
      await workspace.bob.refused('escalate_incident', {
        incident_id: id,
        reason: 'x',
        person_id: guest.id,
      })
    ).body().message,
    /needs a role in .* they are a guest/,
  )
  await workspace.bob.call('assign_incident_role', {
    incident_id: id,
    role: 'scribe',
    person_id: guest.id,
  })
  await workspace.bob.call('escalate_incident', {
    incident_id: id,
    reason: 'x',
    person_id: guest.id,
  })
  assert.equal(pageSummaries(key).at(-1), '2.1 paging Guest')
  await guest.call('acknowledge_incident', { incident_id: id })
  assert.ok(pages(key).every((page) => page.status === 'acknowledged'))
})

test('pages of a restricted incident reach only people with access', async () => {
  const { dora } = people
  const { key } = await workspace.ann.call('create_incident', {
    title: 'Breach',
    severity: 'sev1',
    service_ids: [payments],
    restricted: true,
  })
  assert.deepEqual(await notificationsOf(dora, key), [])
  assert.ok(
    pages(key)
      .filter((page) => page.status === 'paging')
      .every((page) => page.to.join() === 'Ann'),
  )
  const refused = await workspace.ann.refused('escalate_incident', {
    incident_id: key,
    reason: 'x',
    person_id: dora.id,
  })
  assert.deepEqual([refused.code, refused.more.next!.tool], ['conflict', 'assign_incident_role'])
  assert.equal(
    (await dora.refused('escalate_incident', { incident_id: key, reason: 'x' })).code,
    'not_found',
  )
  const metricsOfAnn = await workspace.ann.call('get_incident_metrics', {
    from: '2026-11-01',
    to: '2026-11-30',
  })
  const metricsOfDora = await dora.call('get_incident_metrics', {
    from: '2026-11-01',
    to: '2026-11-30',
  })
  const pagesOf = (metrics: any, name: string) =>
    metrics.on_call_load.find((item: any) => item.person.title === name)?.pages ?? 0
  assert.equal(
    pagesOf(metricsOfAnn, 'Ann') - pagesOf(metricsOfDora, 'Ann'),
    pages(key).filter((page) => page.to.includes('Ann')).length,
  )
  await workspace.ann.call('resolve_incident', { incident_id: key, resolution: 'x' })
})

test('night pages are between 22 and 7 local time of the person', async () => {
  const { clock } = workspace
  const tokyo = await workspace.person('Tokyo')
  await tokyo.call('update_my_profile', { timezone: 'Asia/Tokyo' })
  clock.at = Date.UTC(2027, 0, 4, 12)
  const { key } = await declare({ service_ids: [] })
  for (const at of [
    Date.UTC(2027, 0, 4, 12, 59),
    Date.UTC(2027, 0, 4, 13),
    Date.UTC(2027, 0, 4, 21, 59),
    Date.UTC(2027, 0, 4, 22),
  ]) {
    clock.at = at // 21:59, 22:00, 06:59 and 07:00 in Tokyo
    await workspace.ann.call('escalate_incident', {
      incident_id: key,
      reason: 'x',
      person_id: tokyo.id,
    })
  }
  const { on_call_load } = await workspace.bob.call('get_incident_metrics', {
    from: '2027-01-04',
    to: '2027-01-05',
  })
  assert.deepEqual(on_call_load, [
    { person: { id: tokyo.id, title: 'Tokyo' }, pages: 4, night_pages: 2 },
    { person: { id: workspace.ann.id, title: 'Ann' }, pages: 1, night_pages: 0 },
  ])
  await workspace.bob.call('resolve_incident', { incident_id: key, resolution: 'x' })
})

test('paging continues as an administrator after the declarer is deactivated', async () => {
  const { app, clock } = workspace
  const leaver = await workspace.person('Leaving')
  const key = await workspace.key(leaver)
  const createdIncident = await leaver.call(
    'create_incident',
    { title: 'Down', severity: 'sev2', service_ids: [payments] },
    { key },
  )
  await setStatus(app.store, clock, await requirePerson(app.store, leaver.id), 'deactivated')
  await advance(10)
  assert.deepEqual(pageSummaries(createdIncident.key), ['1.1 exhausted Dora', '1.2 paging Emil'])
})

test('the database allows one page per level and round', async () => {
  const { key } = await declare()
  const { write } = workspace.app.store.raw
  assert.throws(
    () =>
      write
        .prepare(
          "INSERT INTO escalations SELECT 'esc_x' || substr(id, 6), org_id, incident_id, round, level, route, route_ids_json, status, wait_minutes, next_at, channels_json, reason, revision, created_at, updated_at, created_by, created_via FROM escalations WHERE incident_id = (SELECT id FROM incidents WHERE key = ?)",
        )
        .run(key),
    /UNIQUE/,
  )
})

test('declaring shows who was paged and why; without a schedule there is no next level, and the refusal names alternatives', async () => {
  const { ann, bob } = workspace
  const declaration = await declare()
  assert.deepEqual(
    [
      declaration.paged.people.map((person: any) => person.title),
      declaration.paged.level,
      declaration.paged.reason,
    ],
    [['Dora'], 1, 'They are on call for its services at level 1.'],
  )
  const none = await bob.call('create_incident', { title: 'Nothing named', severity: 'sev3' })
  assert.deepEqual(
    [none.paged.people.map((person: any) => person.title), none.paged.reason],
    [['Ann'], 'The incident has no service: the administrators were paged.'],
  )
  const refused = await ann.refused('escalate_incident', {
    incident_id: none.key,
    reason: 'nobody answers',
  })
  assert.equal(refused.code, 'conflict')
  assert.match(
    refused.body().message,
    /has no on-call schedule, so there is no next level. Paged so far: Ann/,
  )
  const lonely = (await people.gina!.call('create_service', { name: 'Lonely', team_id: team })).id
  const other = await bob.call('create_incident', {
    title: 'Lonely',
    severity: 'sev3',
    service_ids: [lonely],
  })
  assert.match(other.paged.reason, /Lonely has no on-call schedule: its team lead was paged/)
  const { context } = (
    await ann.refused('escalate_incident', { incident_id: other.key, reason: 'nobody answers' })
  ).more as any
  assert.ok(context.candidates.some((candidate: any) => candidate.title === 'Ann'))
})

test('covering one level while on call at another gives a warning', async () => {
  const { gina, dora, fred } = people
  const overlappingOverride = await gina!.call('create_on_call_override', {
    schedule_id: schedule,
    person_id: dora!.id,
    level: 2,
    starts_at: '2027-12-01T10:00',
    ends_at: '2027-12-01T12:00',
  })
  assert.match(
    overlappingOverride.warnings[0],
    /Dora is on call at level 1 of Payments at the same time/,
  )
  const item = await gina!.call('create_on_call_override', {
    schedule_id: schedule,
    person_id: fred!.id,
    level: 3,
    starts_at: '2027-12-02T10:00',
    ends_at: '2027-12-02T12:00',
  })
  assert.equal(item.warnings, undefined)
})
