import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scheduleOf, scheduleRule, describeSchedule, defaultSchedule } from './schedule.ts'

test('a schedule becomes a rule, and is read back from it', () => {
  const schedules = [
    { ...defaultSchedule, time: '09:30' },
    { ...defaultSchedule, repeat: 'daily' },
    { ...defaultSchedule, repeat: 'weekly', weekday: 'FR', time: '16:00' },
    { ...defaultSchedule, repeat: 'fortnightly', weekday: 'WE' },
    { ...defaultSchedule, repeat: 'monthly' },
  ] as const
  for (const schedule of schedules) assert.deepEqual(scheduleOf(scheduleRule(schedule)), schedule)
  assert.equal(scheduleRule(schedules[2]), 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=16;BYMINUTE=0')
})

test('a rule is described in words; one that the form does not offer is kept', () => {
  assert.equal(describeSchedule('BYDAY=MO;FREQ=WEEKLY'), 'Every Monday at 09:00')
  assert.equal(
    describeSchedule('FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8;BYMINUTE=5'),
    'Every weekday at 08:05',
  )
  assert.equal(describeSchedule('FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'), 'Every second Tuesday at 09:00')
  const rule = 'FREQ=DAILY;BYHOUR=9,15'
  assert.equal(describeSchedule(rule), `By the rule ${rule}`)
  assert.equal(scheduleRule(scheduleOf(rule)), rule)
  assert.equal(scheduleOf('FREQ=WEEKLY;BYDAY=MO;COUNT=4').repeat, 'other')
})
