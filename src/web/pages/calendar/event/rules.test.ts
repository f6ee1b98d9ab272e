import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameRule, describeRule, splitRule, ruleChoices, withUntil } from './rules.ts'

test('every offered rule is described as offered', () => {
  for (const day of ['2026-11-27', '2026-11-05', '2026-12-31', '2028-02-29'])
    for (const { rule, label } of ruleChoices(day))
      assert.equal(describeRule(rule, day), label, rule)
})

test('the last weekday of a month is offered as last, others by number', () => {
  const rules = (day: string) => ruleChoices(day).map(({ rule }) => rule)
  assert.ok(rules('2026-11-27').includes('FREQ=MONTHLY;BYDAY=-1FR'))
  assert.ok(rules('2026-11-05').includes('FREQ=MONTHLY;BYDAY=1TH'))
  assert.ok(rules('2026-11-17').includes('FREQ=MONTHLY;BYDAY=3TU'))
})

test('rules of other programs are described, with ends and counts, and unknown ones shown verbatim', () => {
  const day = '2026-11-27'
  assert.equal(describeRule('FREQ=WEEKLY', day), 'Every week on Friday')
  assert.equal(describeRule('FREQ=MONTHLY;WKST=MO', day), 'Every month on day 27')
  assert.equal(
    describeRule('FREQ=WEEKLY;WKST=MO;BYDAY=FR,MO,TU,WE,TH;COUNT=5', day),
    'Every weekday, 5 times',
  )
  assert.match(
    describeRule('FREQ=DAILY;UNTIL=20301224T120000Z', day),
    /^Every day, until 24 Dec 2030$/,
  )
  assert.equal(describeRule('FREQ=DAILY;INTERVAL=3', day), 'By the rule FREQ=DAILY;INTERVAL=3')
})

test('the end of a rule is split off and added again', () => {
  const { rule, until } = splitRule('FREQ=DAILY;UNTIL=20261224T235959Z')
  assert.deepEqual([rule, until], ['FREQ=DAILY', '2026-12-24'])
  assert.equal(withUntil(rule, until), 'FREQ=DAILY;UNTIL=20261224')
  assert.ok(isSameRule('BYDAY=TH,MO;FREQ=WEEKLY;INTERVAL=1', 'FREQ=WEEKLY;BYDAY=MO,TH'))
})
