import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  dayLong,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'

let workspace: TestWorkspace
let ann: Someone
before(async () => {
  workspace = await makeWorkspace()
  ann = workspace.ann
})
after(() => workspace.close())

const week = { from: '2026-11-16', to: '2026-11-29' }
/** Events of a period: start in Berlin and title. */
async function listedEvents(
  who: Someone = ann,
  args: Record<string, unknown> = {},
): Promise<string[]> {
  const page = await who.call('list_events', { ...week, limit: 100, ...args })
  return page.items.map((item: any) => `${item.starts_local.slice(0, 16)} ${item.title}`)
}
const ids = async (args: Record<string, unknown> = {}): Promise<string[]> =>
  (await ann.call('list_events', { ...week, limit: 100, ...args })).items.map(
    (item: any) => item.id,
  )
beforeEach(async () => {
  for (const id of new Set(
    (await ids({ from: '2026-01-01', to: '2029-12-31' })).map((id) => id.slice(0, 30)),
  ))
    await ann.call('delete_event', { event_id: id, notify: false })
})

const create = (more: Record<string, unknown> = {}, who: Someone = ann) =>
  who.call('create_event', {
    title: 'Lunch',
    starts_at: '2026-11-20T12:00',
    ends_at: '2026-11-20T13:00',
    ...more,
  })
const standup = (more: Record<string, unknown> = {}) =>
  create({
    title: 'Standup',
    starts_at: '2026-11-16T09:00',
    ends_at: '2026-11-16T09:15',
    rrule: 'FREQ=DAILY;COUNT=5',
    ...more,
  })

test('everyone has a private calendar', async () => {
  const { bob, eve } = workspace
  const [calendar] = (await ann.call('list_calendars', {})).items
  assert.deepEqual(
    [calendar.name, calendar.timezone, calendar.access, calendar.primary, calendar.account_id],
    ['Calendar', 'Europe/Berlin', 'owner', true, undefined],
  )
  const privateEvent = await create({ calendar_id: calendar.id })
  for (const who of [bob, eve]) {
    assert.equal((await who.refused('get_event', { event_id: privateEvent.id })).code, 'not_found')
    assert.equal(
      (
        await who.refused('create_event', {
          title: 'x',
          starts_at: '2026-11-20T12:00',
          ends_at: '2026-11-20T13:00',
          calendar_id: calendar.id,
        })
      ).code,
      'not_found',
    )
    assert.deepEqual(await listedEvents(who), [])
    assert.equal(
      (await who.refused('list_events', { ...week, calendar_id: calendar.id })).code,
      'not_found',
    )
  }
})

test('an event shows its times in UTC and in the requested zone', async () => {
  const createdEvent = await create({
    location: ' Canteen ',
    description_markdown: 'Bring **money**, a; comma\nand a line',
    reminders_minutes: [15, 60],
    kind: 'focus',
  })
  const {
    starts_at,
    starts_local,
    ends_local,
    timezone,
    location,
    content,
    reminders_minutes,
    kind,
    all_day,
    is_exception,
    status,
    attendees,
    invites_pending,
  } = createdEvent
  assert.deepEqual(
    [starts_at, starts_local, ends_local, timezone],
    [
      '2026-11-20T11:00:00.000Z',
      '2026-11-20T12:00:00+01:00',
      '2026-11-20T13:00:00+01:00',
      'Europe/Berlin',
    ],
  )
  assert.deepEqual(
    [location, content, reminders_minutes, kind],
    [
      'Canteen',
      { text: 'Bring **money**, a; comma\nand a line', trust: 'internal' },
      [15, 60],
      'focus',
    ],
  )
  assert.deepEqual(
    [all_day, is_exception, status, attendees, invites_pending],
    [false, false, 'confirmed', [], false],
  )
  const inNewYork = await ann.call('get_event', {
    event_id: createdEvent.id,
    timezone: 'America/New_York',
  })
  assert.deepEqual(
    [inNewYork.starts_at, inNewYork.starts_local, inNewYork.timezone, inNewYork.event_timezone],
    [starts_at, '2026-11-20T06:00:00-05:00', 'America/New_York', 'Europe/Berlin'],
  )
  const abroad = await create({
    timezone: 'Asia/Tokyo',
    starts_at: '2026-11-20T09:00',
    ends_at: '2026-11-20T10:00',
  })
  assert.deepEqual(
    [abroad.starts_at, abroad.event_timezone],
    ['2026-11-20T00:00:00.000Z', 'Asia/Tokyo'],
  )
})

