import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'

import { requirePerson, setStatus } from '../../../identity/people.ts'
import { hour, makeWorkspace, minute, type TestWorkspace } from '../../../testing/harness.ts'
import { handoverTick } from './handovers.ts'

// The clock starts on Friday, 20 November 2026, 12:00 UTC, which is 13:00 in Berlin.

let workspace: TestWorkspace
let team: string
before(async () => {
  workspace = await makeWorkspace()
  team = (
    await workspace.ann.call('create_team', {
      name: 'Payments',
      lead_id: workspace.bob.id,
      member_ids: [workspace.carol.id],
    })
  ).id
})
after(() => workspace.close())

let rotaCount = 0
/** A schedule with two levels: bob and carol alternate weekly from Mondays, with ann behind them. */
async function rota(more: Record<string, unknown> = {}) {
  const { bob, carol, ann } = workspace
  return bob.call('create_on_call_schedule', {
    name: `Rota ${++rotaCount}`,
    timezone: 'Europe/Berlin',
    team_id: team,
    layers: [{ people: [bob.id, carol.actor.email] }, { people: [ann.id] }],
    ...more,
  })
}

const summariesOf = (page: { items: any[] }) =>
  page.items.map((item) => [item.level, item.person.title, item.ends_at])
const notices = async (who: TestWorkspace['ann'], id: string) =>
  (await who.call('list_notifications', { limit: 100 })).items
    .filter((item: any) => item.item.id === id)
    .map((item: any) => item.text)

test('a new rotation takes effect now, notifies its people, and shows who is on call until when', async () => {
  const { bob, carol, ann } = workspace
  const schedule = await rota()
  assert.deepEqual(schedule.layers, [
    {
      level: 1,
      people: [
        { id: bob.id, title: 'Bob' },
        { id: carol.id, title: 'Carol' },
      ],
      rotation: 'weekly',
      starts_on: '2026-11-20',
      handover: { time: '09:00', weekday: 'mon' },
    },
    {
      level: 2,
      people: [{ id: ann.id, title: 'Ann' }],
      rotation: 'weekly',
      starts_on: '2026-11-20',
      handover: { time: '09:00', weekday: 'mon' },
    },
  ])
  assert.deepEqual(
    [
      schedule.gaps,
      schedule.overrides,
      schedule.shifts,
      schedule.escalation_minutes,
      schedule.team.title,
    ],
    [[], [], undefined, 15, 'Payments'],
  )
  assert.deepEqual(await notices(carol, schedule.id), [
    'You were added to the rotation of this on-call schedule at level 1',
  ])
  const now = await carol.call('get_on_call', { team_id: 'Payments' })
  assert.deepEqual(summariesOf(now), [
    [1, 'Bob', '2026-11-23T08:00:00.000Z'],
    [2, 'Ann', '2026-11-23T08:00:00.000Z'],
  ])
  const [shift] = now.items
  assert.deepEqual(
    [shift.starts_at, shift.starts_local, shift.timezone, shift.is_override, shift.schedule.title],
    [
      '2026-11-20T08:00:00.000Z',
      '2026-11-20T09:00:00+01:00',
      'Europe/Berlin',
      false,
      schedule.name,
    ],
  )
  assert.deepEqual(
    summariesOf(
      await carol.call('get_on_call', {
        team_id: team,
        at: '2026-11-23T08:00:00Z',
        person_id: 'me',
      }),
    ),
    [[1, 'Carol', '2026-11-30T08:00:00.000Z']],
  )
  assert.deepEqual(
    summariesOf(await carol.call('get_on_call', { team_id: team, at: '2026-11-19' })),
    [],
  )
})

