import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import fc from '../../testing/properties.ts'
import { StoredResult, ToolLists } from './lists.ts'

test('for any result and id, the compressed response unpacks to the plain message', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.oneof(fc.integer(), fc.string({ unit: 'grapheme', maxLength: 200 })),
      (result, id) => {
        const stored = new StoredResult(result)
        const plain = Buffer.concat(stored.answer(id, false).pieces).toString()
        const packed = gunzipSync(Buffer.concat(stored.answer(id, true).pieces)).toString()
        assert.equal(packed, plain)
        assert.deepEqual(
          JSON.parse(plain),
          JSON.parse(JSON.stringify({ jsonrpc: '2.0', result, id })),
        )
      },
    ),
  )
})

test('a response with an id too long for one stored block is sent uncompressed', () => {
  const { encoding, pieces } = new StoredResult({}).answer('x'.repeat(70_000), true)
  assert.equal(encoding, undefined)
  assert.equal(JSON.parse(Buffer.concat(pieces).toString()).id.length, 70_000)
})

test('a large list shrinks to a fraction of its size', () => {
  const stored = new StoredResult({
    tools: Array.from({ length: 300 }, (_, i) => ({
      name: `tool_${i}`,
      description: 'Does what its name says',
    })),
  })
  const size = (gzip: boolean) => Buffer.concat(stored.answer(1, gzip).pieces).length
  assert.ok(size(true) < size(false) / 5)
})

test('the number of cached lists is limited; a list requested again evicts the least recently used one', () => {
  const lists = new ToolLists()
  for (let i = 0; i < 32; i++) lists.keep(`key ${i}`, {})
  assert.ok(lists.find('key 0'))
  lists.keep('new', {})
  assert.equal(lists.find('new'), undefined, 'asked for once, while there is no room')
  lists.keep('new', {})
  assert.ok(lists.find('new'))
  assert.equal(lists.find('key 1'), undefined)
  assert.ok(lists.find('key 0'), 'it was asked for just before')
})

test('a flood of different lists evicts nothing', () => {
  const lists = new ToolLists()
  for (let i = 0; i < 32; i++) lists.keep(`key ${i}`, {})
  for (let i = 0; i < 1000; i++) lists.keep(`flood ${i}`, {})
  for (let i = 0; i < 32; i++) assert.ok(lists.find(`key ${i}`), `key ${i}`)
})