test('dates without a time are all-day events including the last day, in any zone', async () => {
  const fair = await create({ title: 'Fair', starts_at: '2026-11-20', ends_at: '2026-11-21' })
  assert.deepEqual(
    [fair.all_day, fair.starts_local, fair.ends_local, fair.starts_at, fair.ends_at],
    [true, '2026-11-20', '2026-11-21', '2026-11-19T23:00:00.000Z', '2026-11-21T23:00:00.000Z'],
  )
  const inKiribati = await ann.call('list_events', {
    from: '2026-11-20',
    to: '2026-11-20',
    timezone: 'Pacific/Kiritimati',
  })
  assert.deepEqual(
    inKiribati.items.map((item: any) => [item.starts_local, item.starts_at]),
    [['2026-11-20', '2026-11-19T10:00:00.000Z']],
  )
  for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin']) {
    assert.deepEqual(
      await listedEvents(ann, { from: '2026-11-22', to: '2026-11-22', timezone }),
      [],
      timezone,
    )
    assert.deepEqual(
      await listedEvents(ann, { from: '2026-11-19', to: '2026-11-19', timezone }),
      [],
      timezone,
    )
    assert.equal(
      (await listedEvents(ann, { from: '2026-11-21', to: '2026-11-21', timezone })).length,
      1,
      timezone,
    )
  }
})

test('invalid times are refused with a reason', async () => {
  const message = async (args: Record<string, unknown>) =>
    (
      await ann.refused('create_event', {
        title: 'x',
        starts_at: '2026-11-20T12:00',
        ends_at: '2026-11-20T13:00',
        ...args,
      })
    ).body().message
  assert.match(await message({ ends_at: '2026-11-20T12:00' }), /end before it starts/)
  assert.match(
    await message({ starts_at: '2026-11-20', ends_at: '2026-11-19' }),
    /last day, 2026-11-19, is before/,
  )
  assert.match(await message({ rrule: 'FREQ=HOURLY' }), /shortest frequency is DAILY/)
  assert.match(
    await message({ attendees: ['nobody at all'] }),
    /no person in the organization matches/,
  )
  assert.match(await message({ add_video_link: true }), /no video service is set up/)
  assert.match(
    (await ann.refused('list_events', { from: '2026-11-20', to: '2026-11-19' })).body().message,
    /after from/,
  )
  assert.match(
    (await ann.refused('list_events', { from: '2020-11-20', to: '2026-11-19' })).body().message,
    /five years/,
  )
})

test('a series is listed by its occurrences, each with an id, page by page', async () => {
  const series = await standup()
  assert.deepEqual(
    [series.rrule, series.series_id, series.next_occurrences.length],
    ['FREQ=DAILY;COUNT=5', series.id, 0],
  )
  assert.deepEqual(
    await listedEvents(),
    ['16', '17', '18', '19', '20'].map((day) => `2026-11-${day}T09:00 Standup`),
  )
  const occurrences = []
  for (let cursor: string | undefined; ; ) {
    const page: any = await ann.call('list_events', {
      ...week,
      limit: 2,
      ...(cursor ? { cursor } : {}),
    })
    occurrences.push(...page.items)
    cursor = page.next_cursor
    if (!page.has_more) break
  }
  assert.deepEqual(
    occurrences.map((item) => item.id),
    ['16', '17', '18', '19', '20'].map((day) => `${series.id}_202611${day}T080000Z`),
  )
  const item = await ann.call('get_event', { event_id: occurrences[2].id })
  assert.deepEqual(
    [item.id, item.series_id, item.starts_at, item.is_exception],
    [occurrences[2].id, series.id, '2026-11-18T08:00:00.000Z', false],
  )
  assert.equal(
    (await ann.refused('get_event', { event_id: `${series.id}_20261121T080000Z` })).code,
    'not_found',
  )
  assert.deepEqual(
    (await ann.call('list_events', { ...week, series_id: series.id })).items.length,
    5,
  )
})

