import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { after, before, test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { runBridge } from './bridge.ts'
import { serveSdk, type SdkInstance } from './testing.ts'

// The bridge between a pipe and a server built with the official SDK, observed by the messages on the pipe.

let sdk: SdkInstance
before(async () => {
  sdk = await serveSdk()
})
after(() => sdk.close())

type Message = Record<string, any>

/** A running bridge with a client that writes and reads lines. */
function startBridge(t: TestContext, url = `${sdk.url}/mcp`) {
  const input = new PassThrough()
  const output = new PassThrough()
  const received: Message[] = []
  const logged: string[] = []
  let text = ''
  output.on('data', (part: Buffer) => {
    text += part.toString()
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
      received.push(JSON.parse(text.slice(0, end)) as Message)
      text = text.slice(end + 1)
    }
  })
  const stop = new AbortController()
  const done = runBridge({
    url,
    key: 'svc_test',
    input,
    output,
    log: (line) => logged.push(line),
    signal: stop.signal,
  })
  t.after(async () => {
    stop.abort()
    await done
  })
  const send = (...messages: (Message | string)[]) =>
    void input.write(
      messages
        .map(
          (message) =>
            `${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`,
        )
        .join(''),
    )
  const waitFor = async <T>(find: () => T | undefined | false): Promise<T> => {
    for (let i = 0; i < 500; i++) {
      const match = find()
      if (match !== undefined && match !== false) return match
      await pause(10)
    }
    throw new Error(`Timed out. Received ${JSON.stringify(received)}; logged ${logged.join('; ')}`)
  }
  const answer = (id: string | number | null) =>
    waitFor(() => received.find((message) => message.id === id && !message.method))
  return { input, got: received, logged, done, stop, say: send, until: waitFor, answer }
}

const initializeRequest = {
  id: 'hello',
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'tests', version: '1' },
  },
}
const initializedNotification = { method: 'notifications/initialized' }
const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
}
const call = (id: string | number, name: string, meta?: Message): Message => ({
  id,
  method: 'tools/call',
  params: { name, arguments: { id }, ...(meta && { _meta: meta }) },
})
const modernCall = (id: string | number, name: string, meta: Message = {}) =>
  call(id, name, { ...modernMeta, ...meta })

test('messages sent back to back, handshake first, are answered in one session', async (t) => {
  const { say, answer } = startBridge(t)
  const from = sdk.seen.length
  say(initializeRequest, initializedNotification, call(1, 'echo'), call(2, 'echo'))
  assert.equal((await answer('hello')).result.protocolVersion, '2025-06-18')
  for (const id of [1, 2])
    assert.deepEqual(JSON.parse((await answer(id)).result.content[0].text), { id })
  assert.deepEqual(
    sdk.seen
      .slice(from)
      .filter((line) => / tools| initialize$/.test(line))
      .sort(),
    ['POST none initialize', 'POST session tools/call', 'POST session tools/call'],
  )
  assert.equal(sdk.headers.at(-1)!.get('authorization'), 'Bearer svc_test')
  assert.equal(sdk.headers.at(-1)!.get('mcp-protocol-version'), '2025-06-18')
})

test('requests of the current revision carry the headers derived from them and no session id', async (t) => {
  const { say, answer } = startBridge(t)
  say(modernCall(1, 'echo'))
  assert.equal((await answer(1)).result.resultType, 'complete')
  const headers = sdk.headers.at(-1)!
  assert.deepEqual(
    ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'].map((name) =>
      headers.get(name),
    ),
    ['2026-07-28', 'tools/call', 'echo', null],
  )
})

for (const [era, handshake, makeCall] of [
  ['older', [initializeRequest, initializedNotification], call],
  ['present', [], modernCall],
] as const) {
  test(`progress notifications arrive in order in the ${era} revision`, async (t) => {
    const { say, answer, got } = startBridge(t)
    say(...handshake, makeCall(1, 'count', { progressToken: 'p' }))
    await answer(1)
    assert.deepEqual(
      got
        .filter((message) => message.method === 'notifications/progress')
        .map((message) => [message.params.progressToken, message.params.progress]),
      [
        ['p', 1],
        ['p', 2],
        ['p', 3],
      ],
    )
  })

  test(`cancelling a request stops it on the instance and yields no response in the ${era} revision`, async (t) => {
    const { say, answer, got, until } = startBridge(t)
    const before = sdk.cancelled.length
    const from = sdk.seen.length
    say(...handshake, makeCall('w', 'wait'))
    await until(() => sdk.seen.slice(from).some((line) => line.endsWith(' tools/call')))
    await pause(30)
    say({ method: 'notifications/cancelled', params: { requestId: 'w' } }, makeCall(2, 'echo'))
    await until(() => sdk.cancelled.length > before)
    await answer(2)
    assert.equal(
      got.some((message) => message.id === 'w'),
      false,
    )
    assert.equal(
      sdk.seen.slice(from).some((line) => line.endsWith('notifications/cancelled')),
      era === 'older',
    )
  })
}

