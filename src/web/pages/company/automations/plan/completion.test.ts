import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  filtersIn,
  functionsIn,
  namesFor,
  findCompletions,
  typedWordAt as typedIn,
} from './completion.ts'

const typedName = (...args: Parameters<typeof typedIn>) => typedIn(...args)?.text

test('a name is completed in place, in templates only between braces', () => {
  assert.equal(typedName('item.pri', 8, false), 'item.pri')
  assert.equal(typedName('a && ite', 8, false), 'ite')
  assert.equal(typedName('item.title == "ite', 18, false), undefined)
  assert.equal(typedName('Say ite', 7, true), undefined)
  assert.equal(typedName('Say {{ ite', 10, true), 'ite')
  assert.equal(typedName('Say {{ ', 7, true), '')
  assert.equal(typedName('Say {{ item.title }} ite', 24, true), undefined)
})

test('matches at the beginning come before those inside', () => {
  const names = namesFor([{ text: 'title' }, { text: 'project.title' }])
  assert.deepEqual(
    findCompletions(names, { text: 'item.t' }).map(({ text }) => text),
    ['item.title'],
  )
  assert.deepEqual(
    findCompletions(names, { text: 'title' }).map(({ text }) => text),
    ['item.title', 'item.project.title', 'actor.title'],
  )
  assert.deepEqual(findCompletions(names, { text: 'item.title' }), [])
})

test('functions named by the catalogue are offered where they are valid', () => {
  const functions = functionsIn([
    'size(x): length of a text, list or map',
    'functions: has(), size(), .contains(), .size()',
  ])
  const texts = (typed: string) =>
    findCompletions([], { text: typed }, { functions, filters: [] }).map(({ text }) => text)
  assert.deepEqual(texts('si'), ['size()'])
  assert.deepEqual(texts('item.title.c'), ['item.title.contains()'])
  assert.deepEqual(texts('item.title.'), ['item.title.contains()', 'item.title.size()'])
  assert.equal(functions[1]?.about, 'size(x): length of a text, list or map')
  assert.equal(functions[0]?.about, undefined)
})

test('after a | filters named by the catalogue are offered, in outputs and tags', () => {
  const filters = filtersIn([
    'functions: has()',
    'filters of templates: {{ name | filter }}: append, capitalize, upcase',
  ])
  assert.deepEqual(filters, ['append', 'capitalize', 'upcase'])
  const texts = (text: string) => {
    const typed = typedIn(text, text.length, true)
    return (
      typed &&
      findCompletions(namesFor([]), typed, { functions: [], filters }).map(
        (completion) => completion.text,
      )
    )
  }
  assert.deepEqual(texts('Say {{ item.title | up'), ['upcase'])
  assert.deepEqual(texts('{{ item.title | upcase | ap'), ['append', 'capitalize'])
  assert.deepEqual(texts('{% assign x = now | '), filters)
  assert.deepEqual(texts('{% if act'), ['actor.id', 'actor.title'])
  assert.equal(texts('{% i'), undefined)
  assert.equal(texts('a | up'), undefined)
})
