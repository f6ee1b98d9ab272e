import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuWatch } from '../../testing/cost.ts'
import { mentionsIn, readMentions } from './mentions.ts'

const people = [
  { id: 'usr_ann', email: 'ann@acme.test', display_name: 'Ann' },
  { id: 'usr_lee', email: 'a.lee@acme.test', display_name: 'Ann Lee' },
  { id: 'usr_bob', email: 'bob@acme.test', display_name: 'Bob Núñez' },
  { id: 'usr_two', email: 'bob2@acme.test', display_name: 'bob núñez' },
]
const mentionedIds = (text: string) => mentionsIn(text, people)

test('people are mentioned by name, address, id and dotted name, regardless of case', () => {
  assert.deepEqual(mentionedIds('@Ann, see this'), ['usr_ann'])
  assert.deepEqual(mentionedIds('ask @ANN@acme.test.'), ['usr_ann'])
  assert.deepEqual(mentionedIds('(@usr_lee)'), ['usr_lee'])
  assert.deepEqual(mentionedIds('@ann.lee: done'), ['usr_lee'])
})

test('the longest name wins and must end at a boundary', () => {
  assert.deepEqual(mentionedIds('@Ann Lee and @Ann'), ['usr_lee', 'usr_ann'])
  assert.deepEqual(mentionedIds('@Anna @ann-marie @ann_x @ann@home.test'), [])
})

const team = [
  { id: 'usr_mia', email: 'mia@acme.test', display_name: 'Mia Berg' },
  { id: 'usr_tom', email: 'tom@acme.test', display_name: 'Tom Costa' },
  { id: 'usr_an1', email: 'anna.a@acme.test', display_name: 'Anna Arndt' },
  { id: 'usr_an2', email: 'anna.b@acme.test', display_name: 'Anna Blau' },
]

test('a unique first name is sufficient', () => {
  assert.deepEqual(readMentions('@Tom, and @mia: see this. cc @tom.costa', team), {
    people: ['usr_tom', 'usr_mia'],
    unresolved: [],
  })
})

test('unresolved mentions are reported: unknown names, ambiguous first names and other surnames', () => {
  assert.deepEqual(readMentions('@nobody @Anna @Tom Weber @tom@elsewhere.test', team), {
    people: [],
    unresolved: ['@nobody', '@Anna', '@Tom Weber', '@tom@elsewhere.test'],
  })
})

test('code, addresses, packages and times are not reported as unresolved mentions', () => {
  assert.deepEqual(
    readMentions(
      '`@nobody`, joe@nobody.test, @types/node, @2pm, a @ b\n\n```\n@Override\n```\n',
      team,
    ),
    { people: [], unresolved: [] },
  )
})

test('all people of the same name are mentioned', () => {
  assert.deepEqual(mentionedIds('@Bob Núñez'), ['usr_bob', 'usr_two'])
})

test('addresses, links and code are not mentions', () => {
  assert.deepEqual(mentionedIds('write to joe@ann or https://x.test/@ann'), [])
  assert.deepEqual(mentionedIds('`@ann` and ``a ` @ann``'), [])
  assert.deepEqual(mentionedIds('```\n@ann\n```\n@Bob Núñez'), ['usr_bob', 'usr_two'])
  assert.deepEqual(mentionedIds('~~~\n@ann'), [])
})

test('long hostile texts are read quickly', () => {
  const spent = cpuWatch()
  mentionedIds('@'.repeat(50_000))
  mentionedIds('@ann '.repeat(10_000))
  mentionedIds('@Nobody Else '.repeat(10_000))
  mentionedIds('` @a'.repeat(12_500))
  mentionedIds('```\n'.repeat(12_500))
  mentionedIds(`${'`'.repeat(50_000)} @ann`)
  mentionedIds(Array.from({ length: 300 }, (_, i) => '`'.repeat(i)).join(' '))
  assert.ok(spent() < 1000)
})
