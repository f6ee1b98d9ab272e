import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayLong, hour, makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'
import { modules } from '../../index.ts'
import { isoTimeOf, addTestEvent } from './testing.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace({ modules: modules.filter((module) => module.name !== 'email') })
})
after(() => workspace.close())

test('busy times of colleagues are anonymous blocks; nothing is known about outsiders; absences count', async () => {
  const { ann, bob, eve } = workspace
  const at = Date.parse('2026-11-24T09:00:00Z')
  await addTestEvent(bob, 'Secret dentist', at, at + hour)
  await addTestEvent(bob, 'Secret second', at + hour, at + 2 * hour)
  await addTestEvent(bob, 'Secret series', at + 5 * hour, at + 6 * hour, {
    rrule: 'FREQ=DAILY;COUNT=2',
  })
  await addTestEvent(eve, 'Other house', at, at + hour)
  await bob.call('create_time_off', {
    starts_on: '2026-11-26',
    ends_on: '2026-11-26',
    kind: 'sick',
  })
  const report = await ann.call('get_availability', {
    people: ['bob@acme.test', 'me', 'eve@other.test', 'nobody@else.test'],
    from: '2026-11-24',
    to: '2026-11-26',
  })
  assert.doesNotMatch(JSON.stringify(report), /Secret|sick|Other house/)
  const [first, caller, ...outside] = report.people
  assert.deepEqual(
    first.busy.map((item: any) => [item.start, item.end]),
    [
      ['2026-11-24T09:00:00.000Z', '2026-11-24T11:00:00.000Z'],
      ['2026-11-24T14:00:00.000Z', '2026-11-24T15:00:00.000Z'],
      ['2026-11-25T14:00:00.000Z', '2026-11-25T15:00:00.000Z'],
      ['2026-11-25T23:00:00.000Z', '2026-11-26T23:00:00.000Z'],
    ],
  )
  assert.deepEqual(
    [first.time_off, first.source, caller.busy, caller.source],
    [true, 'calendar', [], 'calendar'],
  )
  assert.deepEqual(
    outside.map((item: any) => [item.source, item.busy, item.person.person]),
    [
      ['not_shared', [], undefined],
      ['not_shared', [], undefined],
    ],
  )
  assert.equal(
    (
      await ann.refused('get_availability', {
        people: [eve.id],
        from: '2026-11-24',
        to: '2026-11-25',
      })
    ).code,
    'not_found',
  )
  assert.equal(
    (
      await ann.refused('get_availability', {
        people: ['me'],
        from: '2026-01-01',
        to: '2026-12-31',
      })
    ).code,
    'invalid_argument',
  )
})

test('an address with unknown availability is noted and excludes no slot; past times are not offered', async () => {
  const { carol, clock } = workspace
  const page = await carol.call('find_meeting_time', {
    attendees: ['guest@else.test'],
    duration_minutes: 30,
    from: isoTimeOf(clock.now() - dayLong),
    to: isoTimeOf(clock.now() + 4 * dayLong),
  })
  assert.ok(page.items.every((item: any) => Date.parse(item.starts_at) >= clock.now()))
  assert.deepEqual(page.items[0].reasons, [
    'everyone is free',
    'within the working hours of everyone',
    'the availability of guest@else.test is unknown',
  ])
  assert.equal(
    (
      await carol.refused('find_meeting_time', {
        attendees: ['not an address'],
        duration_minutes: 30,
        from: '2026-11-24',
        to: '2026-11-25',
      })
    ).code,
    'not_found',
  )
})

test('conflicts: overlaps, runs without a break, absences, off hours and travel; declined and free times are ignored', async () => {
  const dora = await workspace.person('Dora')
  const at = (text: string) => Date.parse(`2026-12-${text}:00+01:00`)
  const make = (title: string, from: string, to: string, more: object = {}) =>
    addTestEvent(dora, title, at(from), at(to), more)
  await make('A', '01T09:00', '01T10:00', { location: 'Mitte 1' })
  await make('B', '01T09:30', '01T10:30')
  await make('C', '02T09:00', '02T10:00')
  await make('D', '02T10:00', '02T11:00')
  await make('E', '02T11:00', '02T12:00')
  await make('F', '03T21:00', '03T22:00')
  await make('G', '04T09:00', '04T10:00')
  await dora.call('create_time_off', {
    starts_on: '2026-12-04',
    ends_on: '2026-12-04',
    kind: 'vacation',
  })
  await make('H', '07T09:00', '07T10:00', { location: 'Mitte 1' })
  await make('I', '07T10:10', '07T11:00', { location: 'Nord 9' })
  await make('J', '08T09:00', '08T10:00', { location: 'https://meet.example/x' })
  await make('K', '08T10:10', '08T11:00', { location: 'Nord 9' })
  const all = await dora.call('list_event_conflicts', { from: '2026-12-01', to: '2026-12-31' })
  assert.deepEqual(
    all.items.map((item: any) => [item.kind, item.events.map((each: any) => each.title).join('')]),
    [
      ['overlap', 'AB'],
      ['no_break', 'CDE'],
      ['outside_hours', 'F'],
      ['time_off', 'G'],
      ['travel', 'HI'],
    ],
  )
  for (const item of all.items) assert.ok(item.suggestion.length > 10)
  const first = await dora.call('list_event_conflicts', {
    from: '2026-12-01',
    to: '2026-12-31',
    limit: 2,
  })
  const second = await dora.call('list_event_conflicts', {
    from: '2026-12-01',
    to: '2026-12-31',
    limit: 3,
    cursor: first.next_cursor,
  })
  assert.deepEqual([...first.items, ...second.items], all.items)
  assert.deepEqual(
    (await workspace.eve.call('list_event_conflicts', { from: '2026-12-01', to: '2026-12-31' }))
      .items,
    [],
  )
})

