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
const createEvent = (more: object = {}) =>
  ann.call('create_event', {
    title: 'Launch planning',
    starts_at: `${day}T10:00`,
    ends_at: `${day}T10:45`,
    attendees: ['bob@acme.test', 'Zed <zed@customer.example>'],
    ...more,
  })
const createMeeting = (event_id: string, more: object = {}, who = ann) =>
  who.call('create_meeting', { event_id, ...more })
const getMeeting = (meeting_id: string, who = ann) => who.call('get_meeting', { meeting_id })
const emails = (meeting: any) =>
  meeting.participants.map((participant: any) => participant.email).sort()
const listMeetings = async (who: Someone, on = day) =>
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
  const event = await createEvent()
  const meeting = await createMeeting(event.id)
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
      [(await listMeetings(who)).includes(meeting.id), (await agenda(who)).includes(meeting.id)],
      [true, true],
    )
  assert.equal((await carol.refused('get_meeting', { meeting_id: meeting.id })).code, 'not_found')
})

test('explicit arguments override the event, and an all-day event provides its days', async () => {
  const event = await createEvent({ title: 'Budget' })
  const meeting = await createMeeting(event.id, {
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
    [
      (await getMeeting(meeting.id)).starts_local.slice(0, 16),
      emails(await getMeeting(meeting.id)),
    ],
    [`${day}T10:15`, ['ann@acme.test']],
  )
  const allDayMeeting = await createMeeting(
    (
      await createEvent({
        title: 'Fair',
        starts_at: '2026-11-25',
        ends_at: '2026-11-26',
        attendees: [],
      })
    ).id,
  )
  assert.deepEqual(
    [allDayMeeting.starts_at, allDayMeeting.ends_at],
    ['2026-11-24T23:00:00.000Z', '2026-11-26T23:00:00.000Z'],
  )
  assert.equal((await ann.refused('create_meeting', {})).more.field, 'title')
})

test('a meeting follows its event: time, title, people, cancellation and reinstatement', async () => {
  const event = await createEvent({ title: 'Follow me' })
  const { id } = await createMeeting(event.id)
  await ann.call('update_event', {
    event_id: event.id,
    starts_at: `${day}T15:00`,
    title: 'Follow me there',
  })
  const moved = await getMeeting(id)
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
  assert.deepEqual(emails(await getMeeting(id, carol)), [
    'ann@acme.test',
    'carol@acme.test',
    'zed@customer.example',
  ])
  assert.equal((await bob.refused('get_meeting', { meeting_id: id })).code, 'not_found')
  await ann.call('undo_api_call', { call_id: lastCall(ann, 'remove_event_attendee') })
  assert.ok((await agenda(bob)).includes(id))
  await ann.call('delete_event', { event_id: event.id, notify: false })
  const cancelled = await getMeeting(id)
  assert.deepEqual(
    [cancelled.cancelled, (await agenda(ann)).includes(id), (await listMeetings(ann)).includes(id)],
    [true, false, true],
  )
  await ann.call('restore_item', { item_id: event.id })
  assert.deepEqual(
    [(await getMeeting(id)).cancelled, (await agenda(ann)).includes(id)],
    [undefined, true],
  )
})

test('a started meeting keeps its time, and one with hand-picked participants keeps those added', async () => {
  const event = await createEvent({ title: 'Begun' })
  const { id } = await createMeeting(event.id)
  await ann.call('update_meeting', {
    meeting_id: id,
    participants: ['bob@acme.test', 'zed@customer.example', 'carol@acme.test'],
  })
  await ann.call('add_event_attendees', { event_id: event.id, attendees: ['yan@customer.example'] })
  assert.deepEqual(emails(await getMeeting(id)), [
    'ann@acme.test',
    'bob@acme.test',
    'carol@acme.test',
    'yan@customer.example',
    'zed@customer.example',
  ])
  await ann.call('update_meeting', { meeting_id: id, status: 'live' })
  await ann.call('update_event', { event_id: event.id, starts_at: `${day}T18:00` })
  assert.equal((await getMeeting(id)).starts_at, '2026-11-24T09:00:00.000Z')
})

test('a meeting of one occurrence follows that occurrence through series moves and splits', async () => {
  await createEvent({ title: 'Weekly sync', rrule: 'FREQ=WEEKLY;COUNT=5' })
  const [, second, third, fourth] = await occurrences(ann, 'Weekly sync')
  const [two, three, four] = [
    await createMeeting(second.id),
    await createMeeting(third.id),
    await createMeeting(fourth.id),
  ]
  assert.deepEqual([two.starts_at, two.event.id], [second.starts_at, second.id])
  await ann.call('update_event', {
    event_id: second.id,
    scope: 'this',
    starts_at: '2026-12-02T10:00',
  })
  assert.equal((await getMeeting(two.id)).starts_at, '2026-12-02T09:00:00.000Z')
  await ann.call('update_event', {
    event_id: third.id,
    scope: 'all',
    starts_at: '2026-12-08T11:00',
  })
  assert.equal((await getMeeting(three.id)).starts_at, '2026-12-08T10:00:00.000Z')
  assert.equal((await getMeeting(four.id)).starts_at, '2026-12-15T10:00:00.000Z')
  const movedOccurrence = (await occurrences(ann, 'Weekly sync')).find(
    (occurrence) => occurrence.starts_at === '2026-12-15T10:00:00.000Z',
  )!
  assert.deepEqual(
    [(await getMeeting(four.id)).event.id, movedOccurrence.meeting.id],
    [movedOccurrence.id, four.id],
  )
  await ann.call('update_event', {
    event_id: movedOccurrence.id,
    scope: 'following',
    starts_at: '2026-12-16T09:00',
  })
  const split = await getMeeting(four.id)
  assert.deepEqual([split.starts_at, split.cancelled], ['2026-12-16T08:00:00.000Z', undefined])
  assert.equal(
    (await ann.call('get_event', { event_id: split.event.id })).starts_at,
    '2026-12-16T08:00:00.000Z',
  )
  const [, , thirdOccurrence] = await occurrences(ann, 'Weekly sync')
  await ann.call('delete_event', { event_id: thirdOccurrence.id, scope: 'this', notify: false })
  assert.equal((await getMeeting(three.id)).cancelled, true)
})

test('an invited colleague sees the meeting on their copy of the event, and that copy on the meeting', async () => {
  const event = await createEvent({ title: 'Shared', attendees: ['bob@acme.test'] })
  await ann.call('send_event_invites', { event_id: event.id })
  const meeting = await createMeeting(event.id)
  const [copy] = await occurrences(bob, 'Shared')
  assert.notEqual(copy.id, event.id)
  assert.deepEqual(
    [copy.meeting?.id, (await getMeeting(meeting.id, bob)).event?.id],
    [meeting.id, copy.id],
  )
  const meetingOfCopy = await createMeeting(copy.id, { title: 'Of Bob' }, bob)
  assert.equal(meetingOfCopy.organizer.title, 'Ann')
  await ann.call('update_event', { event_id: event.id, starts_at: `${day}T16:00` })
  await ann.call('send_event_invites', { event_id: event.id })
  assert.equal((await getMeeting(meetingOfCopy.id)).starts_at, '2026-11-24T15:00:00.000Z')
})

test('a brief accepts an event id, with or without a meeting, and an unknown id is refused with a hint', async () => {
  const event = await createEvent({ title: 'Brief me' })
  const briefOfEvent = await ann.call('get_meeting_brief', { meeting_id: event.id })
  assert.deepEqual(
    [briefOfEvent.meeting, briefOfEvent.event.id, briefOfEvent.title, briefOfEvent.starts_at],
    [undefined, event.id, 'Brief me', '2026-11-24T09:00:00.000Z'],
  )
  assert.deepEqual(briefOfEvent.people.map((person: any) => person.address.email).sort(), [
    'bob@acme.test',
    'zed@customer.example',
  ])
  assert.ok(briefOfEvent.previous.every((item: any) => item.title !== undefined))
  const meeting = await createMeeting(event.id)
  const briefOfMeeting = await ann.call('get_meeting_brief', { meeting_id: event.id })
  assert.deepEqual([briefOfMeeting.meeting.id, briefOfMeeting.event.id], [meeting.id, event.id])
  await createEvent({ title: 'Brief series', rrule: 'FREQ=DAILY;COUNT=3' })
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
  assert.equal((await getMeeting(event.id)).id, meeting.id)
  assert.equal((await bob.refused('get_meeting_brief', { meeting_id: event.id })).code, 'not_found')
})
