import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMinutes, instantOf, minuteOf, minutesBetween, wallAt, wallOf } from './wall.ts'

const iso = (wall: string, zone: string) => new Date(instantOf(wall, zone)).toISOString()

test('a wall-clock time maps to the moment when clocks in its zone show it', () => {
  assert.equal(iso('2026-11-27T09:00', 'Europe/Berlin'), '2026-11-27T08:00:00.000Z')
  assert.equal(iso('2026-07-27T09:00', 'America/New_York'), '2026-07-27T13:00:00.000Z')
  assert.equal(iso('2026-07-27T09:00', 'Asia/Kathmandu'), '2026-07-27T03:15:00.000Z')
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'])
    for (let day = 0; day < 370; day++) {
      const wall = addMinutes('2026-01-01T12:34', day * 1440)
      assert.equal(wallOf(instantOf(wall, zone), zone), wall, zone)
    }
})

test('an ambiguous time is the first one, and a skipped one comes after the jump', () => {
  assert.equal(iso('2026-10-25T02:30', 'Europe/Berlin'), '2026-10-25T00:30:00.000Z')
  assert.equal(iso('2027-03-28T02:30', 'Europe/Berlin'), '2027-03-28T01:30:00.000Z')
  assert.equal(
    wallOf(instantOf('2027-03-28T02:30', 'Europe/Berlin'), 'Europe/Berlin').slice(11),
    '03:30',
  )
})

test('wall-clock arithmetic ignores clock changes', () => {
  assert.equal(addMinutes('2027-03-27T09:00', 1440), '2027-03-28T09:00')
  assert.equal(wallAt('2026-12-31', 1440), '2027-01-01T00:00')
  assert.equal(minuteOf('2026-11-27T09:15'), 555)
  assert.equal(minutesBetween('2027-03-28T01:30', '2027-03-28T03:30'), 120)
})
