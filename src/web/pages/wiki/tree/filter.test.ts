import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterTree } from './filter.ts'
import { treeLines } from './lines.ts'
import { nodesOf } from './nodes.ts'
import { matchingLine, appendKey } from './typeahead.ts'

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
  const { roots: filteredRoots, count, firstMatch } = filterTree(roots, 'TRA')
  assert.deepEqual(titles(treeLines(filteredRoots, () => true)), [
    '1 Handbook',
    '2 Travel',
    '3 Trains',
    '1 Travel costs',
  ])
  assert.deepEqual([count, firstMatch?.title], [3, 'Travel'])
  assert.equal(
    filteredRoots[0]?.children[0]?.parent,
    filteredRoots[0],
    'the parent is the one in the filtered tree',
  )
  assert.deepEqual(
    filterTree(roots, 'costs travel').roots.map(({ id }) => id),
    ['Travel costs'],
  )
  assert.deepEqual(filterTree(roots, 'nothing'), { roots: [], count: 0, firstMatch: undefined })
})

test('filtering and typing ahead ignore accents', () => {
  const accented = nodesOf([branch('Büro', branch('Straßenfest')), branch('Ёлка')])
  const lines = treeLines(accented, () => true)
  for (const [query, title] of [
    ['buro', 'Büro'],
    ['strasse', 'Straßenfest'],
    ['ЕЛКА', 'Ёлка'],
  ] as const) {
    assert.equal(filterTree(accented, query).firstMatch?.title, title)
    assert.equal(matchingLine(lines, 0, query.slice(0, 2))?.node.title, title)
  }
})

test('typing jumps to the next page with that prefix, and repeating a letter cycles', () => {
  const indexOfTitle = (title: string) => everything.findIndex(({ node }) => node.title === title)
  const jump = (from: string, text: string) =>
    matchingLine(everything, indexOfTitle(from), text)?.node.title
  assert.equal(jump('Handbook', 't'), 'Travel')
  assert.equal(jump('Travel', 'tr'), 'Travel', 'the selection stays while it matches')
  assert.equal(jump('Travel', 'tra'), 'Travel')
  assert.equal(jump('Travel', 'trai'), 'Trains')
  assert.equal(jump('Travel', 'tt'), 'Trains')
  assert.equal(jump('Travel costs', 't'), 'Travel', 'the search wraps around')
  assert.equal(jump('Handbook', 'x'), undefined)
})

test('letters typed in quick succession belong together, and a space is one of them', () => {
  const type = (keys: string, stepMs: number) =>
    [...keys].reduce((typed, key, index) => appendKey(typed, key, index * stepMs) ?? typed, {
      text: '',
      typedAt: -Infinity,
    }).text
  assert.equal(type('team d', 500), 'team d')
  assert.equal(type('tr', 5000), 'r')
  assert.equal(appendKey({ text: '', typedAt: -Infinity }, ' ', 0), undefined)
  assert.equal(appendKey({ text: 'a', typedAt: 0 }, 'Enter', 1), undefined)
})