test('time before a schedule was created is not a gap, even on the day of its first shift', async () => {
  const { id, layers } = await rota()
  assert.equal(layers[0].starts_on, '2026-11-20')
  const { items } = await workspace.bob.call('list_on_call_schedules', {
    from: '2026-11-18',
    to: '2026-11-27',
    limit: 100,
  })
  assert.deepEqual(items.find((item: any) => item.id === id).gaps, [])
  const past = await workspace.bob.call('list_on_call_schedules', {
    from: '2026-11-10',
    to: '2026-11-12',
    limit: 100,
  })
  assert.deepEqual(past.items.find((item: any) => item.id === id).gaps, [])
})

test('a list with more gaps than fit names where the rest begins', async () => {
  const { bob } = workspace
  const windows = ['00', '04', '08', '12', '16', '20'].map((hour) => ({
    from: `${hour}:00`,
    to: `${hour}:30`,
  }))
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  const schedule = await rota({
    layers: [
      {
        people: [bob.id],
        rotation: 'weekly',
        starts_on: '2026-12-01',
        handover: { time: '08:00', weekday: 'mon' },
        hours: Object.fromEntries(days.map((name) => [name, windows])),
      },
    ],
  })
  const listed = async (from: string) => {
    const to = '2027-01-20'
    const { items } = await bob.call('list_on_call_schedules', { from, to, limit: 100 })
    return items.find((item: any) => item.id === schedule.id)
  }
  const first = await listed('2026-12-05')
  assert.equal(first.gaps.length, 200)
  const second = await listed(first.gaps_until)
  assert.equal(second.gaps[0].from, first.gaps_until)
  assert.equal(second.gaps_until, undefined)
  assert.ok(first.gaps.every((gap: any) => gap.from < first.gaps_until))
  assert.equal(first.overrides_until, undefined)
})

test('a list for a period has its shifts in order, gaps and overrides', async () => {
  const { bob, carol } = workspace
  const schedule = await rota({
    layers: [
      {
        people: [bob.id, carol.id],
        rotation: 'every 2 days',
        starts_on: '2026-12-01',
        handover: { time: '08:00' },
        hours: { tue: [{ from: '08:00', to: '20:00' }], wed: [{ from: '20:00', to: '04:00' }] },
      },
    ],
  })
  await bob.call('create_on_call_override', {
    schedule_id: schedule.id,
    person_id: carol.id,
    starts_at: '2026-12-01T10:00',
    ends_at: '2026-12-01T12:00',
    reason: 'Dentist',
  })
  const { items } = await carol.call('list_on_call_schedules', {
    team_id: team,
    from: '2026-12-01',
    to: '2026-12-03',
    limit: 100,
  })
  const { shifts, gaps, overrides, from, to } = items.find((item: any) => item.id === schedule.id)
  assert.deepEqual([from, to], ['2026-11-30T23:00:00.000Z', '2026-12-03T22:59:59.000Z'])
  assert.deepEqual(
    shifts.map((shift: any) => [
      shift.person.title,
      shift.starts_local.slice(0, 16),
      shift.ends_local.slice(0, 16),
      shift.is_override,
    ]),
    [
      ['Bob', '2026-12-01T08:00', '2026-12-01T10:00', false],
      ['Carol', '2026-12-01T10:00', '2026-12-01T12:00', true],
      ['Bob', '2026-12-01T12:00', '2026-12-01T20:00', false],
      ['Bob', '2026-12-02T20:00', '2026-12-03T04:00', false],
    ],
  )
  assert.deepEqual(
    gaps.map((gap: any) => [gap.from, gap.to]),
    [
      ['2026-11-30T23:00:00.000Z', '2026-12-01T07:00:00.000Z'],
      ['2026-12-01T19:00:00.000Z', '2026-12-02T19:00:00.000Z'],
      ['2026-12-03T03:00:00.000Z', '2026-12-03T22:59:59.000Z'],
    ],
  )
  assert.deepEqual(
    overrides.map((override: any) => [
      override.person.title,
      override.covers_for.title,
      override.reason,
      override.starts_local,
    ]),
    [['Carol', 'Bob', 'Dentist', '2026-12-01T10:00:00+01:00']],
  )
})

