import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { EventBuffer } from './event-buffer.ts'

const opening = {} as JSONRPCMessage
const notification = (text: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { text },
})

async function replayed(buffer: EventBuffer, id: string): Promise<string[]> {
  const texts: string[] = []
  await buffer.replayEventsAfter(id, {
    send: async (_, message) =>
      void texts.push((message as unknown as { params: { text: string } }).params.text),
  })
  return texts
}

function makeBuffer(clock = { now: 0 }): EventBuffer {
  return new EventBuffer(
    () => true,
    () => clock.now,
  )
}

test('a stream resumes after an event, without events of other streams and opening events', async () => {
  const buffer = makeBuffer()
  const first = await buffer.storeEvent('a', opening)
  await buffer.storeEvent('b', notification('of b'))
  await buffer.storeEvent('a', notification('one'))
  const second = await buffer.storeEvent('a', notification('two'))
  await buffer.storeEvent('a', opening)
  await buffer.storeEvent('a', notification('three'))
  assert.deepEqual(await replayed(buffer, first), ['one', 'two', 'three'])
  assert.deepEqual(await replayed(buffer, second), ['three'])
  assert.equal(await buffer.getStreamIdForEventId(second), 'a')
})

test('events stored during a replay are sent too', async () => {
  const buffer = makeBuffer()
  const first = await buffer.storeEvent('a', opening)
  await buffer.storeEvent('a', notification('one'))
  let sent = 0
  await buffer.replayEventsAfter(first, {
    send: async () => void (++sent === 1 && (await buffer.storeEvent('a', notification('late')))),
  })
  assert.equal(sent, 2)
})

test('the oldest events are dropped when there are too many or too large ones', async () => {
  const many = makeBuffer()
  const ids: string[] = []
  for (let i = 0; i < 300; i++) ids.push(await many.storeEvent('a', notification(String(i))))
  assert.equal(many.find(ids[43]!), undefined)
  assert.equal((await replayed(many, ids[44]!)).length, 255)
  const large = makeBuffer()
  const early = await large.storeEvent('a', opening)
  await large.storeEvent('a', notification('x'.repeat(300_000)))
  const late = await large.storeEvent('a', notification('y'.repeat(300_000)))
  assert.equal(large.find(early), undefined)
  assert.deepEqual(await replayed(large, late), [])
  const beyond = await large.storeEvent('a', notification('z'.repeat(600_000)))
  for (const id of [late, beyond]) assert.equal(large.find(id), undefined)
  await assert.rejects(replayed(large, beyond), /no longer stored/)
})

test('events expire, and those of an ended stream are dropped at once', async () => {
  const clock = { now: 1000 }
  const buffer = makeBuffer(clock)
  const old = await buffer.storeEvent('a', notification('old'))
  clock.now = 2000
  const ended = await buffer.storeEvent('b', notification('ended'))
  const young = await buffer.storeEvent('c', notification('young'))
  buffer.forgetBefore(1500)
  assert.equal(buffer.find(old), undefined)
  buffer.end('b')
  assert.equal(buffer.find(ended)!.hasEnded, true)
  assert.equal(buffer.find(young)!.hasEnded, false)
})

test('an event not worth storing still gets a unique id', async () => {
  const buffer = new EventBuffer(
    (stream) => stream === 'a',
    () => 0,
  )
  const ids = [
    await buffer.storeEvent('a', notification('kept')),
    await buffer.storeEvent('b', notification('not')),
    await buffer.storeEvent('a', notification('kept, too')),
  ]
  assert.equal(new Set(ids).size, 3)
  assert.deepEqual(
    ids.map((id) => buffer.find(id)?.stream),
    ['a', undefined, 'a'],
  )
})
