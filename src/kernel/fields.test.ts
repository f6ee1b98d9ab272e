import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import {
  color,
  date,
  datetime,
  isBody,
  markdown,
  pageOf,
  secret,
  shortText,
  timezone,
  title,
  webUrl,
} from './fields.ts'

const accepts = (type: z.ZodType, ...values: unknown[]) =>
  values.map((value) => type.safeParse(value).success)

test('titles are non-blank and limited in length', () => {
  assert.deepEqual(accepts(title(), 'x', '', '  \n', 'x'.repeat(500), 'x'.repeat(501)), [
    true,
    false,
    false,
    true,
    false,
  ])
})

test('dates and times must exist in the calendar', () => {
  assert.deepEqual(
    accepts(
      date(),
      '2026-02-28',
      '2026-02-29',
      '2028-02-29',
      '2026-13-01',
      '26-1-1',
      '2026-11-20T00:00:00Z',
    ),
    [true, false, true, false, false, false],
  )
  assert.deepEqual(
    accepts(
      datetime(),
      '2026-11-20',
      '2026-11-20T15:00',
      '2026-11-20T15:00:00Z',
      '2026-11-20T15:00:00.123+02:00',
      '2026-02-30T15:00:00Z',
      'tomorrow',
      '2026-11-20 15:00',
    ),
    [true, true, true, true, false, false, true],
  )
})

test('time zones are IANA names, not offsets', () => {
  assert.deepEqual(accepts(timezone(), 'Europe/Berlin', 'UTC', '+02:00', 'Mars/Olympus', ''), [
    true,
    true,
    false,
    false,
    false,
  ])
})

test('colors are six hexadecimal digits', () => {
  assert.deepEqual(accepts(color(), '#3b82f6', '#3B82F6', '3b82f6', '#fff', 'red'), [
    true,
    true,
    false,
    false,
    false,
  ])
})

test('URLs have no password and no other scheme', () => {
  assert.deepEqual(
    accepts(
      webUrl(),
      'https://example.com/a?b#c',
      'http://localhost:1',
      'ftp://x.y',
      'javascript:alert(1)',
      'https://user:pass@x.y',
      'x.y',
      '',
    ),
    [true, true, false, false, false, false, false],
  )
})

test('bodies and secrets are recognized through any wrapper', () => {
  assert.deepEqual(
    [
      markdown(),
      markdown().optional(),
      markdown().nullable().optional(),
      secret(z.string().max(9)).default('x'),
      shortText(),
      shortText().optional(),
    ].map(isBody),
    [true, true, true, true, false, false],
  )
})

test('a page is a strict object and requires has_more', () => {
  const page = pageOf(z.strictObject({ id: z.string() }))
  assert.deepEqual(
    accepts(
      page,
      { items: [{ id: 'x' }], has_more: false },
      { items: [], has_more: false, extra: 1 },
      { items: [{}], has_more: false },
      { items: [] },
    ),
    [true, false, false, false],
  )
})

test('a datetime may have a space for its T; years out of range and words are refused with advice', () => {
  const why = (text: string) => datetime().safeParse(text).error?.issues[0]?.message
  for (const text of [
    '2026-11-27 15:00',
    '2026-11-27 15:00:00Z',
    '1900-01-01',
    '2199-12-31T23:59:59Z',
  ])
    assert.equal(why(text), undefined, text)
  for (const text of ['0000-01-01', '9999-12-31', '1899-12-31T23:00', '2200-01-01'])
    assert.match(why(text)!, /1900 to 2199/, text)
  for (const text of ['tomorrow', 'next friday', '2026-11-27  15:00'])
    assert.match(why(text)!, /get_current_time/, text)
  assert.match(date().safeParse('yesterday').error!.issues[0]!.message, /get_current_time/)
})
