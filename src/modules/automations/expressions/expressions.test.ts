import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../kernel/refusal.ts'
import { checkExpression, evaluate, evaluateExpression } from './conditions.ts'
import { expressionFunctions } from './expressions.ts'
import { checkTemplates, render } from './templates.ts'
import { exampleScope } from './testing.ts'

test('conditions are evaluated with integers, decimals, timestamps and the changes of an event', async () => {
  const trueConditions = [
    'item.title == "Door"',
    'index + 1 == 4',
    'item.n * item.half == 12.5',
    'timestamp(now) - timestamp(item.due) == duration("24h")',
    'has(changes.status) && changes.status.to == "done"',
    '!has(changes.priority)',
    'item.labels.exists(one, one.name == "bug")',
    'item.title.matches("^D.*r$")',
    'item.list.filter(x, x.endsWith("9")).size() == 30',
    'event.name in ["task.updated"]',
    'trigger.payload.constructor == "c"',
  ]
  for (const text of trueConditions) checkExpression(text, 'condition')
  assert.deepEqual(
    (
      await evaluate(
        trueConditions.map((expression) => ({ type: 'expression' as const, expression })),
        exampleScope,
      )
    ).results.filter((result) => !result.held),
    [],
  )
  assert.deepEqual(
    await evaluateExpression(
      'item.list.filter(x, x == "x7").map(x, {"name": x, "n": index})',
      exampleScope,
    ),
    [{ name: 'x7', n: 3 }],
  )
})

test('a condition that cannot be evaluated is false, with a reason', async () => {
  const { held, results } = await evaluate(
    ['true', 'item.nope == 1', '"text"', '1 / 0 == 1'].map((expression) => ({
      type: 'expression',
      expression,
    })),
    exampleScope,
  )
  assert.equal(held, false)
  assert.deepEqual(
    results.map((result) => result.held),
    [true, false, false, false],
  )
  for (const [i, why] of [
    /field not found: nope/,
    /neither true nor false/,
    /divide by zero/,
  ].entries())
    assert.match(results[i + 1]!.error!, why)
})

test('an invalid expression or an unknown name is refused with its position', () => {
  const refused = (text: string, why: RegExp) =>
    assert.throws(
      () => checkExpression(text, 'condition'),
      (error: Refusal) => error.code === 'invalid_argument' && why.test(error.message),
      text,
    )
  refused('item.n == 1\n  && secret.x', /unknown name secret, line 2, column 6/)
  refused('item.n === 1', /line 1, column 8/)
  refused('eval("1")', /unknown function eval, line 1/)
  refused('item.n.constructor("x")', /unknown function constructor/)
  refused('constructor', /unknown name constructor/)
  refused('google.protobuf.Int32Value{value: 1}.value == 1', /unknown type google/)
  refused('[1].all(a, [1].all(b, [1].all(c, true)))', /more than 2 nested loops/)
  refused(`${'('.repeat(900)}1${')'.repeat(900)}`, /nested more than/)
  refused(`item${'.a'.repeat(900)}`, /nested more than/)
})

test('a lone template value keeps its type, and a missing name fails unless tested or defaulted', async () => {
  const renderText = async (text: string) => (await render({ text }, exampleScope)).text
  assert.equal(await renderText('{{ item.n }}'), 5)
  assert.deepEqual(await renderText('{{ item.labels }}'), [{ name: 'bug' }])
  assert.equal(await renderText('{{ item.labels | json }}'), '[{"name":"bug"}]')
  assert.equal(await renderText('n={{ item.n }}'), 'n=5')
  assert.equal(
    await renderText('{{ item.nope | default: "none" }}{% if item.nope %}a{% endif %}'),
    'none',
  )
  assert.equal(await renderText('{{ item.due | date: "%Y-%m-%d %H:%M" }}'), '2026-11-20 12:00')
  assert.equal(await renderText('{{ trigger.payload.html | plain_text }}'), '\\<b\\>\\@ann\\</b\\>')
  assert.equal(await renderText('{{ "a\n# b" | quote }}'), '> a\n> \\# b')
  for (const text of [
    '{{ item.nope }}',
    'x {{ item.nope.deeper }}',
    '{{ item.constructor }}',
    '{{ item.__proto__ }}',
    '{{ item.list.map }}',
  ])
    await assert.rejects(
      render({ text }, exampleScope),
      (error: Refusal) => error.code === 'invalid_argument',
      text,
    )
  for (const text of [
    '{{ secret }}',
    '{{ item.',
    '{% include "x" %}',
    '{% render "/etc/passwd" %}',
    '{% layout "x" %}',
    '{{ item | nofilter }}',
    '{{ item.list | sample }}',
  ])
    assert.throws(() => checkTemplates(text, 'text'), Refusal, text)
  const copy = (await render({ all: '{{ item.labels }}' }, exampleScope)).all as { name: string }[]
  copy[0]!.name = 'changed'
  assert.equal(exampleScope.item.labels[0]!.name, 'bug')
})

test('filters cannot build lists that take long to sort, and a filter chain counts towards the time limit', async () => {
  const refused = (text: string, why: RegExp) =>
    assert.rejects(
      render({ text }, exampleScope),
      (error: Refusal) => error.code === 'invalid_argument' && why.test(error.message),
      text,
    )
  await refused(
    '{{ item.long | split: "" | sort }}',
    /split makes a list of more than 10000 entries/,
  )
  await refused('{{ item.many | concat: item.list }}', /concat makes a list of more than 10000/)
  const chain = ' | sort_natural | reverse'.repeat(700)
  await refused(
    `{{ item.long | slice: 0, 9000 | split: ""${chain} | size }}`,
    /template render limit exceeded|memory alloc limit exceeded/,
  )
  assert.equal((await render({ text: '{{ item.many | size }}' }, exampleScope)).text, 15_000)
})

test('filters that evaluate a text per entry are unavailable', () => {
  for (const name of [
    'where_exp',
    'reject_exp',
    'group_by_exp',
    'find_exp',
    'find_index_exp',
    'has_exp',
  ])
    assert.throws(
      () => checkTemplates(`{{ item.list | ${name}: "i", "i == 0" }}`, 'text'),
      Refusal,
      name,
    )
})

test('the listed functions are callable in an expression', () => {
  const { functions, methods } = expressionFunctions
  assert.ok(functions.includes('size') && functions.includes('has') && methods.includes('contains'))
  const loops = ['all', 'exists', 'exists_one', 'filter', 'map']
  for (const name of functions) checkExpression(`${name}(item.list)`, 'condition')
  for (const name of methods)
    checkExpression(`item.list.${name}(${loops.includes(name) ? 'x, true' : ''})`, 'condition')
  assert.throws(() => checkExpression('item.list.wash()', 'condition'), Refusal)
})
