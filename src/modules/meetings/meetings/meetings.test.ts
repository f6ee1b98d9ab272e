import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  dayLong,
  hour,
  makeWorkspace,
  minute,
  type TestWorkspace,
} from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  await workspace.ann.call('create_project', {
    name: 'Meet',
    key: 'MEET',
    member_ids: [workspace.bob.id],
  })
})
after(() => workspace.close())

const notificationsOf = (id: string) =>
  workspace.app.store.raw.read
    .prepare('SELECT kind, text FROM notifications WHERE person_id = ? ORDER BY id')
    .all(id) as { kind: string; text: string }[]
const undoLast = async (who = workspace.ann) =>
  who.call('undo_api_call', {
    call_id: workspace.app.store.raw.read
      .prepare(
        "SELECT id FROM calls WHERE actor_id = ? AND kind <> 'read' AND status = 'ok' ORDER BY seq DESC LIMIT 1",
      )
      .pluck()
      .get(who.id),
  })

test('a meeting has an agenda, and participants: its organizer, colleagues and external addresses', async () => {
  const { ann, bob } = workspace
  const meeting = await ann.call('create_meeting', {
    title: ' Kickoff ',
    starts_at: '2026-11-23T10:00',
    ends_at: '2026-11-23T11:00',
    participants: [
      'bob@acme.test',
      'Carol',
      'Zed Outside <Zed@Customer.example>',
      'x@y.example',
      'bob@acme.test',
    ],
    agenda: ['Goals', '[x] Read the brief', ''],
  })
  assert.equal(meeting.title, 'Kickoff')
  assert.deepEqual(
    [
      meeting.status,
      meeting.kind,
      meeting.visibility,
      meeting.starts_at,
      meeting.starts_local,
      meeting.timezone,
    ],
    [
      'planned',
      'meeting',
      'participants',
      '2026-11-23T09:00:00.000Z',
      '2026-11-23T10:00:00+01:00',
      'Europe/Berlin',
    ],
  )
  assert.deepEqual(
    meeting.participants.map(
      (participant: any) =>
        participant.person?.title ?? `${participant.name ?? '-'} ${participant.email}`,
    ),
    ['Ann', 'Bob', 'Carol', 'Zed Outside zed@customer.example', '- x@y.example'],
  )
  assert.deepEqual(meeting.agenda, [
    { text: 'Goals', done: false },
    { text: 'Read the brief', done: true },
  ])
  assert.deepEqual(
    [meeting.notes, meeting.decisions, meeting.action_items, meeting.transcript, meeting.missing],
    [[], [], [], { exists: false }, []],
  )
  assert.deepEqual(notificationsOf(bob.id).at(-1), {
    kind: 'invite',
    text: 'Ann added you to a meeting',
  })
  assert.equal((await bob.call('get_meeting', { meeting_id: meeting.id })).id, meeting.id)
})

test('unknown ids and names, people of other organizations and malformed addresses are refused as participants', async () => {
  const { ann, eve, person } = workspace
  assert.deepEqual(await codeOf({ participants: ['me', 'Nobody Such'] }), [
    'invalid_argument',
    'participants[1]',
  ])
  assert.deepEqual(await codeOf({ participants: [eve.id] }), ['not_found', 'participants[0]'])
  assert.deepEqual(await codeOf({ participants: ['broken@'] }), [
    'invalid_argument',
    'participants[0]',
  ])
  const externalMeeting = await ann.call('create_meeting', {
    title: 'With eve',
    participants: ['eve@other.test'],
  })
  assert.deepEqual(externalMeeting.participants[1], { email: 'eve@other.test' })
  assert.equal(
    (await eve.refused('get_meeting', { meeting_id: externalMeeting.id })).code,
    'not_found',
  )
  await person('Twin')
  workspace.app.store.raw.write
    .prepare("UPDATE users SET display_name = 'Twin' WHERE email = 'twin@acme.test'")
    .run()
  const other = await person('Twin2')
  workspace.app.store.raw.write
    .prepare("UPDATE users SET display_name = 'twin' WHERE id = ?")
    .run(other.id)
  const twice = await ann.refused('create_meeting', { title: 'x', participants: ['TWIN'] })
  assert.equal((twice.more.context!.candidates as unknown[]).length, 2)
  async function codeOf(args: object) {
    const { code, more } = await ann.refused('create_meeting', { title: 'x', ...args })
    return [code, more.field]
  }
})

