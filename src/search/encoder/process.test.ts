import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { cosineOf, goldenTexts } from '../../testing/encoder.ts'
import { assetsIn } from '../../db/assets.ts'
import { Encoder } from './encoder.ts'
import { modelFiles } from './model-files.ts'
import { EncoderFailure, EncoderProcess, type EncoderProcessOptions } from './process.ts'

function startEncoder(t: TestContext, options: Partial<EncoderProcessOptions> = {}) {
  const encoder = new EncoderProcess({ threads: 1, ...options })
  t.after(() => encoder.close())
  return encoder
}

/** A program in place of the encoder, which gets the texts over the same channel. */
const program = (source: string) => [process.execPath, '-e', source] as const

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function untilDead(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('vectors equal those of the reference implementation', async (t) => {
  const encoder = startEncoder(t)
  for (const { text, vector } of goldenTexts()) {
    const computed = await encoder.embed(text, 'passage')
    assert.ok(cosineOf(computed, vector) > 0.97, text)
  }
})

test('a text gets the same vector whatever was encoded before it', async (t) => {
  const encoder = startEncoder(t)
  const text = 'passage: The committee moved the budget review to Thursday.'
  const first = await encoder.embed(text, 'passage')
  await encoder.embed(`passage: ${'long '.repeat(1000)}`, 'passage')
  assert.deepEqual(await encoder.embed(text, 'passage'), first)
})

test('a process that is killed fails its texts, and the next text starts another', async (t) => {
  const encoder = startEncoder(t)
  await encoder.embed('query: one', 'query')
  const { pid } = encoder
  assert.ok(pid)
  const pending = encoder.embed(`passage: ${'two '.repeat(500)}`, 'passage')
  const next = encoder.embed('passage: three', 'passage')
  process.kill(pid, 'SIGKILL')
  await assert.rejects(pending, EncoderFailure)
  await assert.rejects(next, /was killed \(SIGKILL\)/)
  assert.equal((await encoder.embed('query: four', 'query')).length, 384)
  assert.notEqual(encoder.pid, pid)
})

test('queries go before the passages that wait', async (t) => {
  const encoder = startEncoder(t)
  const order: string[] = []
  const embed = (text: string, kind: 'query' | 'passage') =>
    encoder.embed(text, kind).then(() => order.push(text))
  await Promise.all([embed('1', 'passage'), embed('2', 'passage'), embed('3', 'query')])
  assert.deepEqual(order, ['3', '1', '2'])
})

test('an idle process ends, and with it its memory', async (t) => {
  const encoder = startEncoder(t, { idleMs: 1 })
  const vector = encoder.embed('query: one', 'query')
  const { pid } = encoder
  assert.ok(pid)
  await vector
  await untilDead(pid)
  assert.equal(encoder.pid, undefined)
})

test('a process that does not answer is killed', async (t) => {
  const source = "process.on('message', () => {}); process.send({ isReady: true })"
  const encoder = startEncoder(t, { command: program(source), timeoutMs: 20 })
  await assert.rejects(encoder.embed('query: one', 'query'), /It did not answer/)
  assert.equal(encoder.pid, undefined)
})

test('a process that cannot load the model says why', async (t) => {
  const source = "process.send({ failure: 'words.q4 is missing' })"
  const encoder = startEncoder(t, { command: program(source) })
  await assert.rejects(
    encoder.embed('query: one', 'query'),
    /^EncoderFailure: words.q4 is missing$/,
  )
  const missing = startEncoder(t, { command: ['/nowhere/encoder'] })
  await assert.rejects(missing.embed('query: one', 'query'), /It cannot be started/)
})

test('the process does not get the environment of the server', async (t) => {
  process.env.WORKSPACE_ENCODER_TEST = 'secret'
  t.after(() => delete process.env.WORKSPACE_ENCODER_TEST)
  const source =
    "process.on('message', () => process.send({ failure: JSON.stringify(process.env) })); process.send({ isReady: true })"
  const encoder = startEncoder(t, { command: program(source) })
  await assert.rejects(encoder.embed('query: one', 'query'), ({ message }: Error) => {
    assert.doesNotMatch(message, /secret/)
    return true
  })
})

test('the process ends with the server', async () => {
  const server = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { EncoderProcess } from ${JSON.stringify(new URL('./process.ts', import.meta.url).href)}
     const encoder = new EncoderProcess({ threads: 1 })
     await encoder.embed('query: one', 'query')
     setInterval(() => {}, 1000)
     console.log(encoder.pid)`,
  ])
  const [pid] = (await once(server.stdout, 'data')) as [Buffer]
  server.kill('SIGKILL')
  await untilDead(Number(pid))
})

test('a file of the model that was cut short is refused', async () => {
  const files = modelFiles()
  const cut = (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2)
  const layers = assetsIn('encoder/').read('layers.int8.onnx')
  await assert.rejects(Encoder.load({ ...files, layers: cut(layers) }, 1), /protobuf|parse/i)
  await assert.rejects(
    Encoder.load({ ...files, positions: cut(files.positions) }, 1),
    /positions has 98304 numbers, and must have 196608/,
  )
  await assert.rejects(
    Encoder.load({ ...files, mean: cut(files.mean) }, 1),
    /mean has 192 numbers, and must have 384/,
  )
})
