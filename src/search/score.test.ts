import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { score, type Collection } from '../../bench/search/score.ts'
import { workspace } from '../../bench/search/workspace.ts'

const round = (scores: object) =>
  Object.values(scores).map((value: number) => Math.round(value * 1e4) / 1e4)

test('the computed scores match those calculated by hand', () => {
  const qrels = { a: { x: 2, y: 1 }, b: { z: 1 } }
  // query a: y at rank 1 (gain 1), x at rank 3 (gain 3): 1 + 3/2 = 2.5 of 3 + 1/log2(3) = 3.6309; b: nothing
  assert.deepEqual(round(score([{ id: 'a' }], qrels, [['y', 'n', 'x']])), [
    round([2.5 / (3 + 1 / Math.log2(3))])[0],
    1,
    1,
  ])
  assert.deepEqual(round(score([{ id: 'a' }, { id: 'b' }], qrels, [['y', 'y', 'x'], []])), [
    round([(1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3)) / 2])[0],
    0.5,
    0.5,
  ])
  const late = [...Array.from({ length: 10 }, (_, i) => `n${i}`), 'z']
  assert.deepEqual(round(score([{ id: 'b' }], qrels, [late])), [0, 1, 0])
  assert.deepEqual(
    round(score([{ id: 'b' }], qrels, [[...Array.from({ length: 100 }, (_, i) => `n${i}`), 'z']])),
    [0, 0, 0],
  )
})

const collectionsDir = new URL('../../bench/search/collections/', import.meta.url)
const collections: [string, Collection][] = [
  ...readdirSync(collectionsDir)
    .filter((name) => name.endsWith('.br'))
    .map((name): [string, Collection] => [
      name,
      JSON.parse(
        brotliDecompressSync(readFileSync(new URL(name, collectionsDir))).toString(),
      ) as Collection,
    ]),
  ['workspace dev', workspace('dev')],
  ['workspace judge', workspace('judge')],
]

for (const [name, { docs, queries, qrels }] of collections) {
  test(`in ${name}, every query has relevant documents within its scope`, () => {
    const byId = new Map(docs.map((doc) => [doc.id, doc]))
    assert.equal(byId.size, docs.length)
    assert.equal(new Set(queries.map((query) => query.id)).size, queries.length)
    const wrong = queries.filter(
      ({ id, scope }) =>
        Object.keys(qrels[id] ?? {}).length === 0 ||
        Object.keys(qrels[id]!).some(
          (doc) => !byId.has(doc) || (scope !== undefined && byId.get(doc)!.scope !== scope),
        ),
    )
    assert.deepEqual(wrong, [])
  })
}

test('the two synthetic workspaces share no proper names, and are deterministic', () => {
  assert.deepEqual(workspace('dev'), workspace('dev'))
  const words = (which: 'dev' | 'judge') =>
    new Set(
      workspace(which)
        .queries.flatMap((query) => query.text.match(/\b\p{Lu}\p{L}+/gu) ?? [])
        .filter((word) => !['What', 'How'].includes(word)),
    )
  assert.deepEqual([...words('dev').intersection(words('judge'))], [])
})

test('each collection file is listed with its license', () => {
  const sources = readFileSync(new URL('SOURCES.md', collectionsDir), 'utf8')
  for (const name of readdirSync(collectionsDir).filter((item) => item.endsWith('.br')))
    assert.match(
      sources,
      new RegExp(`\\| ${name.replaceAll('.', '\\.')} \\|.*(MIT|CC BY 4\\.0|Apache-2\\.0)`),
    )
})