test('scope this changes only one occurrence', async () => {
  const series = await standup()
  const wednesday = `${series.id}_20261118T080000Z`
  const changed = await ann.call('update_event', {
    event_id: wednesday,
    starts_at: '2026-11-18T10:30',
    title: 'Long standup',
  })
  assert.deepEqual(
    [changed.id, changed.starts_local, changed.ends_local, changed.title, changed.is_exception],
    [wednesday, '2026-11-18T10:30:00+01:00', '2026-11-18T10:45:00+01:00', 'Long standup', true],
  )
  assert.deepEqual((await listedEvents()).slice(1, 4), [
    '2026-11-17T09:00 Standup',
    '2026-11-18T10:30 Long standup',
    '2026-11-19T09:00 Standup',
  ])
  await ann.call('update_event', { event_id: wednesday, location: 'Roof' })
  const again = await ann.call('get_event', { event_id: wednesday })
  assert.deepEqual(
    [again.location, again.title, again.starts_local],
    ['Roof', 'Long standup', '2026-11-18T10:30:00+01:00'],
  )
  assert.match(
    (await ann.refused('update_event', { event_id: series.id, scope: 'this', title: 'x' })).body()
      .message,
    /id of an occurrence/,
  )
  assert.match(
    (await ann.refused('update_event', { event_id: wednesday, rrule: 'FREQ=DAILY' })).body()
      .message,
    /no rule of its own/,
  )
})

test('scope following splits the series: exceptions move along, and the count is preserved', async () => {
  const series = await standup()
  await ann.call('update_event', { event_id: `${series.id}_20261120T080000Z`, title: 'Friday' })
  await ann.call('delete_event', { event_id: `${series.id}_20261117T080000Z`, notify: false })
  const rest = await ann.call('update_event', {
    event_id: `${series.id}_20261118T080000Z`,
    scope: 'following',
    starts_at: '2026-11-18T10:00',
    title: 'Later',
  })
  assert.notEqual(rest.id, series.id)
  assert.deepEqual(await listedEvents(), [
    '2026-11-16T09:00 Standup',
    '2026-11-18T10:00 Later',
    '2026-11-19T10:00 Later',
    '2026-11-20T10:00 Friday',
  ])
  assert.equal(rest.rrule, 'FREQ=DAILY;COUNT=3')
  assert.match(
    (await ann.call('get_event', { event_id: series.id })).rrule,
    /UNTIL=20261118T075959Z/,
  )
  const all = await ann.call('update_event', {
    event_id: `${rest.id}_20261118T090000Z`,
    scope: 'following',
    title: 'Latest',
  })
  assert.equal(all.id, rest.id, 'from the first occurrence on means the whole series')
})

test('scope all changes the series, and its exceptions where applicable', async () => {
  const series = await standup({ rrule: 'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=4' })
  await ann.call('update_event', {
    event_id: `${series.id}_20261118T080000Z`,
    starts_at: '2026-11-18T15:00',
  })
  await ann.call('update_event', { event_id: `${series.id}_20261123T080000Z`, title: 'Special' })
  await ann.call('update_event', {
    event_id: series.id,
    title: 'Sync',
    starts_at: '2026-11-17T10:00',
  })
  assert.deepEqual(await listedEvents(), [
    '2026-11-17T10:00 Sync',
    '2026-11-18T15:00 Sync',
    '2026-11-24T10:00 Special',
    '2026-11-26T10:00 Sync',
  ])
  const changed = await ann.call('update_event', {
    event_id: series.id,
    rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=2',
  })
  assert.deepEqual(changed.notes, [
    '1 changed occurrence of the series did not match the new rule and was removed.',
  ])
  assert.deepEqual(await listedEvents(), ['2026-11-17T10:00 Sync', '2026-11-24T10:00 Special'])
  const single = await ann.call('update_event', { event_id: series.id, rrule: null })
  assert.deepEqual(
    [single.rrule, single.series_id, await listedEvents()],
    [undefined, undefined, ['2026-11-17T10:00 Sync']],
  )
})