test('an end before the start, an unknown project or an unknown calendar is refused with the reason', async () => {
  const { ann } = workspace
  assert.equal(
    (
      await ann.refused('create_meeting', {
        title: 'x',
        starts_at: '2026-11-23T11:00',
        ends_at: '2026-11-23T10:00',
      })
    ).more.field,
    'ends_at',
  )
  assert.equal(
    (await ann.refused('create_meeting', { title: 'x', visibility: 'project' })).more.field,
    'visibility',
  )
  const task = await ann.call('create_task', { project_id: 'MEET', title: 'no event' })
  const noEvent = await ann.refused('create_meeting', { title: 'x', event_id: task.id })
  assert.deepEqual([noEvent.code, noEvent.more.field], ['not_found', 'event_id'])
  assert.match(noEvent.message, /list_events shows yours/)
  assert.equal(
    (
      await ann.refused('create_meeting', {
        title: 'x',
        event_id: 'evt_00000000000000000000000000',
      })
    ).code,
    'not_found',
  )
  assert.equal(
    (await ann.refused('list_meetings', { contact_id: task.id })).more.field,
    'contact_id',
  )
})

test('an external person in the directory is shown as a contact, and meetings are listed by it', async () => {
  const { ann } = workspace
  const contact = await ann.call('create_contact', {
    name: 'Cora Contact',
    emails: ['cora@directory.example'],
  })
  const meeting = await ann.call('create_meeting', {
    title: 'With Cora',
    participants: ['Cora@directory.example'],
  })
  assert.deepEqual(meeting.participants[1], {
    name: 'Cora Contact',
    email: 'cora@directory.example',
    contact: { id: contact.id, title: 'Cora Contact' },
  })
  assert.deepEqual(
    (await ann.call('list_meetings', { contact_id: contact.id })).items.map(
      (item: { id: string }) => item.id,
    ),
    [meeting.id],
  )
  await ann.call('add_action_items', {
    meeting_id: meeting.id,
    items: [{ text: 'Send the offer', owner: 'cora@directory.example' }],
  })
  assert.equal(
    (await ann.call('get_meeting', { meeting_id: meeting.id })).action_items[0].owner.contact.id,
    contact.id,
  )
})

test('visibility is participants, project or organization; changing it reports who gained and lost access', async () => {
  const { ann, bob, carol, eve, person } = workspace
  const dan = await person('Dan')
  const { id } = await ann.call('create_meeting', {
    title: 'Sight',
    project_id: 'MEET',
    participants: [carol.id],
  })
  const seen = async () =>
    (
      await Promise.all(
        [ann, bob, carol, dan, eve].map(async (who) =>
          (await who.call('list_meetings', { query: 'Sight' })).items.length === 1
            ? who.actor.display_name
            : '',
        ),
      )
    ).filter(Boolean)
  assert.deepEqual(await seen(), ['Ann', 'Carol'])
  await ann.call('update_meeting', { meeting_id: id, visibility: 'project' })
  assert.deepEqual(await seen(), ['Ann', 'Bob', 'Carol'])
  assert.equal(
    (await bob.refused('update_meeting', { meeting_id: id, title: 'mine' })).code,
    'permission_denied',
  )
  assert.equal((await dan.refused('get_meeting', { meeting_id: id })).code, 'not_found')
  await ann.call('update_meeting', { meeting_id: id, visibility: 'organization' })
  assert.deepEqual(await seen(), ['Ann', 'Bob', 'Carol', 'Dan'])
  const { since_cursor } = await dan.call('list_changes', { limit: 1, since: '2030-01-01' })
  await carol.call('update_meeting', {
    meeting_id: id,
    visibility: 'participants',
    participants: [],
  })
  assert.deepEqual(await seen(), ['Ann'])
  assert.deepEqual(
    (await dan.call('list_changes', { since_cursor })).items
      .filter((item: any) => item.item.id === id)
      .map((item: any) => [item.op, item.item.title]),
    [['access_lost', undefined]],
  )
})

