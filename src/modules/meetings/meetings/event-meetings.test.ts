import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
let ann: Someone
let bob: Someone
let carol: Someone
before(async () => {
  workspace = await makeWorkspace()
  ;({ ann, bob, carol } = workspace)
})
after(() => workspace.close())

const day = '2026-11-24'
const create = (more: object = {}) =>
  ann.call('create_event', {
    title: 'Launch planning',
    starts_at: `${day}T10:00`,
    ends_at: `${day}T10:45`,
    attendees: ['bob@acme.test', 'Zed <zed@customer.example>'],
    ...more,
  })
const meet = (event_id: string, more: object = {}, who = ann) =>
  who.call('create_meeting', { event_id, ...more })
const get = (meeting_id: string, who = ann) => who.call('get_meeting', { meeting_id })
const emails = (meeting: any) =>
  meeting.participants.map((participant: any) => participant.email).sort()
const listed = async (who: Someone, on = day) =>
  (await who.call('list_meetings', { after: on, before: on })).items.map((item: any) => item.id)
const agenda = async (who: Someone, date = day) =>
  (await who.call('get_my_agenda', { date })).meetings_to_prepare.map((meeting: any) => meeting.id)
const occurrences = async (who: Someone, query: string) =>
  (await who.call('list_events', { from: '2026-11-20', to: '2026-12-31', query, limit: 100 }))
    .items as any[]
const lastCall = (who: Someone, tool: string) =>
  workspace.app.store.raw.read
    .prepare('SELECT id FROM calls WHERE actor_id = ? AND tool = ? ORDER BY seq DESC LIMIT 1')
    .pluck()
    .get(who.id, tool) as string

test('a meeting created from an event takes its title, time and people, and those people can see it', async () => {
  const event = await create()
  const meeting = await meet(event.id)
  assert.deepEqual(
    [meeting.title, meeting.starts_at, meeting.ends_at, meeting.organizer.title],
    ['Launch planning', '2026-11-24T09:00:00.000Z', '2026-11-24T09:45:00.000Z', 'Ann'],
  )
  assert.deepEqual(emails(meeting), ['ann@acme.test', 'bob@acme.test', 'zed@customer.example'])
  assert.equal(
    meeting.participants.find((participant: any) => participant.email === 'zed@customer.example')
      .name,
    'Zed',
  )
  assert.equal(meeting.event.id, event.id)
  for (const who of [ann, bob])
    assert.deepEqual(
      [(await listed(who)).includes(meeting.id), (await agenda(who)).includes(meeting.id)],
      [true, true],
    )
  assert.equal((await carol.refused('get_meeting', { meeting_id: meeting.id })).code, 'not_found')
})

test('explicit arguments override the event, and an all-day event provides its days', async () => {
  const event = await create({ title: 'Budget' })
  const meeting = await meet(event.id, {
    title: 'My notes',
    participants: [],
    starts_at: `${day}T10:15`,
  })
  assert.deepEqual(
    [
      meeting.title,
      emails(meeting),
      meeting.starts_local.slice(0, 16),
      meeting.ends_local.slice(0, 16),
    ],
    ['My notes', ['ann@acme.test'], `${day}T10:15`, `${day}T10:45`],
  )
  assert.equal((await bob.refused('get_meeting', { meeting_id: meeting.id })).code, 'not_found')
  await ann.call('update_event', { event_id: event.id, starts_at: `${day}T12:00` })
  assert.deepEqual(
    [(await get(meeting.id)).starts_local.slice(0, 16), emails(await get(meeting.id))],
    [`${day}T10:15`, ['ann@acme.test']],
  )
  const fair = await meet(
    (await create({ title: 'Fair', starts_at: '2026-11-25', ends_at: '2026-11-26', attendees: [] }))
      .id,
  )
  assert.deepEqual(
    [fair.starts_at, fair.ends_at],
    ['2026-11-24T23:00:00.000Z', '2026-11-26T23:00:00.000Z'],
  )
  assert.equal((await ann.refused('create_meeting', {})).more.field, 'title')
})

test('a meeting follows its event: time, title, people, cancellation and reinstatement', async () => {
  const event = await create({ title: 'Follow me' })
  const { id } = await meet(event.id)
  await ann.call('update_event', {
    event_id: event.id,
    starts_at: `${day}T15:00`,
    title: 'Follow me there',
  })
  const moved = await get(id)
  assert.deepEqual(
    [moved.title, moved.starts_at, moved.ends_at],
    ['Follow me there', '2026-11-24T14:00:00.000Z', '2026-11-24T14:45:00.000Z'],
  )
  assert.equal(
    (await ann.call('search_workspace', { query: 'Follow me there', types: ['meeting'] })).items
      .length > 0,
    true,
  )
  await ann.call('add_event_attendees', { event_id: event.id, attendees: ['carol@acme.test'] })
  await ann.call('remove_event_attendee', { event_id: event.id, email: 'bob@acme.test' })
  assert.deepEqual(emails(await get(id, carol)), [
    'ann@acme.test',
    'carol@acme.test',
    'zed@customer.example',
  ])
  assert.equal((await bob.refused('get_meeting', { meeting_id: id })).code, 'not_found')
  await ann.call('undo_api_call', { call_id: lastCall(ann, 'remove_event_attendee') })
  assert.ok((await agenda(bob)).includes(id))
  await ann.call('delete_event', { event_id: event.id, notify: false })
  const cancelled = await get(id)
  assert.deepEqual(
    [cancelled.cancelled, (await agenda(ann)).includes(id), (await listed(ann)).includes(id)],
    [true, false, true],
  )
  await ann.call('restore_item', { item_id: event.id })
  assert.deepEqual([(await get(id)).cancelled, (await agenda(ann)).includes(id)], [undefined, true])
})

