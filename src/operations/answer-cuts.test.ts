import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../testing/properties.ts'
import { bytesOf, cutTo, type CutPart } from './answer-cuts.ts'

const long = (characters: number, piece = 'All work and no play. ') =>
  piece.repeat(Math.ceil(characters / piece.length)).slice(0, characters)

function at(value: unknown, path: string): unknown {
  const steps = [...path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([A-Za-z_]\w*)/g)].map(
    ([, index, quoted, name]) =>
      index ?? (quoted === undefined ? name! : (JSON.parse(`"${quoted}"`) as string)),
  )
  return steps.reduce<any>((inside, step) => inside[step], value)
}

function check(whole: unknown, value: unknown, parts: readonly CutPart[]): void {
  for (const { path, shown, whole: all, unit } of parts) {
    const [before, after] = [at(whole, path), at(value, path)] as [any, any]
    const count = (item: any) => (unit === 'properties' ? Object.keys(item).length : item.length)
    assert.deepEqual([count(after), count(before)], [shown, all], path)
    if (unit === 'characters') assert.ok(before.startsWith(after), path)
  }
}

test('a value that fits is unchanged', () => {
  const value = { id: 'x', text: long(5000) }
  assert.deepEqual(cutTo(value, bytesOf(value)), { value, parts: [] })
})

test('long texts are cut to the same length before any list loses an entry', () => {
  const value = {
    title: 'Plan',
    notes: long(9000),
    body: long(30_000),
    tags: ['a', 'b'],
    replies: [{ text: long(400) }, { text: long(20_000) }],
  }
  const { value: cut, parts } = cutTo(value, 20_000) as { value: typeof value; parts: CutPart[] }
  assert.ok(bytesOf(cut) <= 20_000 && bytesOf(cut) > 19_900, String(bytesOf(cut)))
  assert.deepEqual(
    parts.map((part) => part.path),
    ['notes', 'body', 'replies[1].text'],
  )
  assert.equal(new Set(parts.map((part) => part.shown)).size, 1)
  assert.equal(cut.replies[0]!.text, value.replies[0]!.text)
  check(value, cut, parts)
})

test('lists keep their first entries whole', () => {
  const value = {
    count: 500,
    items: Array.from({ length: 500 }, (_, i) => ({
      id: `tsk_${i}`,
      title: `Task number ${i}`,
      blocked_by: [],
    })),
    note: 'short',
  }
  const { value: cut, parts } = cutTo(value, 4000) as { value: typeof value; parts: CutPart[] }
  assert.deepEqual(cut.items, value.items.slice(0, cut.items.length))
  assert.deepEqual(parts, [{ path: 'items', shown: cut.items.length, whole: 500, unit: 'entries' }])
  assert.ok(
    bytesOf(cut) <= 4000 &&
      bytesOf({ ...cut, items: value.items.slice(0, cut.items.length + 1) }) > 4000,
  )
})

test('ids, keys, cursors, addresses and short texts are kept whole, however little space there is', () => {
  const uncut = {
    id: long(300),
    parent_id: long(300),
    key: long(300),
    next_cursor: long(300),
    url: long(300),
    revision: 7,
    status: long(160),
    item_ids: [long(300)],
  }
  const { value, parts } = cutTo({ ...uncut, body: long(9000) }, 1024) as {
    value: typeof uncut & { body: string }
    parts: CutPart[]
  }
  const { body, ...rest } = value
  assert.deepEqual(rest, uncut)
  assert.deepEqual(
    parts.map((part) => part.path),
    ['body'],
  )
  assert.ok(body.length >= 62)
})

test('maps with very many properties are cut like lists; objects never lose a field', () => {
  const value = {
    thing: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`field_${i}`, i])),
    map: Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`name ${i}`, i])),
  }
  const { value: cut, parts } = cutTo(value, 2000) as { value: typeof value; parts: CutPart[] }
  assert.deepEqual(cut.thing, value.thing)
  assert.ok(bytesOf(cut) <= 2000)
  assert.deepEqual(
    parts.map((part) => [part.path, part.unit]),
    [['map', 'properties']],
  )
})

test('a text is never cut within a character, and is measured as encoded in JSON', () => {
  for (const piece of ['😀', 'ü', '"\\', '\n', '\u0001', '漢字', 'a😀']) {
    for (const bytes of [1000, 1001, 1002, 1003, 1500]) {
      const { value } = cutTo({ text: long(5000, piece) }, bytes) as { value: { text: string } }
      assert.ok(value.text.isWellFormed() || !long(5000, piece).isWellFormed(), piece)
      assert.ok(bytesOf(value) <= Math.max(bytes, 1100) && value.text.length > 100, piece)
    }
  }
})

test('for any value, cutting is deterministic, as small as possible, and reports everything that was cut', () => {
  const { value: json } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.integer(),
      fc.string({ unit: 'grapheme', minLength: 200, maxLength: 3000 }),
      fc.array(tie('value'), { maxLength: 60 }),
      fc.dictionary(fc.string({ maxLength: 8 }), tie('value'), { maxKeys: 6 }),
    ),
  }))
  fc.assert(
    fc.property(
      fc.array(json, { maxLength: 20 }),
      fc.integer({ min: 1024, max: 8000 }),
      (list, bytes) => {
        const whole = JSON.parse(JSON.stringify({ id: 'one', list })) as unknown
        const [first, again] = [cutTo(whole, bytes), cutTo(structuredClone(whole), bytes)]
        assert.deepEqual(first, again)
        const smallest = cutTo(whole, 1)
        assert.ok(bytesOf(first.value) <= Math.max(bytes, bytesOf(smallest.value)))
        assert.equal(
          first.parts.length > 0,
          bytesOf(whole) > bytes && bytesOf(first.value) < bytesOf(whole),
        )
        check(whole, first.value, first.parts)
      },
    ),
    { numRuns: 150 },
  )
})
