import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../testing/properties.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { cpuWatch } from '../../testing/cost.ts'
import { serveWorkspace } from '../../testing/server.ts'
import { parseJson } from './json.ts'

function refusalOf(text: string): Refusal {
  try {
    parseJson(text)
  } catch (error) {
    assert.ok(error instanceof Refusal, `${text.slice(0, 60)}: ${String(error)}`)
    return error
  }
  throw new Error(`${text.slice(0, 60)} was accepted`)
}

test('any output of JSON.stringify is parsed back unchanged, indented or not', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2), (value, space) => {
      const exact = (_: string, item: unknown) =>
        Number.isInteger(item) && !Number.isSafeInteger(item) ? 7 : item
      const text = JSON.stringify(value, exact, space)
      if (text.includes('__proto__')) return
      assert.deepEqual(parseJson(text), JSON.parse(text))
    }),
  )
})

test('a text that JSON.parse refuses is refused, wherever it is damaged', () => {
  const whole = '{"title":"a \\"b\\" \\u00e9","tags":["x",1.5e3,-0,true,null],"of":{"deep":[[]]}}'
  fc.assert(
    fc.property(
      fc.nat(whole.length),
      fc.constantFrom('', ',', '"', '}', ']', ':', '\\', 'x', '0', ' ', '\n', '\u0001'),
      (at, replacement) => {
        const text = whole.slice(0, at) + replacement + whole.slice(at + 1)
        const parsed = attempt(() => JSON.parse(text))
        assert.deepEqual(
          attempt(() => parseJson(text)),
          parsed,
        )
      },
    ),
    { numRuns: 2000 },
  )
})

/** The value, or an indication that there is none. */
function attempt(work: () => unknown): unknown {
  try {
    return { value: work() }
  } catch {
    return 'refused'
  }
}

test('malformed JSON is refused with the position of the error', () => {
  const broken: [string, number][] = [
    ['', 0],
    ['{', 1],
    ['{"a":1,}', 7],
    ["{'a':1}", 1],
    ['[1 2]', 3],
    ['{}{}', 2],
    ['{"a":NaN}', 5],
    ['"abc', 0],
    ['"a\\qb"', 3],
    ['[01]', 2],
    ['\ufeff{}', 0],
  ]
  for (const [text, position] of broken) {
    const refusal = refusalOf(text)
    assert.equal(refusal.code, 'invalid_argument')
    assert.deepEqual(refusal.more.context, { position }, JSON.stringify(text))
  }
})

test('a duplicate property is refused by name, at any depth and in any spelling', () => {
  assert.match(refusalOf('{"a":1,"b":2,"a":3}').message, /"a" twice/)
  assert.match(refusalOf('{"a":1,"\\u0061":3}').message, /"a" twice/)
  assert.match(refusalOf('[{"x":{"name":1,"name":1}}]').message, /"name" twice/)
  assert.deepEqual(parseJson('[{"a":1},{"a":2}]'), [{ a: 1 }, { a: 2 }])
})

test('__proto__ is refused at any depth and in any spelling', () => {
  for (const text of ['{"__proto__":{}}', '{"a":[{"__proto__":1}]}', '{"\\u005f_proto__":1}'])
    assert.match(refusalOf(text).message, /__proto__/)
  assert.deepEqual(parseJson('["__proto__"]'), ['__proto__'])
})

test('numbers that would be rounded or become infinite are refused', () => {
  for (const text of [
    '9007199254740993',
    '-9007199254740993',
    '1e999',
    '123456789012345678901234567890',
  ])
    assert.match(refusalOf(text).message, /too large/)
  assert.equal(parseJson('9007199254740991'), 9007199254740991)
  assert.equal(parseJson('0.1234567890123456789'), 0.12345678901234568)
})

test('nesting deeper than 32 and more than 50,000 values are refused', () => {
  assert.ok(parseJson('['.repeat(32) + ']'.repeat(32)))
  assert.match(refusalOf('['.repeat(33) + ']'.repeat(33)).message, /deeper than 32/)
  assert.match(refusalOf('['.repeat(500_000)).message, /deeper than 32/)
  assert.ok(parseJson(JSON.stringify(Array(49_999).fill(0))))
  assert.match(refusalOf(JSON.stringify(Array(50_000).fill(0))).message, /more than 50000/)
})

test('a megabyte of worst-case input takes well under a second', () => {
  const hard = [
    `"${'\\"'.repeat(500_000)}"`,
    `"${'\\'.repeat(1_000_000)}"`,
    `${' '.repeat(1_000_000)}1`,
    '-'.repeat(1_000_000),
    '1'.repeat(1_000_000),
    `{"${'a'.repeat(999_990)}":1}`,
  ]
  for (const text of hard) {
    const spent = cpuWatch()
    attempt(() => parseJson(text))
    assert.ok(spent() < 500, text.slice(0, 10))
  }
})

test('the response lists only a few unknown names, however many are sent, over REST and MCP', async (t) => {
  const served = await serveWorkspace()
  t.after(() => served.close())
  const headers = {
    authorization: `Bearer ${served.bearer}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(served.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return { status: answer.status, text: await answer.text() }
  }
  const unknownArguments = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 0]))
  const inCall = (args: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'create_label', arguments: args },
  })
  for (const [path, body, tooMany] of [
    ['/api/labels', unknownArguments(998), unknownArguments(40_000)],
    ['/mcp', inCall(unknownArguments(998)), inCall(unknownArguments(40_000))],
  ] as const) {
    const listed = await post(path, body)
    assert.match(listed.text, /k0: unknown argument/)
    assert.ok(new Set(listed.text.match(/\bk\d+/g)).size <= 20)
    const refused = await post(path, tooMany)
    assert.equal(refused.status, 400)
    assert.match(refused.text, /has an object with more than 1000 properties/)
    assert.ok(refused.text.length < 500, refused.text)
  }
})