test('states go planned, live, ended, and live again within a day; other transitions are refused', async () => {
  const { ann, clock } = workspace
  const { id } = await ann.call('create_meeting', { title: 'States' })
  const to = (status: string) => ann.call('update_meeting', { meeting_id: id, status })
  const refused = await ann.refused('update_meeting', { meeting_id: id, status: 'ended' })
  assert.deepEqual(
    [refused.code, refused.more.field, refused.more.hint],
    ['conflict', 'status', 'Set it to live first, then to ended.'],
  )
  const live = await to('live')
  assert.equal(live.starts_at, '2026-11-20T12:00:00.000Z')
  assert.equal(
    (await ann.refused('update_meeting', { meeting_id: id, status: 'planned' })).code,
    'conflict',
  )
  clock.pass(hour)
  const ended = await to('ended')
  assert.deepEqual(
    [ended.ends_at, ended.missing],
    ['2026-11-20T13:00:00.000Z', ['notes', 'transcript']],
  )
  assert.ok(
    workspace.app.store.raw.read
      .prepare("SELECT 1 FROM changes WHERE item_id = ? AND events_json LIKE '%meeting.ended%'")
      .get(id),
  )
  clock.pass(dayLong - minute)
  const again = await to('live')
  assert.equal(again.ends_at, undefined)
  await to('ended')
  clock.pass(dayLong + minute)
  assert.match(
    (await ann.refused('update_meeting', { meeting_id: id, status: 'live' })).more.hint!,
    /more than a day ago/,
  )
  assert.equal(
    (
      await ann.call('create_meeting', {
        title: 'Was',
        starts_at: '2026-11-01',
        ends_at: '2026-11-02',
      })
    ).status,
    'ended',
  )
})

test('editing the agenda keeps the done marks of unchanged lines, and a stale revision is refused', async () => {
  const { ann } = workspace
  const meeting = await ann.call('create_meeting', {
    title: 'Agenda',
    agenda: ['One', '[x] Two', 'Three'],
  })
  const changed = await ann.call('update_meeting', {
    meeting_id: meeting.id,
    agenda: ['Two', '[X] One', 'Four', '[ ] Five'],
    expected_revision: meeting.revision,
  })
  assert.deepEqual(
    changed.agenda.map((item: any) => `${item.text} ${item.done}`),
    ['Two true', 'One true', 'Four false', 'Five false'],
  )
  assert.equal(
    (
      await ann.refused('update_meeting', {
        meeting_id: meeting.id,
        title: 'x',
        expected_revision: meeting.revision,
      })
    ).code,
    'conflict',
  )
})

test('the list is filtered by time, kind, person, project, transcript and words; newest first, paginated', async () => {
  const { ann, bob } = workspace
  const createMeeting = (title: string, more: object) =>
    ann.call('create_meeting', { title, ...more })
  const standup = await createMeeting('Listed one', {
    starts_at: '2027-01-04T10:00',
    kind: 'standup',
    participants: [bob.id],
    agenda: ['quarterly zebras'],
  })
  const two = await createMeeting('Listed two', {
    starts_at: '2027-01-05T10:00',
    project_id: 'MEET',
  })
  const three = await createMeeting('Listed three', {
    starts_at: '2027-01-06T10:00',
    kind: 'one_on_one',
    participants: [bob.id],
  })
  const ids = async (args: object) =>
    (await ann.call('list_meetings', { after: '2027-01-01', ...args })).items.map(
      (item: any) => item.id,
    )
  assert.deepEqual(await ids({}), [three.id, two.id, standup.id])
  assert.deepEqual(await ids({ before: '2027-01-05' }), [two.id, standup.id])
  assert.deepEqual(await ids({ kind: ['standup', 'one_on_one'] }), [three.id, standup.id])
  assert.deepEqual(await ids({ person_id: bob.id }), [three.id, standup.id])
  assert.deepEqual(await ids({ project_id: 'MEET' }), [two.id])
  assert.deepEqual(await ids({ query: 'zebra' }), [standup.id])
  assert.deepEqual(await ids({ query: 'listed t' }), [three.id, two.id, standup.id])
  assert.deepEqual(await ids({ query: 'isted thr' }), [three.id])
  assert.deepEqual(await ids({ query: 'zebra listed two' }), [])
  assert.deepEqual(await ids({ query: '%' }), [])
  await ann.call('import_transcript', { meeting_id: two.id, content: 'Ann: hello' })
  assert.deepEqual(await ids({ has_transcript: true }), [two.id])
  assert.deepEqual(await ids({ has_transcript: false }), [three.id, standup.id])
  const first = await ann.call('list_meetings', { after: '2027-01-01', limit: 2 })
  const second = await ann.call('list_meetings', {
    after: '2027-01-01',
    limit: 2,
    cursor: first.next_cursor,
  })
  assert.deepEqual(
    [...first.items, ...second.items].map((item: any) => item.id),
    [three.id, two.id, standup.id],
  )
  assert.equal('notes_markdown' in first.items[0], false)
})

