import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterTree } from './filter.ts'
import { treeLines } from './lines.ts'
import { nodesOf } from './nodes.ts'
import { typedLine, typeOn } from './typeahead.ts'

type Branches = Parameters<typeof nodesOf>[0]
const branch = (title: string, ...children: Branches): Branches[number] => ({
  id: title,
  title,
  depth: 1,
  child_count: children.length,
  children,
})
const roots = nodesOf([
  branch('Handbook', branch('Travel', branch('Trains')), branch('Team days')),
  branch('Roadmap'),
  branch('Travel costs'),
])
const everything = treeLines(roots, () => true)
const titles = (lines: typeof everything) =>
  lines.map(({ node, level }) => `${level} ${node.title}`)

test('a filter keeps pages with all words, below their ancestors, and counts the matches', () => {
  const { roots: left, count, first } = filterTree(roots, 'TRA')
  assert.deepEqual(titles(treeLines(left, () => true)), [
    '1 Handbook',
    '2 Travel',
    '3 Trains',
    '1 Travel costs',
  ])
  assert.deepEqual([count, first?.title], [3, 'Travel'])
  assert.equal(left[0]?.children[0]?.parent, left[0], 'what is above is of the same tree')
  assert.deepEqual(
    filterTree(roots, 'costs travel').roots.map(({ id }) => id),
    ['Travel costs'],
  )
  assert.deepEqual(filterTree(roots, 'nothing'), { roots: [], count: 0, first: undefined })
})

test('filtering and typing ahead ignore accents', () => {
  const accented = nodesOf([branch('Büro', branch('Straßenfest')), branch('Ёлка')])
  const lines = treeLines(accented, () => true)
  for (const [query, title] of [
    ['buro', 'Büro'],
    ['strasse', 'Straßenfest'],
    ['ЕЛКА', 'Ёлка'],
  ] as const) {
    assert.equal(filterTree(accented, query).first?.title, title)
    assert.equal(typedLine(lines, 0, query.slice(0, 2))?.node.title, title)
  }
})

test('typing jumps to the next page with that prefix, and repeating a letter cycles', () => {
  const at = (title: string) => everything.findIndex(({ node }) => node.title === title)
  const led = (from: string, text: string) => typedLine(everything, at(from), text)?.node.title
  assert.equal(led('Handbook', 't'), 'Travel')
  assert.equal(led('Travel', 'tr'), 'Travel', 'as long as it begins so, one stays')
  assert.equal(led('Travel', 'tra'), 'Travel')
  assert.equal(led('Travel', 'trai'), 'Trains')
  assert.equal(led('Travel', 'tt'), 'Trains')
  assert.equal(led('Travel costs', 't'), 'Travel', 'from the top again')
  assert.equal(led('Handbook', 'x'), undefined)
})

test('letters typed in quick succession belong together, and a space is one of them', () => {
  const type = (keys: string, stepMs: number) =>
    [...keys].reduce((typed, key, n) => typeOn(typed, key, n * stepMs) ?? typed, {
      text: '',
      at: -Infinity,
    }).text
  assert.equal(type('team d', 500), 'team d')
  assert.equal(type('tr', 5000), 'r')
  assert.equal(typeOn({ text: '', at: -Infinity }, ' ', 0), undefined)
  assert.equal(typeOn({ text: 'a', at: 0 }, 'Enter', 1), undefined)
})