test('an invalid schedule is refused with the reason', async () => {
  const { ann, bob, carol } = workspace
  const deactivated = await workspace.person('Gone')
  await setStatus(
    workspace.app.store,
    workspace.clock,
    await requirePerson(workspace.app.store, deactivated.id),
    'deactivated',
  )
  const layer = { people: [bob.id] }
  const invalidInputs: [Record<string, unknown>, string, RegExp][] = [
    [{ layers: [] }, 'invalid_argument', /layers/],
    [{ layers: [{ people: [] }] }, 'invalid_argument', /people/],
    [{ layers: [{ people: ['usr_nobody'] }] }, 'not_found', /Person not found/],
    [{ layers: [{ people: [workspace.eve.id] }] }, 'not_found', /Person not found/],
    [{ layers: [{ people: [deactivated.id] }] }, 'invalid_argument', /Gone is deactivated/],
    [{ layers: [layer, { ...layer, level: 3 }] }, 'invalid_argument', /no layer of level 2/],
    [{ layers: [{ ...layer, rotation: 'monthly' }] }, 'invalid_argument', /every 12 hours/],
    [{ layers: [{ ...layer, rotation: 'every 400 days' }] }, 'invalid_argument', /a year/],
    [
      { layers: [{ ...layer, rotation: 'daily', handover: { weekday: 'mon' } }] },
      'invalid_argument',
      /weekday/,
    ],
    [
      { layers: [{ ...layer, hours: { mon: [{ from: '09:00', to: '09:00' }] } }] },
      'invalid_argument',
      /whole day/,
    ],
    [{ layers: [{ ...layer, hours: {} }] }, 'invalid_argument', /around-the-clock/],
    [{ layers: [{ ...layer, starts_on: '1999-01-01' }] }, 'invalid_argument', /ten years/],
    [{ layers: [layer], timezone: 'Europe/Atlantis' }, 'invalid_argument', /IANA/],
    [{ layers: [layer], escalation_minutes: 0 }, 'invalid_argument', /escalation_minutes/],
  ]
  for (const [more, code, message] of invalidInputs) {
    const refused = await ann.refused('create_on_call_schedule', {
      name: 'Wrong',
      timezone: 'UTC',
      ...more,
    })
    assert.deepEqual(
      [refused.code, message.test(refused.body().message)],
      [code, true],
      `${JSON.stringify(more)}: ${refused.body().message}`,
    )
  }
  const { name } = await rota()
  const duplicate = await ann.refused('create_on_call_schedule', {
    name: name.toUpperCase(),
    timezone: 'UTC',
    layers: [layer],
  })
  assert.equal(duplicate.code, 'conflict')
  assert.match(duplicate.body().message, /update_on_call_schedule, or choose another name/)
  assert.equal(
    (
      await carol.refused('create_on_call_schedule', {
        name: 'Hers',
        timezone: 'UTC',
        layers: [layer],
        team_id: team,
      })
    ).code,
    'permission_denied',
  )
  const guest = await workspace.person('Guest', { role: 'guest' })
  assert.equal(
    (
      await guest.refused('create_on_call_schedule', {
        name: 'Hers',
        timezone: 'UTC',
        layers: [layer],
      })
    ).code,
    'permission_denied',
  )
})