test('the first slots cover different days and times of day', async () => {
  const free = await workspace.person('Free')
  const { items } = await free.call('find_meeting_time', {
    attendees: ['me'],
    duration_minutes: 30,
    from: '2027-06-07',
    to: '2027-06-11',
    limit: 5,
  })
  const halves = items.map(
    (item: any) =>
      `${item.local.slice(0, 10)} ${Number(item.local.slice(11, 13)) < 12 ? 'am' : 'pm'}`,
  )
  assert.ok(new Set(halves).size >= 4, halves.join())
})

test('a planned meeting makes all participants busy in every availability answer', async () => {
  const { ann, bob } = workspace
  const zoe = await workspace.person('Zoe')
  const span = { from: '2026-12-07T09:00', to: '2026-12-07T12:00' }
  const busyOf = async (who: string) =>
    (await ann.call('get_availability', { people: [who], ...span })).people[0].busy.map(
      (item: any) => [item.start_local.slice(11, 16), item.end_local.slice(11, 16)],
    )
  const free = async () =>
    (await zoe.call('get_my_agenda', { date: '2026-12-07' })).free_minutes as number
  const before = await free()
  const meeting = await ann.call('create_meeting', {
    title: 'One to one',
    participants: [zoe.id],
    starts_at: '2026-12-07T10:00',
    ends_at: '2026-12-07T10:30',
  })
  for (const who of [ann.id, zoe.id]) assert.deepEqual(await busyOf(who), [['10:00', '10:30']])
  assert.deepEqual(await busyOf(bob.id), [], 'bob is not a participant')
  assert.equal(await free(), before - 30)
  const { items } = await bob.call('find_meeting_time', {
    attendees: [zoe.id],
    duration_minutes: 30,
    ...span,
  })
  assert.ok(items.length > 0)
  assert.ok(!items.some((slot: any) => slot.local.slice(11, 16) === '10:00'), 'the slot is taken')
  const event = await zoe.call('create_event', {
    title: 'Dentist',
    starts_at: '2026-12-07T10:15',
    ends_at: '2026-12-07T11:00',
  })
  const conflicts = await zoe.call('list_event_conflicts', span)
  const overlap = conflicts.items.find((item: any) => item.kind === 'overlap')
  assert.deepEqual(
    overlap.events.map((item: any) => item.id),
    [meeting.id, event.id],
  )
  assert.match(overlap.events[0].url, /\/meetings\//)
  await ann.call('delete_meeting', { meeting_id: meeting.id })
  assert.deepEqual(await busyOf(ann.id), [])
  const openEndedMeeting = await ann.call('create_meeting', {
    title: 'No end',
    starts_at: '2026-12-07T09:00',
  })
  assert.deepEqual(await busyOf(ann.id), [['09:00', '09:30']], 'half an hour without an end')
  await ann.call('update_meeting', { meeting_id: openEndedMeeting.id, status: 'live' })
  await ann.call('update_meeting', { meeting_id: openEndedMeeting.id, status: 'ended' })
  assert.deepEqual(await busyOf(ann.id), [])
})

test('for a meeting with an event, the event determines who is busy', async () => {
  const { ann, bob } = workspace
  const span = { from: '2026-12-08T09:00', to: '2026-12-08T12:00' }
  const busyOf = async (who: string) =>
    (await ann.call('get_availability', { people: [who], ...span })).people[0].busy.length
  const event = await ann.call('create_event', {
    title: 'Review',
    starts_at: '2026-12-08T10:00',
    ends_at: '2026-12-08T11:00',
    attendees: [bob.actor.email],
  })
  await ann.call('send_event_invites', { event_id: event.id })
  await ann.call('create_meeting', { event_id: event.id })
  assert.deepEqual([await busyOf(ann.id), await busyOf(bob.id)], [1, 1])
  const [copy] = (await bob.call('list_events', span)).items
  await bob.call('respond_to_event', { event_id: copy.id, response: 'declined' })
  assert.deepEqual([await busyOf(ann.id), await busyOf(bob.id)], [1, 0])
})

test('without a free slot the answer gives the reason and a suggestion', async () => {
  const { ann } = workspace
  const distantPerson = await workspace.person('Leo')
  await distantPerson.call('update_my_profile', { timezone: 'America/Los_Angeles' })
  const find = (more: Record<string, unknown>) =>
    ann.call('find_meeting_time', {
      attendees: [distantPerson.id],
      duration_minutes: 60,
      from: '2026-12-10',
      to: '2026-12-10',
      ...more,
    })
  const none = await find({})
  assert.deepEqual(none.items, [])
  assert.match(none.note, /working_hours_only=false offers others, the best at 2026-12-10T/)
  const wide = await find({ working_hours_only: false })
  assert.ok(wide.items.length > 0)
  assert.equal(wide.note, undefined)
  const short = await find({ from: '2026-12-10T10:00', to: '2026-12-10T10:30' })
  assert.match(short.note, /shorter than duration_minutes/)
  await distantPerson.call('create_time_off', {
    starts_on: '2026-12-09',
    ends_on: '2026-12-11',
    kind: 'vacation',
  })
  assert.match((await find({ working_hours_only: false })).note, /no time at which everyone .*Leo/)
  assert.match((await find({ from: '2026-11-01', to: '2026-11-02' })).note, /over/)
})
