import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { limitSettings } from '../config/limit-settings.ts'
import { readSettings } from '../config/settings.ts'
import { abuseRule, rules, type RuleName } from './rules.ts'

const document = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')

test('every rule in the document matches the code', () => {
  const missing = (Object.keys(rules) as RuleName[]).filter(
    (name) =>
      !document.includes(`| ${name} | ${abuseRule(name).trigger} | ${abuseRule(name).effect} |`),
  )
  assert.deepEqual(missing, [])
})

test('the figures in the rule descriptions are the setting defaults', () => {
  const settings = readSettings({}, {})
  const figures: [RuleName, number][] = [
    ['bad-credentials', settings.abuse_bad_credentials],
    ['enumeration', settings.abuse_enumeration],
    ['wandering-key', settings.abuse_wandering],
    ['mass-delete', settings.abuse_mass_delete],
    ['mass-delete', settings.abuse_mass_delete_share],
    ['mass-read', settings.abuse_mass_read],
    ['mass-read', settings.abuse_mass_read_megabytes],
    ['outbound-burst', settings.abuse_outbound],
    ['loop', settings.abuse_loop],
    ['repeat-offender', settings.abuse_repeat],
  ]
  assert.deepEqual(
    figures.filter(
      ([name, figure]) => !abuseRule(name).trigger.includes(figure.toLocaleString('en')),
    ),
    [],
  )
  for (const figure of [
    settings.rate_key,
    settings.rate_burst,
    settings.rate_concurrent,
    settings.rate_organization,
    settings.rate_address,
  ])
    assert.ok(document.includes(`${figure.toLocaleString('en')}`), String(figure))
})

test('plans are read from JSON and from a file, and errors in them are reported', () => {
  const plans = (text: string) => readSettings({}, { WORKSPACE_PLANS: text }).plans
  assert.deepEqual(plans('{"small": {"calls_per_day": 5}}'), {
    small: { calls_per_day: 5 },
    unlimited: {},
  })
  assert.throws(
    () => plans('{"small": {"calls_per_hour": 5}}'),
    /--plans \(WORKSPACE_PLANS\): small: .*calls_per_hour/,
  )
  assert.throws(() => plans('{"small": {"calls_per_day": -5}}'), /small\.calls_per_day/)
  assert.throws(() => plans('{"unlimited": {"members": 5}}'), /unlimited/)
  assert.throws(() => plans('{'), /cannot be read/)
  assert.throws(() => plans('/nowhere/plans.json'), /cannot be read.*nowhere/)
  assert.throws(() => readSettings({}, { WORKSPACE_DEFAULT_PLAN: 'small' }), /unknown plan small/)
})

test('every threshold can be disabled', () => {
  const numbers = Object.entries(limitSettings).filter(
    ([, setting]) => typeof setting.default() === 'number',
  )
  assert.ok(numbers.length >= 13)
  for (const [name, setting] of numbers)
    assert.equal(readSettings({}, { [setting.env]: '0' })[name as 'rate_key'], 0)
})
