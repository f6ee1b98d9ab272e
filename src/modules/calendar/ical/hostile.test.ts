import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'
import { cpuWatch } from '../../../testing/cost.ts'
import { maxLines, readObject, Unreadable } from './objects.ts'

let workspace: TestWorkspace
let ann: Someone
let bob: Someone
let carol: Someone
before(async () => {
  workspace = await makeWorkspace()
  ;({ ann, bob, carol } = workspace)
})
after(() => workspace.close())

const file = (uid: string, lines: readonly string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:x',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20261120T000000Z',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
const importFile = async (who: Someone, ics: string) =>
  who.call('import_calendar', { calendar_id: (await who.call('list_calendars')).items[0].id, ics })
const listEvents = async (who: Someone, more = {}) =>
  (await who.call('list_events', { from: '2026-11-01', to: '2026-12-30', limit: 100, ...more }))
    .items as Record<string, any>[]
const titles = async (who: Someone) =>
  (await listEvents(who)).map((item) => `${item.title} ${item.status}`)

/** Adds an account with an address that was not verified, as a mail server that accepts any login would allow. */
async function plantAccount(who: Someone, address: string): Promise<void> {
  const now = workspace.clock.now()
  const row = {
    id: 'mac_00000000000000000000000001',
    org_id: who.actor.org_id,
    owner_id: who.id,
    provider: 'imap',
    address,
    display_name: 'x',
    login: 'x',
    has_mail: 0,
    has_calendar: 0,
    has_drive: 0,
    status: 'active',
    services_json: '{}',
    servers_json: '{}',
    signed_in_at: now,
    is_default: 0,
    revision: 1,
    created_at: now,
    updated_at: now,
    created_by: who.id,
    created_via: 'web',
  }
  await workspace.app.store.writer.run(() =>
    workspace.app.store.write
      .insertInto('accounts')
      .values(row as never)
      .execute(),
  )
}

test('knowing the UID of an event is not enough to change or cancel another person’s copy', async () => {
  const createdEvent = await ann.call('create_event', {
    title: 'Board',
    starts_at: '2026-11-25T10:00',
    ends_at: '2026-11-25T11:00',
    attendees: ['bob@acme.test', 'carol@acme.test'],
  })
  await ann.call('send_event_invites', { event_id: createdEvent.id })
  const uid = workspace.app.store.raw.read
    .prepare('SELECT uid FROM events WHERE id = ?')
    .pluck()
    .get(createdEvent.id) as string
  await plantAccount(carol, 'ann@acme.test')
  for (const organizer of [
    'ORGANIZER:mailto:carol@acme.test',
    'ORGANIZER:mailto:ann@acme.test',
    'X-NO:organizer',
  ]) {
    await carol.call('delete_event', { event_id: (await listEvents(carol))[0]!.id, notify: false })
    await importFile(
      carol,
      file(uid, [
        'DTSTART:20261126T100000Z',
        'DTEND:20261126T110000Z',
        'SUMMARY:Evil',
        'SEQUENCE:9',
        organizer,
        'ATTENDEE:mailto:bob@acme.test',
        'ATTENDEE:mailto:ann@acme.test',
      ]),
    )
    const [carolsCopy] = await listEvents(carol)
    await carol.call('send_event_invites', { event_id: carolsCopy!.id })
    assert.deepEqual(
      [await titles(bob), await titles(ann)],
      [['Board confirmed'], ['Board confirmed']],
      organizer,
    )
    await carol.call('delete_event', { event_id: carolsCopy!.id })
    assert.deepEqual(
      [await titles(bob), await titles(ann)],
      [['Board confirmed'], ['Board confirmed']],
      organizer,
    )
    await importFile(carol, file(uid, ['DTSTART:20261126T100000Z', 'SUMMARY:again']))
  }
  await ann.call('update_event', { event_id: createdEvent.id, title: 'Board, later' })
  await ann.call('send_event_invites', { event_id: createdEvent.id })
  assert.deepEqual(await titles(bob), ['Board, later confirmed'], 'its organizer can change it')
})

test('a person cannot respond with the address of a colleague', async () => {
  const vote = await bob.call('create_event', {
    title: 'Vote',
    starts_at: '2026-12-01T10:00',
    ends_at: '2026-12-01T11:00',
    attendees: ['ann@acme.test', 'carol@acme.test'],
  })
  await bob.call('send_event_invites', { event_id: vote.id })
  const copy = (await listEvents(carol)).find((item) => item.title === 'Vote')!
  await carol.call('respond_to_event', { event_id: copy.id, response: 'declined' }) // her account claims Ann's address, which comes first in the list of attendees
  const answers = (await bob.call('get_event', { event_id: vote.id })).attendees.map(
    (attendee: any) => [attendee.address.email, attendee.response],
  )
  assert.deepEqual(
    answers.find(([email]: string[]) => email === 'ann@acme.test'),
    ['ann@acme.test', 'needs_action'],
  )
})

test('files designed to block the server are read quickly or not at all', async () => {
  const dave = await workspace.person('Dave')
  const day = (i: number) =>
    new Date(Date.UTC(2026, 10, 20, 10) + i * 60_000).toISOString().replace(/[-:]|\.000/g, '')
  const dateList = (count: number) => Array.from({ length: count }, (_, i) => day(i)).join(',')
  const quick = async (ics: string) => {
    const spent = cpuWatch()
    const result = await importFile(dave, ics)
    assert.ok(spent() < 4000, `${Math.round(spent())} ms for ${ics.slice(0, 200)}`)
    return result
  }
  assert.equal(
    (await quick(`BEGIN:VCALENDAR\r\n${'BEGIN:VEVENT\r\n'.repeat(70_000)}`)).unreadable,
    1,
  )
  for (const lines of [
    [`EXDATE:${dateList(50_000)}`, 'RRULE:FREQ=DAILY'],
    [`RDATE:${dateList(50_000)}`],
    Array.from({ length: 2000 }, (_, i) => `RRULE:FREQ=DAILY;INTERVAL=${i + 1}`),
  ]) {
    assert.match(
      (await quick(file('dates', ['DTSTART:20261120T100000Z', ...lines]))).problems[0].reason,
      /more than 5000 dates/,
    )
  }
  const series = Array.from({ length: 251 }, (_, i) =>
    file(`s${i}`, ['DTSTART:20261126T100000Z', 'RRULE:FREQ=DAILY'])
      .split('\r\n')
      .slice(3, -2)
      .join('\r\n'),
  )
  const { created, job } = await importFile(
    dave,
    `BEGIN:VCALENDAR\r\n${series.join('\r\n')}\r\nEND:VCALENDAR\r\n`,
  )
  assert.deepEqual([created, typeof job.job_id], [0, 'string'], 'a job imports them in batches')
})

test('a series with a thousand exceptions is listed and searched quickly', async () => {
  const fay = await workspace.person('Fay')
  const at = (i: number) =>
    new Date(Date.UTC(2026, 10, 20, 10) + i * 60_000).toISOString().replace(/[-:]|\.000/g, '')
  const exceptions = Array.from({ length: 900 }, (_, i) => [
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:exc',
    `RECURRENCE-ID:${at(i)}`,
    `DTSTART:${at(i)}`,
    `SUMMARY:needle ${i}`,
  ]).flat()
  const spent = cpuWatch()
  assert.equal(
    (
      await importFile(
        fay,
        file('exc', ['DTSTART:20261120T100000Z', 'RRULE:FREQ=MINUTELY;COUNT=2000', ...exceptions]),
      )
    ).created,
    1,
  )
  assert.deepEqual(
    (await listEvents(fay)).slice(0, 2).map((item) => item.title),
    ['needle 0', 'needle 1'],
  )
  assert.deepEqual(
    (await listEvents(fay, { query: 'needle 899' })).map((item) => item.title),
    ['needle 899'],
  )
  assert.ok(spent() < 8000, `${Math.round(spent())} ms`)
})

test('text with line breaks stays one property: properties cannot be injected into an event or an invitation', async () => {
  const evil = 'x\r\nX-EVIL:1\rX-EVIL:2\nX-EVIL:3'
  assert.equal(
    (await ann.refused('create_event', { title: evil, starts_at: '2026-12-03T10:00' })).more.field,
    'title',
  )
  const createdEvent = await ann.call('create_event', {
    title: 'Once',
    location: evil,
    description_markdown: evil,
    starts_at: '2026-12-03T10:00',
    ends_at: '2026-12-03T11:00',
    attendees: [`${evil} <x@else.test>`, `"${evil}" <y@else.test>`],
  })
  await ann.call('update_event', {
    event_id: createdEvent.id,
    location: `again ${evil}`,
    description_markdown: `again ${evil}`,
  })
  const raw = workspace.app.store.raw.read
    .prepare('SELECT raw_ics FROM events WHERE id = ?')
    .pluck()
    .get(createdEvent.id) as string
  assert.deepEqual(
    raw.split(/\r\n|\r|\n/).filter((line) => line.startsWith('X-EVIL')),
    [],
  )
  const { attendees } = await ann.call('get_event', { event_id: createdEvent.id })
  assert.deepEqual(attendees.map((attendee: any) => attendee.address.email).sort(), [
    'x@else.test',
    'y@else.test',
  ])
})

test('servers send no second invitation: attendees of events created here are marked as scheduled by the client', async () => {
  const createdEvent = await ann.call('create_event', {
    title: 'Ours',
    starts_at: '2026-12-02T10:00',
    ends_at: '2026-12-02T11:00',
    attendees: ['x@else.test'],
  })
  const raw = workspace.app.store.raw.read
    .prepare('SELECT raw_ics FROM events WHERE id = ?')
    .pluck()
    .get(createdEvent.id) as string
  assert.match(raw.replace(/\r\n /g, ''), /ATTENDEE;[^\r]*SCHEDULE-AGENT=CLIENT[^\r]*x@else\.test/)
})

test('an object with an excessive number of lines is not read, however short they are', () => {
  const lines = (count: number, line: string) =>
    file('lines', ['DTSTART:20261126T100000Z', ...Array.from({ length: count - 10 }, () => line)])
  for (const line of ['A:', 'X-A;A=1;B=2;C=3:4', 'EXDATE:', 'END:VEVENT\r\nBEGIN:VEVENT']) {
    const spent = cpuWatch()
    assert.throws(
      () => readObject(lines(maxLines + 10, line)),
      (error: unknown) =>
        error instanceof Unreadable && /more than 20000 lines/.test(error.message),
    )
    assert.ok(spent() < 50, line)
  }
  assert.equal(readObject(lines(maxLines, 'A:')).uid, 'lines')
})
