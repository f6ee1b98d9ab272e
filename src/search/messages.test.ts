import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from './query.ts'
import { encodeAnswer, encodeRequest, decodeAnswer, decodeRequest } from './messages.ts'
import type { Request } from './worker/protocol.ts'

const search: Request = {
  do: 'search',
  search: {
    query: parseQuery('Straße “crème brûlée” "two words" \ud800'),
    mode: 'hybrid',
    scope: { containers: null, types: ['page'], visible: [], items: ['a'] },
    vector: { space: 'one', vector: Float32Array.of(0.1, -0.2) },
    ranked: { limit: 3, page: { limit: 1, after: { score: 0.5, id: 'b' } } },
  },
}

test('a search request reaches the thread unchanged, including query and vector', () => {
  assert.deepEqual(decodeRequest(structuredClone(encodeRequest(search))), search)
})

test('a ranking request and other requests reach the thread unchanged', () => {
  const rank: Request = {
    do: 'rank',
    requestId: 7,
    rank: { allowed: ['a', 'b'], links: [], nearItems: ['c'], limit: 150 },
  }
  const embed: Request = { do: 'embed', limit: 3 }
  for (const request of [rank, embed])
    assert.deepEqual(decodeRequest(structuredClone(encodeRequest(request))), request)
})

test('responses arrive unchanged, and those with vectors keep their bytes', () => {
  const bytes = Int8Array.of(1, -2)
  const cases: [Request, unknown][] = [
    [search, { candidates: [{ id: 'a', item_id: 'a' }], mentions: [], pending: 0 }],
    [{ do: 'rank', requestId: 7, rank: { allowed: [], links: [], limit: 1 } }, null],
    [{ do: 'embed', limit: 1 }, [{ doc: 1, version: 2, passages: [{ start: 0, bytes }] }]],
  ]
  for (const [request, answer] of cases)
    assert.deepEqual(decodeAnswer(structuredClone(encodeAnswer(request, answer))), answer)
})
