import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeHours } from './hours.ts'

test('days with the same hours are grouped', () => {
  const day = [{ from: '09:00', to: '17:00' }]
  const halves = [
    { from: '08:00', to: '12:00' },
    { from: '13:00', to: '15:00' },
  ]
  assert.equal(
    describeHours({ mon: day, tue: day, wed: day, fri: halves }),
    'Mon–Wed 09:00–17:00, Fri 08:00–12:00 and 13:00–15:00',
  )
  assert.equal(describeHours({ mon: day, wed: day }), 'Mon 09:00–17:00, Wed 09:00–17:00')
  assert.equal(describeHours({}), '')
})