test('an override applies to its level and time, the newest one wins; both people are notified, and undo reverts it', async () => {
  const { ann, bob, carol } = workspace
  const schedule = await rota()
  const personAt = (time: string) =>
    carol
      .call('get_on_call', {
        at: `2026-11-21T${time}`,
        person_id: undefined,
        team_id: team,
        limit: 100,
      })
      .then(
        (page) =>
          page.items
            .filter((item: any) => item.schedule.id === schedule.id && item.level === 1)
            .map((item: any) => item.person.title)[0],
      )
  const first = await bob.call('create_on_call_override', {
    schedule_id: schedule.name,
    person_id: carol.id,
    starts_at: '2026-11-21T08:00',
    ends_at: '2026-11-21T20:00',
    reason: 'Wedding',
  })
  assert.deepEqual(
    [first.covers_for.title, first.is_override, first.starts_local, first.level],
    ['Bob', true, '2026-11-21T08:00:00+01:00', 1],
  )
  assert.match(
    (await notices(carol, schedule.id))[0],
    /^You are covering on-call level 1 from 2026-11-21 08:00 to 2026-11-21 20:00 \(Europe\/Berlin\)$/,
  )
  const overrideArgs = {
    schedule_id: schedule.id,
    person_id: ann.id,
    starts_at: '2026-11-21T12:00',
    ends_at: '2026-11-21T14:00',
    idempotency_key: 'once',
  }
  const second = await ann.call('create_on_call_override', overrideArgs)
  assert.equal((await ann.call('create_on_call_override', overrideArgs)).id, second.id)
  assert.match(
    (await notices(carol, schedule.id))[0],
    /^Ann covers your shift at level 1 from 2026-11-21 12:00 to 2026-11-21 14:00/,
  )
  assert.deepEqual(
    [
      await personAt('07:59'),
      await personAt('08:00'),
      await personAt('12:00'),
      await personAt('14:00'),
      await personAt('20:00'),
    ],
    ['Bob', 'Carol', 'Ann', 'Carol', 'Bob'],
  )
  const callId = workspace.app.store.raw.read
    .prepare(
      "SELECT id FROM calls WHERE tool = 'create_on_call_override' AND actor_id = ? AND status = 'ok' AND changed > 0 ORDER BY seq DESC LIMIT 1",
    )
    .pluck()
    .get(ann.id)
  assert.equal((await ann.call('undo_api_call', { call_id: callId })).undone, true)
  assert.equal(await personAt('12:00'), 'Carol')
  const refusals: [Record<string, unknown>, RegExp][] = [
    [{ ends_at: '2026-11-19' }, /must be in the future/],
    [{ starts_at: '2026-12-02', ends_at: '2026-12-01T00:00' }, /after starts_at/],
    [{ ends_at: '2028-01-01' }, /a year/],
    [{ level: 3 }, /no level 3/],
  ]
  for (const [more, message] of refusals)
    assert.match(
      (
        await bob.refused('create_on_call_override', {
          schedule_id: schedule.id,
          person_id: carol.id,
          starts_at: '2026-11-22',
          ends_at: '2026-11-23',
          ...more,
        })
      ).body().message,
      message,
    )
  assert.equal(
    (
      await carol.refused('create_on_call_override', {
        schedule_id: schedule.id,
        person_id: carol.id,
        starts_at: '2026-11-22',
        ends_at: '2026-11-23',
      })
    ).code,
    'permission_denied',
  )
  assert.equal(
    (
      await workspace.eve.refused('create_on_call_override', {
        schedule_id: schedule.id,
        person_id: 'me',
        starts_at: '2026-11-22',
        ends_at: '2026-11-23',
      })
    ).code,
    'not_found',
  )
})