test('a started meeting keeps its time, and one with hand-picked participants keeps those added', async () => {
  const event = await create({ title: 'Begun' })
  const { id } = await meet(event.id)
  await ann.call('update_meeting', {
    meeting_id: id,
    participants: ['bob@acme.test', 'zed@customer.example', 'carol@acme.test'],
  })
  await ann.call('add_event_attendees', { event_id: event.id, attendees: ['yan@customer.example'] })
  assert.deepEqual(emails(await get(id)), [
    'ann@acme.test',
    'bob@acme.test',
    'carol@acme.test',
    'yan@customer.example',
    'zed@customer.example',
  ])
  await ann.call('update_meeting', { meeting_id: id, status: 'live' })
  await ann.call('update_event', { event_id: event.id, starts_at: `${day}T18:00` })
  assert.equal((await get(id)).starts_at, '2026-11-24T09:00:00.000Z')
})

test('a meeting of one occurrence follows that occurrence through series moves and splits', async () => {
  await create({ title: 'Weekly sync', rrule: 'FREQ=WEEKLY;COUNT=5' })
  const [, second, third, fourth] = await occurrences(ann, 'Weekly sync')
  const [two, three, four] = [await meet(second.id), await meet(third.id), await meet(fourth.id)]
  assert.deepEqual([two.starts_at, two.event.id], [second.starts_at, second.id])
  await ann.call('update_event', {
    event_id: second.id,
    scope: 'this',
    starts_at: '2026-12-02T10:00',
  })
  assert.equal((await get(two.id)).starts_at, '2026-12-02T09:00:00.000Z')
  await ann.call('update_event', {
    event_id: third.id,
    scope: 'all',
    starts_at: '2026-12-08T11:00',
  })
  assert.equal((await get(three.id)).starts_at, '2026-12-08T10:00:00.000Z')
  assert.equal((await get(four.id)).starts_at, '2026-12-15T10:00:00.000Z')
  const again = (await occurrences(ann, 'Weekly sync')).find(
    (occurrence) => occurrence.starts_at === '2026-12-15T10:00:00.000Z',
  )!
  assert.deepEqual([(await get(four.id)).event.id, again.meeting.id], [again.id, four.id])
  await ann.call('update_event', {
    event_id: again.id,
    scope: 'following',
    starts_at: '2026-12-16T09:00',
  })
  const split = await get(four.id)
  assert.deepEqual([split.starts_at, split.cancelled], ['2026-12-16T08:00:00.000Z', undefined])
  assert.equal(
    (await ann.call('get_event', { event_id: split.event.id })).starts_at,
    '2026-12-16T08:00:00.000Z',
  )
  const [, , now] = await occurrences(ann, 'Weekly sync')
  await ann.call('delete_event', { event_id: now.id, scope: 'this', notify: false })
  assert.equal((await get(three.id)).cancelled, true)
})

test('an invited colleague finds the meeting at their copy of the event, and that copy at the meeting', async () => {
  const event = await create({ title: 'Shared', attendees: ['bob@acme.test'] })
  await ann.call('send_event_invites', { event_id: event.id })
  const meeting = await meet(event.id)
  const [copy] = await occurrences(bob, 'Shared')
  assert.notEqual(copy.id, event.id)
  assert.deepEqual(
    [copy.meeting?.id, (await get(meeting.id, bob)).event?.id],
    [meeting.id, copy.id],
  )
  const meetingOfCopy = await meet(copy.id, { title: 'Of Bob' }, bob)
  assert.equal(meetingOfCopy.organizer.title, 'Ann')
  await ann.call('update_event', { event_id: event.id, starts_at: `${day}T16:00` })
  await ann.call('send_event_invites', { event_id: event.id })
  assert.equal((await get(meetingOfCopy.id)).starts_at, '2026-11-24T15:00:00.000Z')
})

test('a brief accepts an event id, with or without a meeting, and an unknown id is refused with a hint', async () => {
  const event = await create({ title: 'Brief me' })
  const without = await ann.call('get_meeting_brief', { meeting_id: event.id })
  assert.deepEqual(
    [without.meeting, without.event.id, without.title, without.starts_at],
    [undefined, event.id, 'Brief me', '2026-11-24T09:00:00.000Z'],
  )
  assert.deepEqual(without.people.map((person: any) => person.address.email).sort(), [
    'bob@acme.test',
    'zed@customer.example',
  ])
  assert.ok(without.previous.every((item: any) => item.title !== undefined))
  const meeting = await meet(event.id)
  const withOne = await ann.call('get_meeting_brief', { meeting_id: event.id })
  assert.deepEqual([withOne.meeting.id, withOne.event.id], [meeting.id, event.id])
  await create({ title: 'Brief series', rrule: 'FREQ=DAILY;COUNT=3' })
  const [, one] = await occurrences(ann, 'Brief series')
  assert.equal(
    (await ann.call('get_meeting_brief', { meeting_id: one.id })).starts_at,
    one.starts_at,
  )
  const wrong = await ann.refused('get_meeting_brief', {
    meeting_id: 'evt_00000000000000000000000000',
  })
  assert.deepEqual([wrong.code, wrong.more.field], ['not_found', 'meeting_id'])
  assert.match(wrong.body().message, /create_meeting\(event_id\)/)
  assert.match(
    (await bob.refused('get_meeting', { meeting_id: event.id })).body().message,
    /create_meeting\(event_id\)/,
  )
  assert.equal((await get(event.id)).id, meeting.id)
  assert.equal((await bob.refused('get_meeting_brief', { meeting_id: event.id })).code, 'not_found')
})