test('a series keeps its local time across DST changes, and is moved in local time', async () => {
  const series = await standup({
    starts_at: '2027-03-22T09:00',
    ends_at: '2027-03-22T09:15',
    rrule: 'FREQ=WEEKLY;COUNT=3',
  })
  const spring = { from: '2027-03-01', to: '2027-04-30' }
  assert.deepEqual(
    (await ann.call('list_events', spring)).items.map((item: any) => item.starts_at),
    ['2027-03-22T08:00:00.000Z', '2027-03-29T07:00:00.000Z', '2027-04-05T07:00:00.000Z'],
  )
  await ann.call('update_event', {
    event_id: `${series.id}_20270329T070000Z`,
    scope: 'all',
    starts_at: '2027-03-29T11:00',
  })
  assert.deepEqual(
    (await ann.call('list_events', spring)).items.map((item: any) => item.starts_local),
    ['2027-03-22T11:00:00+01:00', '2027-03-29T11:00:00+02:00', '2027-04-05T11:00:00+02:00'],
  )
})

test('a cancelled event goes to the trash and can be restored; one occurrence, or an occurrence and all later ones, can be removed', async () => {
  const { bob } = workspace
  const lunch = await create()
  const dryRun = await ann.call('delete_event', {
    event_id: lunch.id,
    notify: false,
    dry_run: true,
  })
  assert.deepEqual([dryRun.dry_run, (await listedEvents()).length], [true, 1])
  const deletion = await ann.call('delete_event', { event_id: lunch.id, notify: false })
  assert.ok(deletion.restorable_until)
  assert.deepEqual(await listedEvents(), [])
  assert.equal((await bob.refused('restore_item', { item_id: lunch.id })).code, 'not_found')
  await ann.call('restore_item', { item_id: lunch.id })
  assert.deepEqual(await listedEvents(), ['2026-11-20T12:00 Lunch'])
  await ann.call('delete_event', { event_id: lunch.id, notify: false })
  const series = await standup()
  await ann.call('delete_event', { event_id: `${series.id}_20261117T080000Z`, notify: false })
  assert.equal(
    (
      await ann.refused('delete_event', {
        event_id: `${series.id}_20261117T080000Z`,
        notify: false,
      })
    ).code,
    'not_found',
  )
  await ann.call('delete_event', {
    event_id: `${series.id}_20261119T080000Z`,
    scope: 'following',
    notify: false,
  })
  assert.deepEqual(await listedEvents(), ['2026-11-16T09:00 Standup', '2026-11-18T09:00 Standup'])
})

test('changes are undone, including occurrences', async () => {
  const key = await workspace.key(ann)
  const series = await standup()
  await ann.call(
    'update_event',
    { event_id: `${series.id}_20261118T080000Z`, starts_at: '2026-11-18T15:00' },
    { via: 'api', key },
  )
  assert.ok((await listedEvents()).includes('2026-11-18T15:00 Standup'))
  const [updateCall] = (await ann.call('list_api_calls', { tool: 'update_event' })).items
  assert.equal((await ann.call('undo_api_call', { call_id: updateCall.id })).undone, true)
  assert.ok((await listedEvents()).includes('2026-11-18T09:00 Standup'))
})

test('attendees are added once each without notification, and removed again', async () => {
  const { bob, carol } = workspace
  const createdEvent = await create({ attendees: ['Bob', 'Zoe <ZOE@elsewhere.test>', 'me'] })
  assert.deepEqual(
    createdEvent.attendees.map((attendee: any) => [
      attendee.address.email,
      attendee.address.name,
      attendee.address.person?.title,
      attendee.response,
    ]),
    [
      ['bob@acme.test', 'Bob', 'Bob', 'needs_action'],
      ['zoe@elsewhere.test', 'Zoe', undefined, 'needs_action'],
    ],
  )
  assert.deepEqual(
    [
      createdEvent.organizer.email,
      createdEvent.organizer.person.title,
      createdEvent.invites_pending,
    ],
    ['ann@acme.test', 'Ann', true],
  )
  const more = await ann.call('add_event_attendees', {
    event_id: createdEvent.id,
    attendees: [carol.id, bob.id],
    optional: true,
  })
  assert.deepEqual(
    more.attendees.map((attendee: any) => [attendee.address.email, attendee.optional]),
    [
      ['bob@acme.test', true],
      ['zoe@elsewhere.test', false],
      ['carol@acme.test', true],
    ],
  )
  const afterRemoval = await ann.call('remove_event_attendee', {
    event_id: createdEvent.id,
    email: 'zoe@elsewhere.test',
  })
  assert.deepEqual(
    afterRemoval.attendees.map((attendee: any) => attendee.address.email),
    ['bob@acme.test', 'carol@acme.test'],
  )
  assert.equal(
    (
      await ann.refused('remove_event_attendee', {
        event_id: createdEvent.id,
        email: 'zoe@elsewhere.test',
      })
    ).code,
    'not_found',
  )
  assert.deepEqual(await listedEvents(bob), [], 'nothing is added to the calendars of others')
  const series = await standup()
  await ann.call('add_event_attendees', {
    event_id: `${series.id}_20261118T080000Z`,
    attendees: [bob.id],
  })
  const datesWithBob = (await ann.call('list_events', { ...week, attendee: 'bob' })).items.map(
    (item: any) => item.starts_local.slice(0, 10),
  )
  assert.deepEqual(datesWithBob, ['2026-11-18', '2026-11-20'])
  assert.deepEqual(await listedEvents(ann, { query: 'STAND', to: '2026-11-16' }), [
    '2026-11-16T09:00 Standup',
  ])
})

