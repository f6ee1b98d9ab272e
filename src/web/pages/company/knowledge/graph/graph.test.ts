import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layOut, nodeHeight, nearestInDirection, widthOf } from './layout.ts'
import { maxNodes, neighborhoodOf, treeOf, type Branch } from './neighborhood.ts'

type Answer = Parameters<typeof neighborhoodOf>[0]

const ref = (id: string) => ({ id, title: `Entity ${id}` })
const edge = (from: string, to: string) =>
  ({ id: `${from} ${to}`, from: ref(from), to: ref(to), type: 'uses' }) as Answer['edges'][number]
const node = (id: string, depth: number) => ({ entity: { ...ref(id), type: 'system' }, depth })
const answer = (
  nodes: Answer['nodes'],
  edges: Answer['edges'],
  facts: Answer['facts'] = [],
): Answer => ({ center: ref('a'), nodes, edges, facts, bounded: false, has_more: false })

const small = answer(
  [node('b', 1), node('c', 1), node('d', 2)],
  [edge('a', 'b'), edge('c', 'a'), edge('b', 'c'), edge('d', 'b')],
)
const many = answer(
  Array.from({ length: 90 }, (_, n) => node(`n${n}`, n < 30 ? 1 : 2)),
  Array.from({ length: 90 }, (_, n) => (n < 30 ? edge('a', `n${n}`) : edge(`n${n % 30}`, `n${n}`))),
)

const allBranches = (branches: readonly Branch[]): Branch[] =>
  branches.flatMap((branch) => [branch, ...allBranches(branch.branches)])

test('the tree contains each drawn relation once, below the nearer of its entities', () => {
  const near = neighborhoodOf(small)
  const lines = (branches: readonly Branch[], level = 1): string[] =>
    branches.flatMap(({ to, branches: below }) => [`${level} ${to.id}`, ...lines(below, level + 1)])
  assert.deepEqual(lines(treeOf(near)), ['1 b', '2 c', '2 d', '1 c'])
  const large = neighborhoodOf(many)
  assert.deepEqual(
    allBranches(treeOf(large))
      .map((branch) => branch.edge.id)
      .sort(),
    large.edges.map(({ id }) => id).sort(),
  )
  assert.deepEqual(
    new Set(allBranches(treeOf(large)).map(({ to }) => to.id)),
    new Set(large.nodes.slice(1).map(({ id }) => id)),
  )
})

test('at most 60 entities are drawn, omitted ones are counted, and no relation leads to one of them', () => {
  const { nodes, edges, omittedCount } = neighborhoodOf(many)
  assert.deepEqual([nodes.length, omittedCount], [maxNodes, 31])
  const drawnIds = new Set(nodes.map(({ id }) => id))
  assert.ok(edges.every(({ from, to }) => drawnIds.has(from.id) && drawnIds.has(to.id)))
})

test('a fact whose value is an entity connects the two, and a node that is not an entity is left out', () => {
  const fact = { id: 'f', entity: ref('a'), value_entity: ref('b'), predicate: 'owner' }
  const near = neighborhoodOf(
    answer([node('b', 1), { depth: 1 }], [], [fact as Answer['facts'][number]]),
  )
  assert.deepEqual(
    near.edges.map(({ from, type, to, relation }) => [from.id, type, to.id, relation]),
    [['a', 'owner', 'b', undefined]],
  )
  assert.equal(near.nodes.length, 2)
})

test('the layout is deterministic, without overlaps, and within its frame', () => {
  for (const neighbors of [small, many]) {
    const near = neighborhoodOf(neighbors)
    const { positions, width, height } = layOut(near)
    assert.deepEqual(layOut(near).positions, positions)
    const boxes = near.nodes.map(({ id, title }) => {
      const { x, y } = positions.get(id)!
      return { x, y, half: widthOf(title) / 2 }
    })
    for (const [n, a] of boxes.entries()) {
      assert.ok(a.x - a.half >= 0 && a.x + a.half <= width && a.y >= 0 && a.y <= height)
      for (const b of boxes.slice(n + 1)) {
        const isClear = Math.abs(a.x - b.x) >= a.half + b.half || Math.abs(a.y - b.y) >= nodeHeight
        assert.ok(isClear, JSON.stringify([a, b]))
      }
    }
  }
})

test('an arrow key moves to the nearest entity in its direction, or nowhere', () => {
  const from = { x: 100, y: 100 }
  const targets = [
    { id: 'right', at: { x: 200, y: 120 } },
    { id: 'up', at: { x: 110, y: 10 } },
    { id: 'higher right', at: { x: 180, y: 20 } },
  ]
  assert.equal(nearestInDirection('ArrowRight', from, targets), 'right')
  assert.equal(nearestInDirection('ArrowUp', from, targets), 'up')
  assert.equal(nearestInDirection('ArrowLeft', from, targets), undefined)
})