test('server-initiated notifications arrive, also after the session is lost', async (t) => {
  const { say, answer, got, until, logged } = startBridge(t)
  const from = sdk.seen.length
  const streams = () => sdk.seen.slice(from).filter((line) => line.startsWith('GET')).length
  say(initializeRequest, initializedNotification)
  await until(() => streams() === 1)
  await pause(30)
  await sdk.announce()
  await until(() => got.some((message) => message.method === 'notifications/tools/list_changed'))
  await sdk.forget()
  say(call(1, 'echo'), call(2, 'echo'), call(3, 'echo'))
  for (const id of [1, 2, 3])
    assert.deepEqual(JSON.parse((await answer(id)).result.content[0].text), { id })
  assert.equal(
    sdk.seen.slice(from).filter((line) => line.endsWith(' initialize')).length,
    2,
    'one new session for all of them',
  )
  assert.equal(
    got.filter((message) => message.id === 'hello').length,
    1,
    'the client sees nothing of it',
  )
  assert.match(logged.join('\n'), /the session was lost/)
  await until(() => streams() >= 2)
  await pause(30)
  await sdk.announce()
  await until(
    () =>
      got.filter((message) => message.method === 'notifications/tools/list_changed').length === 2,
  )
})

test('a session lost while idle is reestablished so that notifications continue', async (t) => {
  const { say, got, until } = startBridge(t)
  const from = sdk.seen.length
  const streams = () => sdk.seen.slice(from).filter((line) => line.startsWith('GET')).length
  say(initializeRequest, initializedNotification)
  await until(() => streams() === 1)
  await pause(30)
  await sdk.forget()
  await until(
    () => sdk.seen.slice(from).filter((line) => line.endsWith(' initialize')).length === 2,
  )
  const isNotified = () =>
    got.some((message) => message.method === 'notifications/tools/list_changed')
  for (let i = 0; i < 50 && !isNotified(); i++) {
    await sdk.announce() // it reaches no one until the new session has its stream
    await pause(100)
  }
  assert.ok(isNotified())
})

test('a request in flight when its session turns out to be lost is sent again', async (t) => {
  const { say, answer, until } = startBridge(t)
  const from = sdk.seen.length
  const count = (ending: string) =>
    sdk.seen.slice(from).filter((line) => line.endsWith(ending)).length
  say(initializeRequest, initializedNotification)
  await until(() => count('GET session -') === 1)
  const release = sdk.hold()
  say(call(1, 'echo'))
  await until(() => count(' tools/call') === 1)
  await sdk.forget()
  await until(() => count(' initialize') === 2) // the notification stream has found that the session is gone
  release()
  assert.deepEqual(JSON.parse((await answer(1)).result.content[0].text), { id: 1 })
})

test('a request whose session is lost while it runs is answered with an error', async (t) => {
  const { say, answer, until } = startBridge(t)
  const from = sdk.seen.length
  say(initializeRequest, initializedNotification, call('w', 'wait'))
  await until(() => sdk.seen.slice(from).some((line) => line.endsWith(' tools/call')))
  await pause(30)
  await sdk.forget()
  assert.match((await answer('w')).error.message, /was lost before the answer arrived/)
})

test('an invalid message gets a JSON-RPC error and the following ones are still processed', async (t) => {
  const { say, answer, got } = startBridge(t)
  say(
    'nonsense',
    '[]',
    '{"jsonrpc":"2.0","id":7}',
    '',
    '{"id":8,"method":"ping"}',
    modernCall('späte \u2028 Zeile', 'echo'),
  )
  assert.deepEqual(JSON.parse((await answer('späte \u2028 Zeile')).result.content[0].text), {
    id: 'späte \u2028 Zeile',
  })
  assert.deepEqual(
    got.filter((message) => message.error).map((message) => [message.id, message.error.code]),
    [
      [null, -32700],
      [null, -32600],
      [7, -32600],
      [8, -32600],
    ],
  )
})

test('an unreachable instance, or a server that is not an instance, is reported with an explanation', async (t) => {
  const blockedPort = startBridge(t, 'http://127.0.0.1:9/mcp')
  const closed = await serveSdk()
  await closed.close()
  const unreachable = startBridge(t, `${closed.url}/mcp`)
  unreachable.say(initializeRequest)
  assert.match(
    (await unreachable.answer('hello')).error.message,
    /cannot be reached: nothing listens there\. Start it with `workspace serve`/,
  )
  assert.deepEqual((await unreachable.answer('hello')).error.data, { code: 'unreachable' })
  blockedPort.say(modernCall(1, 'echo'))
  assert.match((await blockedPort.answer(1)).error.message, /port 9 is blocked for HTTP clients/)
})

test('at end of input it waits for pending responses, ends its session and exits', async (t) => {
  const { say, input, got, done } = startBridge(t)
  const from = sdk.seen.length
  say(initializeRequest, initializedNotification, call(1, 'echo'))
  input.end()
  await done
  assert.equal(
    got.some((message) => message.id === 1),
    true,
  )
  assert.ok(sdk.seen.slice(from).some((line) => line.startsWith('DELETE session')))
})

test('at end of input it does not wait forever', async (t) => {
  const { say, input, done, until } = startBridge(t)
  const from = sdk.seen.length
  say(modernCall('w', 'wait'))
  await until(() => sdk.seen.length > from)
  input.end()
  await done // the pending call is never answered
})