test('time off and nights show as conflicts; create_time_off warns; agenda and workload include shifts', async () => {
  const { bob, carol } = workspace
  const schedule = await rota({
    layers: [
      {
        people: [carol.id],
        rotation: 'daily',
        handover: { time: '22:00' },
        hours: { fri: [{ from: '22:00', to: '06:00' }] },
      },
    ],
  })
  await carol.call('update_my_profile', {
    working_hours: { mon: [{ from: '09:00', to: '17:00' }], fri: [{ from: '09:00', to: '17:00' }] },
  })
  const off = await carol.call('create_time_off', {
    starts_on: '2026-12-04',
    ends_on: '2026-12-05',
    kind: 'vacation',
  })
  const shiftConflicts = off.conflicts.filter((conflict: any) => conflict.item.id === schedule.id)
  assert.deepEqual(shiftConflicts, [
    { kind: 'on_call', item: shiftConflicts[0].item, at: '2026-12-04T21:00:00.000Z', shifts: 1 },
  ])
  const { items } = await bob.call('get_on_call', { at: '2026-12-04T23:00', person_id: carol.id })
  assert.deepEqual(items.find((item: any) => item.schedule.id === schedule.id).conflicts, [
    'away from 2026-12-04 to 2026-12-05',
    'outside working hours',
  ])
  const agenda = await carol.call('get_my_agenda', { date: '2026-12-04' })
  assert.deepEqual(
    agenda.on_call
      .filter((item: any) => item.schedule.id === schedule.id)
      .map((item: any) => [item.starts_local.slice(0, 16), item.ends_local.slice(0, 16)]),
    [['2026-12-04T22:00', '2026-12-05T06:00']],
  )
  assert.ok(!agenda.missing_modules.includes('incidents'))
  const dave = await workspace.person('Dave')
  await rota({
    layers: [
      {
        people: [dave.id],
        rotation: 'daily',
        handover: { time: '00:00' },
        hours: { fri: [{ from: '22:00', to: '06:00' }] },
      },
    ],
  })
  await rota({
    layers: [
      { people: [bob.id] },
      {
        people: [dave.id],
        rotation: 'daily',
        handover: { time: '00:00' },
        hours: { fri: [{ from: '20:00', to: '23:00' }] },
      },
    ],
  })
  assert.equal(
    (
      await bob.call('get_person_workload', {
        person_id: dave.id,
        from: '2026-12-04',
        to: '2026-12-04',
      })
    ).on_call_minutes,
    240,
  )
})

test('schedules are listed by name, paged, and invisible to other organizations', async () => {
  const { ann, eve } = workspace
  const scheduleIds = (await ann.call('list_on_call_schedules', { limit: 100 })).items.map(
    (item: any) => item.id,
  )
  const pagedIds: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await ann.call('list_on_call_schedules', {
      limit: 2,
      ...(cursor === undefined ? {} : { cursor }),
    })
    pagedIds.push(...page.items.map((item: any) => item.id))
    if (!page.has_more) break
    cursor = page.next_cursor
  }
  assert.deepEqual(pagedIds, scheduleIds)
  const all = (await ann.call('get_on_call', { limit: 100 })).items.map(
    (item: any) => `${item.schedule.id} ${item.level}`,
  )
  const shiftKeys: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await ann.call('get_on_call', {
      limit: 1,
      ...(cursor === undefined ? {} : { cursor }),
    })
    shiftKeys.push(...page.items.map((item: any) => `${item.schedule.id} ${item.level}`))
    if (!page.has_more) break
    cursor = page.next_cursor
  }
  assert.ok(all.length > 4)
  assert.deepEqual(shiftKeys, all)
  assert.deepEqual(
    [(await eve.call('list_on_call_schedules')).items, (await eve.call('get_on_call')).items],
    [[], []],
  )
  assert.equal(
    (await ann.refused('list_on_call_schedules', { from: '2026-01-01', to: '2026-12-31' })).more
      .field,
    'to',
  )
})

