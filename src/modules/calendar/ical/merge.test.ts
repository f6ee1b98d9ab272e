import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conflictCopy, merge } from './merge.ts'

const base = [
  'UID:x',
  'DTSTAMP:20260101T000000Z',
  'DTSTART;TZID=Europe/Berlin:20261123T090000',
  'DTEND;TZID=Europe/Berlin:20261123T100000',
  'SUMMARY:Standup',
  'LOCATION:Room 1',
  'RRULE:FREQ=WEEKLY',
  'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ann@acme.test',
  'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bob@acme.test',
  'X-KEEP;FOO=bar:anything',
]
const wrap = (...events: string[][]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:test',
    ...events.flatMap((event) => ['BEGIN:VEVENT', ...event, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n')
const change = (...changes: [string, string][]) =>
  base
    .map((line) => changes.reduce((text, [from, to]) => text.replace(from, to), line))
    .filter((line) => line !== '')
const exception = (summary: string) => [
  'UID:x',
  'DTSTAMP:20260101T000000Z',
  'RECURRENCE-ID;TZID=Europe/Berlin:20261130T090000',
  'DTSTART;TZID=Europe/Berlin:20261130T100000',
  'DTEND;TZID=Europe/Berlin:20261130T110000',
  `SUMMARY:${summary}`,
]

test('edits to different properties are both kept, and unknown properties are preserved', () => {
  const merged = merge(
    wrap(base),
    wrap(change(['Standup', 'Daily'])),
    wrap(change(['Room 1', 'Room 2'], ['FREQ=WEEKLY', 'FREQ=WEEKLY;COUNT=9'])),
  )
  assert.deepEqual([merged.overlaps, merged.hasOurs], [[], true])
  for (const line of [/SUMMARY:Daily/, /LOCATION:Room 2/, /COUNT=9/, /X-KEEP;FOO=bar:anything/])
    assert.match(merged.ics, line)
})

test('for a property changed by both, theirs wins with a notice; the same change on both sides is no conflict', () => {
  const merged = merge(
    wrap(base),
    wrap(change(['Standup', 'Ours'], ['Room 1', 'Room 3'])),
    wrap(change(['Standup', 'Theirs'], ['Room 1', 'Room 3'])),
  )
  assert.deepEqual([merged.overlaps, merged.hasOurs], [['the title'], false])
  assert.match(merged.ics, /SUMMARY:Theirs/)
})

test('a moved start on one side and a moved end on the other overlap', () => {
  const merged = merge(
    wrap(base),
    wrap(change(['20261123T090000', '20261123T083000'])),
    wrap(change(['20261123T100000', '20261123T110000'])),
  )
  assert.deepEqual(merged.overlaps, ['the time'])
})

test('a day excluded on one side and a series moved on the other overlap', () => {
  const ours = wrap([...base, 'EXDATE;TZID=Europe/Berlin:20261130T090000'])
  assert.deepEqual(
    merge(wrap(base), ours, wrap(change(['20261123T090000', '20261123T080000']))).overlaps,
    ['which days are left out'],
  )
  const merged = merge(
    wrap(base),
    ours,
    wrap([...base, 'EXDATE;TZID=Europe/Berlin:20261207T090000']),
  )
  assert.deepEqual(merged.overlaps, [])
  assert.match(merged.ics, /EXDATE[^\r]*20261130T090000/)
  assert.match(merged.ics, /EXDATE[^\r]*20261207T090000/)
})

test('attendees are merged individually', () => {
  const ours = wrap(
    change(['ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ann', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann']),
  )
  const theirs = wrap([
    ...change([
      'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bob',
      'ATTENDEE;PARTSTAT=DECLINED:mailto:bob',
    ]),
    'ATTENDEE:mailto:carol@acme.test',
  ])
  const merged = merge(wrap(base), ours, theirs)
  assert.deepEqual(merged.overlaps, [])
  for (const line of [
    /PARTSTAT=ACCEPTED:mailto:ann/,
    /PARTSTAT=DECLINED:mailto:bob/,
    /mailto:carol/,
  ])
    assert.match(merged.ics, line)
})

test('exceptions of a series are merged individually', () => {
  const both = merge(
    wrap(base),
    wrap(base, exception('moved here')),
    wrap(change(['Room 1', 'Room 2'])),
  )
  assert.deepEqual(both.overlaps, [])
  assert.match(both.ics, /moved here/)
  assert.match(both.ics, /Room 2/)
  const removed = merge(wrap(base, exception('was')), wrap(base), wrap(base, exception('was')))
  assert.deepEqual(
    [removed.overlaps, /RECURRENCE-ID/.test(removed.ics), removed.hasOurs],
    [[], false, true],
  )
  assert.deepEqual(
    merge(wrap(base, exception('was')), wrap(base, exception('ours')), wrap(base)).overlaps,
    ['an occurrence that was removed there'],
  )
  assert.deepEqual(
    merge(wrap(base, exception('was')), wrap(base), wrap(base, exception('theirs'))).overlaps,
    ['an occurrence that was removed here'],
  )
})

test('no edit is lost: each of our properties is in the result or reported as an overlap', () => {
  const fields: [string, [string, string]][] = [
    ['summary', ['SUMMARY:Standup', 'SUMMARY:']],
    ['location', ['LOCATION:Room 1', 'LOCATION:']],
    ['keep', ['X-KEEP;FOO=bar:anything', 'X-KEEP:']],
  ]
  for (let ours = 1; ours < 8; ours++) {
    for (let theirs = 0; theirs < 8; theirs++) {
      const edited = (mask: number, who: string) =>
        wrap(
          change(
            ...fields
              .filter((_, i) => mask & (1 << i))
              .map(([, [from, to]]) => [from, `${to}${who}`] as [string, string]),
          ),
        )
      const { ics, overlaps } = merge(wrap(base), edited(ours, 'ours'), edited(theirs, 'theirs'))
      assert.equal(
        (ics.match(/:ours/g) ?? []).length + overlaps.length,
        [0, 1, 2].filter((i) => ours & (1 << i)).length,
      )
      assert.equal(
        (ics.match(/:theirs/g) ?? []).length,
        [0, 1, 2].filter((i) => theirs & (1 << i)).length,
      )
    }
  }
})

test('a conflict copy of our version has no attendees and does not count as busy', () => {
  const copy = conflictCopy(wrap(base), 'new-uid', 'your edit of 20 Nov')
  for (const line of [
    /UID:new-uid/,
    /TRANSP:TRANSPARENT/,
    /SUMMARY:Standup \(your edit of 20 Nov\)/,
    /X-KEEP/,
  ])
    assert.match(copy, line)
  assert.doesNotMatch(copy, /ATTENDEE|UID:x\r/)
})
