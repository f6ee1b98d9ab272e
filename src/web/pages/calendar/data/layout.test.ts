import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partOn, shiftedTime, type EventRow } from './events.ts'
import { placeLanes, placeParts } from './layout.ts'
import { addMinutes } from './wall.ts'

const event = (id: string, starts_local: string, ends_local: string, all_day = false) =>
  ({ id, starts_local, ends_local, all_day }) as EventRow
const day = '2026-11-27'
const part = (id: string, from: string, until: string) =>
  partOn(event(id, `${day}T${from}:00+01:00`, `${day}T${until}:00+01:00`), day)

test('overlapping events are placed side by side, without covering each other', () => {
  const placed = placeParts([
    part('a', '09:00', '10:00'),
    part('b', '09:30', '11:00'),
    part('c', '10:00', '10:30'),
    part('d', '11:00', '12:00'),
    part('e', '09:00', '12:00'),
  ])
  const layoutById = Object.fromEntries(
    placed.map((part) => [part.row.id, [part.column, part.columns, part.width]]),
  )
  assert.deepEqual(layoutById, {
    e: [0, 3, 1],
    a: [1, 3, 1],
    b: [2, 3, 1],
    c: [1, 3, 1],
    d: [1, 3, 2],
  })
  for (const part of placed)
    for (const other of placed) {
      if (part === other || part.from >= other.until || other.from >= part.until) continue
      const isBeside =
        part.column + part.width <= other.column || other.column + other.width <= part.column
      assert.ok(isBeside, `${part.row.id} and ${other.row.id}`)
    }
})

test('a zero-length event is placed next to the one around it, and thousands are placed', () => {
  const [first, second] = placeParts([part('a', '09:00', '09:00'), part('b', '09:10', '10:00')])
  assert.deepEqual([first?.columns, second?.column], [2, 1])
  const many = Array.from({ length: 2000 }, (_, n) => {
    const [hour, minute] = [
      String(Math.floor(n / 100)).padStart(2, '0'),
      String(n % 60).padStart(2, '0'),
    ]
    return part(`e${n}`, `${hour}:${minute}`, `${hour}:59`)
  })
  assert.equal(placeParts(many).length, 2000)
})

test('an event across midnight has a part on each day', () => {
  const late = event('n', '2026-11-26T22:00:00+01:00', '2026-11-27T02:00:00+01:00')
  assert.deepEqual(
    ['2026-11-26', day].map((day) => [partOn(late, day).from, partOn(late, day).until]),
    [
      [1320, 1440],
      [0, 120],
    ],
  )
})

test('all-day events share a lane if they do not overlap', () => {
  const days = ['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26']
  const lanes = placeLanes(
    [
      event('a', '2026-11-20', '2026-11-24', true),
      event('b', '2026-11-24', '2026-11-25', true),
      event('c', '2026-11-25', '2026-12-02', true),
      event('d', '2026-12-01', '2026-12-02', true),
    ],
    days,
  )
  assert.deepEqual(
    lanes.map(({ row, first, last, lane }) => [row.id, first, last, lane]),
    [
      ['a', 0, 1, 0],
      ['b', 1, 2, 1],
      ['c', 2, 3, 0],
    ],
  )
})

test('an event is moved in wall-clock time, and not shortened below a quarter of an hour', () => {
  const time = { allDay: false, starts: '2027-03-27T09:00', ends: '2027-03-27T09:30' }
  assert.deepEqual(shiftedTime(time, { days: 1, minutes: 15 }), {
    allDay: false,
    starts: '2027-03-28T09:15',
    ends: '2027-03-28T09:45',
  })
  assert.equal(shiftedTime(time, { endMinutes: -30 }), undefined)
  const allDay = { allDay: true, starts: '2026-11-27', ends: '2026-11-27' }
  assert.deepEqual(shiftedTime(allDay, { endMinutes: 15 })?.ends, '2026-11-28')
  assert.equal(shiftedTime(allDay, { endMinutes: -15 }), undefined)
  assert.equal(shiftedTime(allDay, { minutes: 15 }), undefined)
  assert.equal(shiftedTime(allDay, { startMinutes: -15 })?.starts, '2026-11-26')
  const earlier = shiftedTime(time, { startMinutes: -15 })
  assert.deepEqual([earlier?.starts, earlier?.ends], [addMinutes(time.starts, -15), time.ends])
  assert.equal(shiftedTime(time, { startMinutes: 45 }), undefined)
})
