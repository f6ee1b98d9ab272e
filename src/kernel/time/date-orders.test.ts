import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateOrderOfZone } from './date-orders.ts'

test('the date order follows the country of the time zone', () => {
  const expected = {
    'Europe/Berlin': 'dmy',
    'Europe/London': 'dmy',
    'Australia/Sydney': 'dmy',
    'America/Sao_Paulo': 'dmy',
    'America/New_York': 'mdy',
    'US/Pacific': 'mdy',
    'Asia/Manila': 'mdy',
    'Asia/Tokyo': undefined,
    'America/Toronto': undefined,
    UTC: undefined,
  }
  for (const [zone, order] of Object.entries(expected))
    assert.equal(dateOrderOfZone(zone), order, zone)
})
