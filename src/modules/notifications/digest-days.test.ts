import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextDigest } from './digest-days.ts'

const workdays = { week: [1, 2, 3, 4, 5], holidays: new Set<string>() }
const next = (after: string, digest: 'daily' | 'weekly', zone = 'Europe/Berlin', work = workdays) =>
  new Date(nextDigest(Date.parse(after), zone, digest, work)).toISOString()

test('a daily digest is sent at eight on the next work day', () => {
  assert.equal(next('2026-11-19T12:00:00Z', 'daily'), '2026-11-20T07:00:00.000Z')
  assert.equal(next('2026-11-20T06:59:59Z', 'daily'), '2026-11-20T07:00:00.000Z')
  assert.equal(
    next('2026-11-20T07:00:00Z', 'daily'),
    '2026-11-23T07:00:00.000Z',
    'after Friday comes Monday',
  )
  assert.equal(
    next('2026-11-20T12:00:00Z', 'daily', 'Europe/Berlin', {
      ...workdays,
      holidays: new Set(['2026-11-23']),
    }),
    '2026-11-24T07:00:00.000Z',
  )
})

test('a weekly digest is sent on the first work day of the week', () => {
  assert.equal(next('2026-11-20T12:00:00Z', 'weekly'), '2026-11-23T07:00:00.000Z')
  assert.equal(
    next('2026-11-20T12:00:00Z', 'weekly', 'Europe/Berlin', {
      ...workdays,
      holidays: new Set(['2026-11-23']),
    }),
    '2026-11-24T07:00:00.000Z',
  )
  assert.equal(next('2026-11-23T07:00:00Z', 'weekly'), '2026-11-30T07:00:00.000Z')
  assert.equal(
    next('2026-11-20T12:00:00Z', 'weekly', 'Asia/Dubai', {
      week: [7, 1, 2, 3, 4],
      holidays: new Set(),
    }),
    '2026-11-23T04:00:00.000Z',
    'weeks begin on Mondays',
  )
})

test('the digest is sent at eight local time in summer and winter', () => {
  assert.equal(next('2026-10-23T12:00:00Z', 'daily'), '2026-10-26T07:00:00.000Z')
  assert.equal(next('2026-10-22T12:00:00Z', 'daily'), '2026-10-23T06:00:00.000Z')
})

test('without configured work days every day is one', () => {
  assert.equal(
    next('2026-11-20T12:00:00Z', 'daily', 'UTC', { week: [], holidays: new Set() }),
    '2026-11-21T08:00:00.000Z',
  )
})