test('a note has a time in the meeting; only mentioned people who can see the meeting are notified', async () => {
  const { ann, bob, carol } = workspace
  const { id } = await ann.call('create_meeting', { title: 'Noted', participants: [bob.id] })
  const note = await bob.call('add_meeting_note', {
    meeting_id: id,
    body_markdown: '@Ann and @Carol: look',
    at_second: 75,
  })
  assert.deepEqual([note.author.title, note.at_second, note.meeting.title], ['Bob', 75, 'Noted'])
  assert.deepEqual(notificationsOf(ann.id).at(-1), {
    kind: 'mention',
    text: 'Bob mentioned you in the notes of a meeting',
  })
  assert.equal(
    notificationsOf(carol.id).some((notice) => notice.text.startsWith('Bob')),
    false,
  )
  assert.deepEqual(
    (await ann.call('get_meeting', { meeting_id: id })).notes.map(
      (item: any) => item.body_markdown,
    ),
    ['@Ann and @Carol: look'],
  )
  assert.equal(
    (await carol.refused('add_meeting_note', { meeting_id: id, body_markdown: 'x' })).code,
    'not_found',
  )
  assert.equal((await ann.call('list_meetings', { query: 'look' })).items[0].id, id)
})

test('trashing a meeting trashes everything that belongs to it, and restoring it restores everything', async () => {
  const { ann, bob } = workspace
  const { id } = await ann.call('create_meeting', { title: 'Goes', participants: [bob.id] })
  await ann.call('import_transcript', { meeting_id: id, content: 'Ann: xylophones\nBob: indeed' })
  await ann.call('add_meeting_note', { meeting_id: id, body_markdown: 'a marimba' })
  await ann.call('add_action_items', { meeting_id: id, items: [{ text: 'Tune it' }] })
  await ann.call('record_decision', { title: 'Buy one', decision_markdown: 'yes', meeting_id: id })
  const dryRun = await bob.call('delete_meeting', { meeting_id: id, dry_run: true })
  assert.equal(dryRun.dry_run, true)
  assert.equal((await ann.call('get_meeting', { meeting_id: id })).title, 'Goes')
  const deletion = await bob.call('delete_meeting', { meeting_id: id })
  assert.deepEqual(deletion.also_deleted, [
    { type: 'transcript', count: 1 },
    { type: 'meeting_note', count: 1 },
    { type: 'action_item', count: 1 },
    { type: 'decision', count: 1 },
  ])
  const searchCounts = async () => [
    (await ann.call('search_transcripts', { query: 'xylophone' })).items.length,
    (await ann.call('list_meetings', { query: 'marimba' })).items.length,
    (await ann.call('list_decisions', { query: 'Buy one' })).items.length,
    (await ann.call('list_action_items', {})).items.filter((item: any) => item.text === 'Tune it')
      .length,
  ]
  assert.deepEqual(await searchCounts(), [0, 0, 0, 0])
  await ann.call('restore_item', { item_id: id })
  assert.deepEqual(await searchCounts(), [1, 1, 1, 1])
})

test('every change of a meeting can be undone', async () => {
  const { ann, bob, carol } = workspace
  const meeting = await ann.call('create_meeting', {
    title: 'Undone',
    project_id: 'MEET',
    participants: [bob.id],
    agenda: ['a'],
  })
  await ann.call('import_transcript', { meeting_id: meeting.id, content: 'Ann: glockenspiel' })
  const withoutRevision = async () => {
    const { revision, updated_at, ...rest } = await ann.call('get_meeting', {
      meeting_id: meeting.id,
    })
    return rest
  }
  const before = await withoutRevision()
  await ann.call('update_meeting', {
    meeting_id: meeting.id,
    title: 'Changed',
    agenda: ['[x] a', 'b'],
    notes_markdown: 'n',
    participants: [carol.id, 'z@z.example'],
    status: 'live',
    visibility: 'organization',
  })
  assert.equal(
    (await workspace.eve.call('search_transcripts', { query: 'glockenspiel' })).items.length,
    0,
  )
  const dan = await workspace.person('Dora')
  assert.equal((await dan.call('search_transcripts', { query: 'glockenspiel' })).items.length, 1)
  const undone = await undoLast()
  assert.deepEqual([undone.undone, undone.refused], [true, []])
  assert.deepEqual(await withoutRevision(), before)
  assert.equal((await dan.call('search_transcripts', { query: 'glockenspiel' })).items.length, 0)
  assert.equal((await bob.call('search_transcripts', { query: 'glockenspiel' })).items.length, 1)
  await ann.call('add_meeting_note', { meeting_id: meeting.id, body_markdown: 'gone soon' })
  assert.equal((await undoLast()).undone, true)
  assert.deepEqual(await withoutRevision(), before)
  await ann.call('delete_meeting', { meeting_id: meeting.id })
  assert.equal((await undoLast()).undone, true)
  assert.deepEqual(await withoutRevision(), before)
  assert.equal((await ann.call('search_transcripts', { query: 'glockenspiel' })).items.length, 1)
  const other = await ann.call('create_meeting', { title: 'Never mind' })
  assert.equal((await undoLast()).undone, true)
  assert.equal((await ann.refused('get_meeting', { meeting_id: other.id })).code, 'not_found')
})

