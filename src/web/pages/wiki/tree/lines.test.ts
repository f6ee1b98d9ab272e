import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationOf, dropTarget, treeLines, type TreePosition, type MoveStep } from './lines.ts'
import { nodesOf, type PageNode } from './nodes.ts'

const branch = (id: string, ...children: ReturnType<typeof treeNode>[]) => treeNode(id, children)
const treeNode = (id: string, children: unknown[]) =>
  ({ id, title: id, depth: 1, child_count: children.length, children }) as Parameters<
    typeof nodesOf
  >[0][number]

const roots = nodesOf([branch('a', branch('b', branch('c')), branch('d')), branch('e')])
const [a, e] = roots as [PageNode, PageNode]
const [b, d] = a.children as [PageNode, PageNode]
const c = b.children[0] as PageNode
const ids = (to: TreePosition | undefined) => to && [to.parent?.id, to.after?.id]

test('only pages with expanded parents are in the tree, with their position among siblings', () => {
  const lines = treeLines(roots, (node) => node === a)
  assert.deepEqual(
    lines.map(({ node, level, size, position }) => [node.id, level, size, position]),
    [
      ['a', 1, 2, 1],
      ['b', 2, 2, 1],
      ['d', 2, 2, 2],
      ['e', 1, 2, 2],
    ],
  )
})

test('steps lead up, down, in and out, and nowhere at the ends', () => {
  const target = (node: PageNode, step: MoveStep) => ids(destinationOf(node, roots, step))
  assert.deepEqual(target(d, 'up'), ['a', undefined])
  assert.deepEqual(target(b, 'down'), ['a', 'd'])
  assert.deepEqual(target(d, 'in'), ['b', 'c'])
  assert.deepEqual(target(e, 'in'), ['a', 'd'])
  assert.deepEqual(target(c, 'out'), ['a', 'b'])
  assert.deepEqual(target(d, 'out'), [undefined, 'a'])
  for (const [node, step] of [
    [b, 'up'],
    [d, 'down'],
    [b, 'in'],
    [e, 'out'],
  ] as const)
    assert.equal(target(node, step), undefined)
})

test('a page is dropped before, after or below another, and never within itself', () => {
  assert.deepEqual(ids(dropTarget(e, { node: d, edge: 'before' }, roots)), ['a', 'b'])
  assert.deepEqual(ids(dropTarget(d, { node: b, edge: 'before' }, roots)), ['a', undefined])
  assert.deepEqual(ids(dropTarget(e, { node: d, edge: 'behind' }, roots)), ['a', 'd'])
  assert.deepEqual(ids(dropTarget(d, { node: a, edge: 'below' }, roots)), ['a', 'b'])
  assert.deepEqual(ids(dropTarget(b, { node: e, edge: 'behind' }, roots)), [undefined, 'e'])
  assert.equal(dropTarget(a, { node: c, edge: 'below' }, roots), undefined)
  assert.equal(dropTarget(a, { node: a, edge: 'before' }, roots), undefined)
})
