import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mintKey } from '../keys/format.ts'
import { serveWorkspace } from '../testing/server.ts'
import { lineLog, type LogLevel } from './log.ts'

function lines(level?: LogLevel): {
  log: ReturnType<typeof lineLog>
  said: () => Record<string, any>[]
  text: () => string
} {
  let text = ''
  return {
    log: lineLog((line) => (text += line), level),
    text: () => text,
    said: () =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, any>),
  }
}

test('a line is one JSON object with its time in UTC, level and message', () => {
  const { log, said, text } = lines()
  log.warn('two\nlines', { count: 2, who: 'x\ny' })
  assert.equal(text().split('\n').length, 2)
  const [line] = said()
  assert.deepEqual(
    [line!.level, line!.message, line!.count, line!.who],
    ['warn', 'two\nlines', 2, 'x\ny'],
  )
  assert.match(line!.at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test('messages below the level are omitted, and the level can change', () => {
  const { log, said } = lines('warn')
  log.info('no')
  log.error('yes')
  log.setLevel('debug')
  log.debug('now')
  assert.deepEqual(
    said().map((item) => item.message),
    ['yes', 'now'],
  )
})

test('keys, passwords and tokens are redacted wherever they occur', () => {
  const { log, text } = lines()
  const { key } = mintKey()
  log.error('failed', {
    error: `Error: for ${key} at x`,
    headers: { authorization: `Bearer ${key}` },
    password: 'otter lamp',
    request: { token: 'tok-1', cookie: 'ws=1' },
  })
  log.info(`about ${key}`)
  for (const secret of [key, 'otter lamp', 'tok-1', 'ws=1'])
    assert.ok(!text().includes(secret), secret)
  assert.ok(text().includes(key.slice(0, 12)), 'by its beginning it can be found')
})

test('requests and calls are logged by names and ids with their trace', async (t) => {
  const { log, said, text } = lines('debug')
  const served = await serveWorkspace({ settings: { access_log: true } })
  t.after(() => served.close())
  Object.assign(served.app, { log })
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`
  await served.ask('POST', '/api/labels', {
    body: { name: 'canarybird' },
    headers: { traceparent, 'x-request-id': 'request-0001' },
  })
  await served.ask('GET', '/api/labels?canarybird=1')
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'list_labels',
      arguments: {},
      _meta: { traceparent: traceparent.replace('4bf', '5bf') },
    },
  }
  await served.ask('POST', '/mcp', {
    body: call,
    headers: { accept: 'application/json, text/event-stream', traceparent },
  })
  const request = said().find(
    (item) => item.message === 'request' && item.request_id === 'request-0001',
  )!
  assert.deepEqual(
    [request.method, request.route, request.status, request.trace_id, request.ip],
    ['POST', '/api/labels', 201, trace, '127.0.0.1'],
  )
  const created = said().find(
    (item) => item.message === 'call' && item.operation === 'create_label',
  )!
  assert.deepEqual(
    [created.transport, created.code, created.request_id, created.trace_id],
    ['rest', 'ok', 'request-0001', trace],
  )
  const mcpCall = said().find((item) => item.message === 'call' && item.transport === 'mcp')!
  assert.equal(
    mcpCall.trace_id,
    trace.replace('4bf', '5bf'),
    'what the message says wins over its request',
  )
  assert.ok(!text().includes('canarybird'))
})
