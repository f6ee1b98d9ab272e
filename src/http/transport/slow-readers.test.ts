import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { serveWorkspace } from '../../testing/server.ts'
import { SlowReaders } from './slow-readers.ts'

/** Part of a connection that the code under test uses. */
class FakeSocket extends EventEmitter {
  writableLength = 0
  bytesWritten = 0
  destroyed = false
  destroy(): void {
    this.destroyed = true
  }
  /** Sets the number of bytes written, and of those taken. */
  set(written: number, sent: number): void {
    this.bytesWritten = written
    this.writableLength = written - sent
  }
}

function watchedSocket(): { line: FakeSocket; look: (seconds: number) => void } {
  const line = new FakeSocket()
  const slow = new SlowReaders(new Set([line as unknown as Socket]))
  slow.stop()
  return { line, look: (seconds) => slow.check(seconds * 1000) }
}

test('a client that reads nothing for twenty seconds is cut off, or for four with over a mebibyte pending', () => {
  const small = watchedSocket()
  small.line.set(200_000, 1000)
  for (const at of [0, 2, 10, 19]) small.look(at)
  assert.equal(small.line.destroyed, false)
  small.look(20)
  assert.equal(small.line.destroyed, true)
  const large = watchedSocket()
  large.line.set(3 * 2 ** 20, 1000)
  for (const at of [0, 2, 3.9]) large.look(at)
  assert.equal(large.line.destroyed, false)
  large.look(4)
  assert.equal(large.line.destroyed, true)
})

test('a trickle does not count as reading; a slow connection does', () => {
  const trickle = watchedSocket()
  for (let at = 0; at <= 20; at += 2) {
    trickle.line.set(200_000, at * 100)
    trickle.look(at)
  }
  assert.equal(trickle.line.destroyed, true)
  const slow = watchedSocket()
  for (let at = 0; at <= 120; at += 2) {
    slow.line.set(10_000_000, at * 20_000)
    slow.look(at)
  }
  assert.equal(slow.line.destroyed, false)
})

test('a stream that sends occasionally is not cut off', () => {
  const { line, look } = watchedSocket()
  for (let at = 0; at <= 300; at += 2) {
    line.set(at * 10, at * 10)
    look(at)
  }
  assert.equal(line.destroyed, false)
})

test('an unread response is buffered in chunks, not in full per connection', async (t) => {
  const served = await serveWorkspace()
  t.after(() => served.close())
  const { port } = new URL(served.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  for (let i = 0; i < 8; i++)
    socket.write('GET /api/docs/viewer.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  await pause(300)
  assert.equal(served.server.connections, 1)
  assert.ok(served.server.unsentBytes < 600_000, `${served.server.unsentBytes} bytes wait`)
  socket.destroy()
})
