import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  planNote,
  frequentCount,
  matchExpression,
  choosePlanFor,
  completePlan,
} from './full-text.ts'
import { parseQuery } from './query.ts'

const termsOf = (query: string) => parseQuery(query).terms

const counts = (record: Record<string, number>) => new Map(Object.entries(record))

test('a frequent word is skipped next to a rarer one', () => {
  const plan = choosePlanFor(
    termsOf('benchmark zanzibar'),
    counts({ benchmark: frequentCount, zanzibar: 3 }),
  )
  assert.deepEqual(
    [plan.terms.any, plan.order, plan.skipped],
    [['zanzibar'], 'best', ['benchmark']],
  )
  assert.equal(
    planNote(plan),
    '“benchmark” stands in very many texts, so only the rarer words were searched.',
  )
})

test('of several fairly frequent words, the rarest two are kept', () => {
  const plan = choosePlanFor(
    termsOf('one two three four'),
    counts({ one: 19_000, two: 18_000, three: 17_000, four: 16_000 }),
  )
  assert.deepEqual(
    [plan.terms.any, plan.skipped],
    [
      ['three', 'four'],
      ['one', 'two'],
    ],
  )
})

test('words that are all frequent find the newest texts with all of them', () => {
  const plan = choosePlanFor(
    { ...termsOf('benchmark measure'), languages: [] },
    counts({ benchmark: frequentCount, measure: frequentCount }),
  )
  assert.equal(plan.order, 'newest')
  assert.equal(
    matchExpression(plan, { containers: ['prj_1'] }),
    '((acl : ("cprj1")) AND ({title body} : ("benchmark"))) AND (({title body} : ("measure")))',
  )
  assert.match(
    planNote(plan)!,
    /“benchmark”, “measure” stand in very many texts: showing the newest with all of them/,
  )
})

test('a word without matches does not count as rarer: the others are searched', () => {
  const plan = choosePlanFor(
    termsOf('benchmark zanzibra'),
    counts({ benchmark: frequentCount, zanzibra: 0 }),
  )
  assert.deepEqual([plan.terms.any, plan.order, plan.skipped], [['benchmark'], 'newest', []])
  assert.equal(choosePlanFor(termsOf('zanzibra'), counts({})).order, 'best')
})

test('there is no note if every word is searched', () => {
  assert.equal(planNote(completePlan(termsOf('benchmark'))), undefined)
  assert.equal(
    planNote(choosePlanFor(termsOf('harbour pump'), counts({ harbour: 5, pump: 7 }))),
    undefined,
  )
})

test('a quoted phrase is required in every plan', () => {
  for (const count of [3, frequentCount])
    assert.match(
      matchExpression(choosePlanFor(termsOf('"blue pump"'), counts({ blue: count, pump: count }))),
      /"blue pump"/,
    )
})