test('a stale revision is refused, and repeating a change has no effect', async () => {
  const createdEvent = await create()
  const changed = await ann.call('update_event', {
    event_id: createdEvent.id,
    title: 'Dinner',
    expected_revision: createdEvent.revision,
  })
  assert.equal(
    (
      await ann.refused('update_event', {
        event_id: createdEvent.id,
        title: 'Tea',
        expected_revision: createdEvent.revision,
      })
    ).code,
    'conflict',
  )
  assert.equal(changed.title, 'Dinner')
  const moved = await ann.call('update_event', {
    event_id: createdEvent.id,
    ends_at: '2026-11-20T14:00',
  })
  assert.deepEqual(
    [moved.starts_local, moved.ends_local],
    ['2026-11-20T12:00:00+01:00', '2026-11-20T14:00:00+01:00'],
  )
  const day = await ann.call('update_event', {
    event_id: createdEvent.id,
    starts_at: '2026-11-23',
    ends_at: '2026-11-23',
  })
  assert.deepEqual([day.all_day, day.starts_local], [true, '2026-11-23'])
})

test('distant times are listed as well as near ones', async () => {
  await standup({ rrule: 'FREQ=YEARLY' })
  await standup({ rrule: 'FREQ=DAILY', title: 'Daily' })
  assert.deepEqual((await listedEvents(ann, { from: '2031-11-16', to: '2031-11-16' })).sort(), [
    '2031-11-16T09:00 Daily',
    '2031-11-16T09:00 Standup',
  ])
  const before = await ids({ from: '2027-11-01', to: '2027-11-30' })
  workspace.clock.pass(300 * dayLong)
  try {
    assert.deepEqual(await ids({ from: '2027-11-01', to: '2027-11-30' }), before)
  } finally {
    workspace.clock.pass(-300 * dayLong)
  }
})

test('a meeting is linked to an occurrence, and the event shows it to participants', async () => {
  const series = await standup()
  const tuesday = `${series.id}_20261117T080000Z`
  const meeting = await ann.call('create_meeting', { title: 'Notes of Tuesday', event_id: tuesday })
  assert.deepEqual(meeting.event, { id: tuesday, title: 'Standup' })
  assert.deepEqual((await ann.call('get_event', { event_id: tuesday })).meeting, {
    id: meeting.id,
    title: 'Notes of Tuesday',
  })
  assert.equal(
    (await ann.call('get_event', { event_id: `${series.id}_20261118T080000Z` })).meeting,
    undefined,
  )
  await ann.call('delete_meeting', { meeting_id: meeting.id })
  assert.equal((await ann.call('get_event', { event_id: tuesday })).meeting, undefined)
})

