import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import { Queue } from '../../../jobs/queue.ts'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'
import { eventColumns } from '../ical/event-columns.ts'
import { splitFile } from '../ical/object-parts.ts'
import { serializeCalendar } from '../ical/objects.ts'
import { updateOccurrenceIndex } from '../ticks.ts'
import { calendarOf, calendarFileText, jobOf, yearlyEvents } from './testing.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

test('files corrupted at any position are read as far as possible and never throw', () => {
  const reader = {
    zone: 'Europe/Berlin',
    ownAddresses: new Set<string>(),
    now: Date.UTC(2026, 10, 20),
  }
  let readable = 0
  for (let seed = 1; seed <= 600; seed++) {
    let state = seed
    const random = (below: number) => (state = (state * 48271) % 2147483647) % below
    let text = calendarFileText
    for (let i = 0; i <= seed % 4; i++) {
      const [at, length] = [random(text.length), random(30)]
      const insertion = [
        '',
        '\r\n',
        ':',
        ';',
        '"',
        'BEGIN:VEVENT\r\n',
        'END:VEVENT\r\n',
        '\u0000',
        '99999999999',
        '\ufeff',
        'RRULE:FREQ=',
        '\ud83d',
      ][random(12)]!
      text = text.slice(0, at) + insertion + text.slice(at + (seed % 2 ? length : 0))
    }
    for (const part of splitFile(text)) {
      if (!('root' in part)) continue
      const columns = eventColumns(serializeCalendar(part.root), reader, part.uid)
      assert.ok(Number.isFinite(columns.starts_at) && Number.isFinite(columns.ends_at), text)
      if (columns.unreadable === null) readable++
    }
  }
  assert.ok(readable > 800, `${readable} were read`)
})

test('a large file is imported by a job that reports progress, and a repeat changes nothing', async () => {
  const { carol, bob } = workspace
  const calendar_id = (await carol.call('list_calendars')).items[0].id
  const ics = calendarOf([
    ...yearlyEvents(1321),
    ['BEGIN:VEVENT', 'UID:bad', 'SUMMARY:No start', 'END:VEVENT'].join('\r\n'),
  ])
  const started = await carol.call('import_calendar', { calendar_id, ics })
  assert.deepEqual([started.created, started.unreadable], [0, 0])
  await new Queue(workspace.app).drain()
  const finishedJob = await jobOf(carol, started)
  assert.deepEqual(
    [finishedJob.state, finishedJob.result],
    [
      'done',
      {
        created: 1321,
        changed: 0,
        unchanged: 0,
        unreadable: 1,
        problems: [{ reason: 'it has no DTSTART', title: 'No start' }],
        left_out: [{ what: 'it has no DTSTART', count: 1, lines: ['No start'] }],
      },
    ],
  )
  assert.equal(
    workspace.app.store.raw.read
      .prepare('SELECT count(*) FROM calendar_imports WHERE content IS NOT NULL')
      .pluck()
      .get(),
    0,
  )
  while (await runTick(workspace.app, updateOccurrenceIndex));
  assert.equal(
    (await carol.call('list_events', { from: '2026-01-15', to: '2026-01-15', limit: 100 })).items
      .length,
    100,
  )
  const repeated = await carol.call('import_calendar', { calendar_id, ics })
  await new Queue(workspace.app).drain()
  assert.equal((await jobOf(carol, repeated)).result.unchanged, 1321)
  assert.equal((await bob.refused('import_calendar', { calendar_id, ics })).code, 'not_found')
})
