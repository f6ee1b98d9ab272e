import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNamed, minutesOf, parseTaskLine } from './line.ts'

test('a line gives assignee, priority, project, due day, duration and label; the rest is the title', () => {
  assert.deepEqual(parseTaskLine('Oil the valves @tom !high #WEB due next fri ~2h +label'), {
    title: 'Oil the valves',
    people: ['tom'],
    labels: ['label'],
    project: 'WEB',
    priority: 'high',
    due: 'next fri',
    minutes: 120,
  })
})

test('text that only looks like a mark stays in the title', () => {
  assert.equal(
    parseTaskLine('Pay #12 and mail a@b.example!').title,
    'Pay #12 and mail a@b.example!',
  )
  assert.equal(parseTaskLine('Say hi to \\@tom').title, 'Say hi to @tom')
  assert.equal(parseTaskLine('Shout !loudly ~forever + @').title, 'Shout !loudly ~forever + @')
  assert.equal(parseTaskLine('What is due').title, 'What is due')
})

test('a due day ends at the next mark, and only the first one counts', () => {
  const parsed = parseTaskLine('Call due in 2 weeks @tom about the rent')
  assert.equal(parsed.due, 'in 2 weeks')
  assert.equal(parsed.title, 'Call about the rent')
})

test('durations are read in common formats', () => {
  const parse = (text: string) => minutesOf(text)
  assert.deepEqual(['2h', '1.5h', '1h30', '90m', '45', '0', 'h', 'soon'].map(parse), [
    120,
    90,
    90,
    90,
    45,
    undefined,
    undefined,
    undefined,
  ])
})

test('the best match for a name is chosen: exact, then prefix, then one of its words', () => {
  const people = ['Tomas Berg', 'Anna Tom', 'Tom Costa', 'Tom']
  const find = (typed: string) => findNamed(typed, people, (name) => [name])
  assert.equal(find('tom'), 'Tom')
  assert.equal(find('tomc'), 'Tom Costa')
  assert.equal(find('costa'), 'Tom Costa')
  assert.equal(find('zoe'), undefined)
})

test('a name is found without its accents, and an exact match comes first', () => {
  const people = ['Zoë Berg', 'Mesut Özil', 'Rene', 'René']
  const find = (typed: string) => findNamed(typed, people, (name) => [name])
  assert.equal(find('zoe'), 'Zoë Berg')
  assert.equal(find('ozil'), 'Mesut Özil')
  assert.equal(find('rené'), 'René')
  assert.equal(find('rene'), 'Rene')
})