test('each handover is announced once to the person coming on duty, even if the clock stops, jumps ahead and is corrected', async () => {
  const { app, clock, bob, carol } = workspace
  const tick = async () => void (await runTick(app, handoverTick))
  const schedule = await rota({
    layers: [{ people: [bob.id, carol.id], rotation: 'daily', handover: { time: '09:00' } }],
  })
  const handovers = () =>
    app.store.raw.read
      .prepare(
        "SELECT count(*) FROM changes WHERE item_id = ? AND events_json LIKE '%on_call.handover%'",
      )
      .pluck()
      .get(schedule.id)
  const dutyNotices = async (who: TestWorkspace['ann']) =>
    (await notices(who, schedule.id)).filter((text: string) =>
      text.startsWith('You are now on call'),
    )
  const start = clock.at
  for (let i = 0; i < 3; i++) await tick()
  assert.deepEqual(
    [handovers(), (await dutyNotices(bob)).length, (await dutyNotices(carol)).length],
    [1, 1, 0],
  )
  assert.equal(
    (await dutyNotices(bob))[0],
    'You are now on call at level 1 until 2026-11-21 09:00 (Europe/Berlin)',
  )
  for (
    clock.at = Date.UTC(2026, 10, 21, 7, 59);
    clock.at < Date.UTC(2026, 10, 21, 8, 3);
    clock.pass(minute)
  )
    await tick()
  assert.deepEqual(
    [handovers(), (await dutyNotices(bob)).length, (await dutyNotices(carol)).length],
    [2, 1, 1],
  )
  clock.at = Date.UTC(2026, 10, 25, 12)
  await tick()
  await tick()
  assert.deepEqual(
    [handovers(), (await dutyNotices(bob)).length, (await dutyNotices(carol)).length],
    [2, 1, 1],
    'after four days it is Carol again, who was notified last',
  )
  clock.at = Date.UTC(2026, 10, 22, 12) // the clock had run ahead
  await tick()
  await tick()
  assert.deepEqual([handovers(), (await dutyNotices(bob)).length], [3, 2])
  await bob.call('create_on_call_override', {
    schedule_id: schedule.id,
    person_id: carol.id,
    starts_at: new Date(clock.at).toISOString(),
    ends_at: new Date(clock.at + hour).toISOString(),
  })
  await tick()
  assert.deepEqual(
    [handovers(), (await dutyNotices(carol)).length],
    [4, 2],
    'an override that begins at once',
  )
  clock.pass(hour)
  await tick()
  assert.deepEqual([handovers(), (await dutyNotices(bob)).length], [5, 3])
  clock.at = start
})

test('the shift of a deactivated person is a gap, and the next level takes over', async () => {
  const { app, clock, ann } = workspace
  const leaver = await workspace.person('Leaver')
  const schedule = await rota({
    layers: [
      {
        people: [leaver.id, ann.id],
        rotation: 'daily',
        handover: { time: '00:00' },
        starts_on: '2026-11-20',
      },
      { people: [ann.id] },
    ],
  })
  await setStatus(app.store, clock, await requirePerson(app.store, leaver.id), 'deactivated')
  const onCallAt = async (at: string) =>
    summariesOf({
      items: (await ann.call('get_on_call', { at, limit: 100 })).items.filter(
        (item: any) => item.schedule.id === schedule.id,
      ),
    }).map((item) => item.slice(0, 2))
  assert.deepEqual(
    [await onCallAt('2026-11-20T12:00'), await onCallAt('2026-11-21T12:00')],
    [
      [[2, 'Ann']],
      [
        [1, 'Ann'],
        [2, 'Ann'],
      ],
    ],
  )
  const page = await ann.call('list_on_call_schedules', {
    limit: 100,
    from: '2026-11-20T12:00',
    to: '2026-11-22T00:00',
  })
  assert.deepEqual(page.items.find((item: any) => item.id === schedule.id).gaps, [])
})

test('undoing the creation of a schedule trashes it, and it can be restored; its name is free meanwhile', async () => {
  const { bob, app } = workspace
  const schedule = await rota()
  const callId = app.store.raw.read
    .prepare(
      "SELECT id FROM calls WHERE tool = 'create_on_call_schedule' AND status = 'ok' ORDER BY seq DESC LIMIT 1",
    )
    .pluck()
    .get() as string
  assert.equal((await bob.call('undo_api_call', { call_id: callId })).undone, true)
  assert.ok(
    !(await bob.call('list_on_call_schedules', { limit: 100 })).items.some(
      (item: any) => item.id === schedule.id,
    ),
  )
  await bob.call('restore_item', { item_id: schedule.id })
  assert.ok(
    (await bob.call('list_on_call_schedules', { limit: 100 })).items.some(
      (item: any) => item.id === schedule.id,
    ),
  )
})