test('a planned meeting is moved, keeps its duration, and is found at its new time', async () => {
  const { ann, bob } = workspace
  const meeting = await ann.call('create_meeting', {
    title: 'Movable',
    participants: [bob.id],
    starts_at: '2026-12-01T10:00',
    ends_at: '2026-12-01T10:45',
  })
  const move = async (args: Record<string, unknown>) => {
    const { starts_local, ends_local } = await ann.call('update_meeting', {
      meeting_id: meeting.id,
      ...args,
    })
    return [starts_local.slice(0, 16), ends_local.slice(0, 16)]
  }
  assert.deepEqual(await move({ starts_at: '2026-12-02T14:00' }), [
    '2026-12-02T14:00',
    '2026-12-02T14:45',
  ])
  assert.deepEqual(await move({ ends_at: '2026-12-02T15:00' }), [
    '2026-12-02T14:00',
    '2026-12-02T15:00',
  ])
  assert.equal(
    (await ann.refused('update_meeting', { meeting_id: meeting.id, ends_at: '2026-12-02T13:00' }))
      .more.field,
    'ends_at',
  )
  const { items } = await bob.call('list_meetings', { after: '2026-12-02', before: '2026-12-02' })
  assert.deepEqual(
    items.map((item: any) => item.id),
    [meeting.id],
  )
  const agenda = await bob.call('get_my_agenda', { date: '2026-12-02' })
  assert.deepEqual(
    agenda.meetings_to_prepare.map((item: any) => item.title),
    ['Movable'],
  )
  const untimed = await ann.call('create_meeting', { title: 'Some time' })
  const timed = await ann.call('update_meeting', {
    meeting_id: untimed.id,
    starts_at: '2026-12-03T09:00',
  })
  assert.equal(timed.starts_local.slice(0, 16), '2026-12-03T09:00')
  await ann.call('update_meeting', { meeting_id: untimed.id, status: 'live' })
  const refused = await ann.refused('update_meeting', {
    meeting_id: untimed.id,
    starts_at: '2026-12-04T09:00',
  })
  assert.deepEqual([refused.code, refused.more.context!.status], ['conflict', 'live'])
})

test('a meeting with an event is moved through its event', async () => {
  const { ann } = workspace
  const event = await ann.call('create_event', {
    title: 'In the calendar',
    starts_at: '2026-12-04T10:00',
    ends_at: '2026-12-04T11:00',
  })
  const meeting = await ann.call('create_meeting', { event_id: event.id })
  const refused = await ann.refused('update_meeting', {
    meeting_id: meeting.id,
    starts_at: '2026-12-05T10:00',
  })
  assert.deepEqual([refused.code, refused.more.context!.event_id], ['conflict', event.id])
  assert.match(refused.more.hint!, /update_event/)
})

test('search dates a meeting by its start', async () => {
  const { ann } = workspace
  const meeting = await ann.call('create_meeting', {
    title: 'Quokka census',
    starts_at: '2026-11-17T10:00',
    ends_at: '2026-11-17T11:00',
  })
  const searchResults = async (args: Record<string, unknown> = {}) =>
    (await ann.call('search_workspace', { query: 'quokka census', ...args })).items.map(
      (item: any) => [item.item.type, item.date],
    )
  assert.deepEqual(await searchResults(), [['meeting', '2026-11-17T09:00:00.000Z']])
  assert.deepEqual(await searchResults({ after: '2026-11-18' }), [])
  assert.deepEqual((await searchResults({ before: '2026-11-18' })).length, 1)
  await ann.call('record_decision', {
    title: 'Quokka census by drone',
    decision_markdown: 'Quicker.',
    meeting_id: meeting.id,
  })
  assert.deepEqual((await searchResults({ types: ['decision'] }))[0], [
    'decision',
    '2026-11-17T09:00:00.000Z',
  ])
})