test('the agenda has the events of the day, and overlapping ones reduce the free time once', async () => {
  const agenda = () => ann.call('get_my_agenda', { date: '2026-11-23' })
  const free = (await agenda()).free_minutes
  await create({ starts_at: '2026-11-23T10:00', ends_at: '2026-11-23T11:00' })
  await create({ title: 'Other', starts_at: '2026-11-23T10:30', ends_at: '2026-11-23T11:30' })
  await create({ title: 'Night', starts_at: '2026-11-23T22:00', ends_at: '2026-11-24T02:00' })
  const day = await agenda()
  assert.deepEqual(
    [day.events.map((event: any) => event.title), day.free_minutes],
    [['Lunch', 'Other', 'Night'], free - 90],
  )
  assert.ok(!day.missing_modules.includes('calendar'))
  assert.deepEqual((await workspace.bob.call('get_my_agenda', { date: '2026-11-23' })).events, [])
})

test('a video link is created when the instance has a template', async () => {
  const videoWorkspace = await makeWorkspace({
    settings: { video_link_template: 'https://meet.example/{random}' },
  })
  try {
    const videoEvent = await create({ add_video_link: true }, videoWorkspace.ann)
    const again = await create({ add_video_link: true }, videoWorkspace.ann)
    assert.match(videoEvent.video_url, /^https:\/\/meet\.example\/\w{20}$/)
    assert.notEqual(videoEvent.video_url, again.video_url)
  } finally {
    await videoWorkspace.close()
  }
})

test('a local time in a change is read in the zone of the event, or in the given one', async () => {
  const abroad = await create({
    title: 'Abroad',
    timezone: 'America/New_York',
    starts_at: '2026-11-20T09:00',
    ends_at: '2026-11-20T10:00',
  })
  const updatedStart = async (args: Record<string, unknown>) =>
    (await ann.call('update_event', { event_id: abroad.id, ...args })).starts_at
  assert.equal(await updatedStart({ starts_at: '2026-11-20T08:00' }), '2026-11-20T13:00:00.000Z')
  assert.equal(
    await updatedStart({ starts_at: '2026-11-20T08:00', timezone: 'Europe/Berlin' }),
    '2026-11-20T07:00:00.000Z',
  )
  assert.equal(await updatedStart({ starts_at: '2026-11-20 08:00' }), '2026-11-20T13:00:00.000Z')
  assert.equal(
    await updatedStart({ starts_at: '2026-11-20T08:00+01:00' }),
    '2026-11-20T07:00:00.000Z',
  )
  assert.equal(
    (await ann.refused('update_event', { event_id: abroad.id, timezone: 'Europe/Berlin' })).more
      .field,
    'timezone',
  )
  const series = await create({
    title: 'Series',
    timezone: 'America/New_York',
    starts_at: '2026-11-16T09:00',
    ends_at: '2026-11-16T10:00',
    rrule: 'FREQ=DAILY;COUNT=4',
  })
  const [, second, third] = await ids({ query: 'Series' })
  const item = await ann.call('update_event', {
    event_id: second,
    scope: 'this',
    starts_at: '2026-11-17T08:00',
  })
  const rest = await ann.call('update_event', {
    event_id: third,
    scope: 'following',
    starts_at: '2026-11-18T08:00',
  })
  assert.deepEqual(
    [item.starts_at, rest.starts_at, series.event_timezone],
    ['2026-11-17T13:00:00.000Z', '2026-11-18T13:00:00.000Z', 'America/New_York'],
  )
})

test('a monthly series from the 31st takes place at the end of every month, and the answer says so', async () => {
  const monthEnd = await create({
    title: 'Month end',
    starts_at: '2027-01-31T09:00',
    ends_at: '2027-01-31T10:00',
    rrule: 'FREQ=MONTHLY;COUNT=4',
  })
  assert.deepEqual(
    [monthEnd.rrule, monthEnd.notes],
    [
      'FREQ=MONTHLY;COUNT=4;BYMONTHDAY=-1',
      ['In months without a 31st it falls on their last day.'],
    ],
  )
  assert.deepEqual(
    (await listedEvents(ann, { from: '2027-01-01', to: '2027-06-30' })).map((name) =>
      name.slice(0, 10),
    ),
    ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30'],
  )
  const single = await create({
    title: 'Other',
    starts_at: '2027-08-30T09:00',
    ends_at: '2027-08-30T10:00',
  })
  assert.match(
    (await ann.call('update_event', { event_id: single.id, rrule: 'FREQ=MONTHLY' })).notes.join(),
    /without a 30th/,
  )
})
