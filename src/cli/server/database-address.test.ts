import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { scratch, workspace } from '../../testing/process.ts'

const serveOn = (dir: string, database: string) =>
  workspace(['serve', '--data', dir, '--port', '0', '--database', database])

test('a database address whose password contains unescaped delimiters is refused with advice on escaping', async (t) => {
  const { dir, remove } = scratch()
  t.after(remove)
  for (const address of [
    'postgres://workspace:kiwi#Otter@127.0.0.1:9/workspace',
    'postgresql://workspace:kiwi/Otter@127.0.0.1:9/workspace',
    'postgres://workspace:kiwi?Otter@127.0.0.1:9/workspace',
    'postgres://workspace:secret@127.0.0.1:9/workspace#main',
    'postgres://workspace:secret@127.0.0.1:99999/workspace',
  ]) {
    const { code, stderr } = await serveOn(dir, address)
    assert.equal(code, 78, address)
    assert.match(stderr, /# as %23/)
    assert.doesNotMatch(stderr, /\n\s+at |kiwi|secret/)
  }
})

test('a pooler in front of the database is identified', async (t) => {
  const { dir, remove } = scratch()
  t.after(remove)
  const sockets: Socket[] = []
  const pooler = createServer((socket) => {
    sockets.push(socket)
    socket.once('data', () =>
      socket.end(errorResponse('unsupported startup parameter in options: jit')),
    )
  })
  pooler.listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    pooler.close()
  })
  const { port } = pooler.address() as AddressInfo
  const { code, stderr } = await serveOn(dir, `postgres://workspace@127.0.0.1:${port}/workspace`)
  assert.notEqual(code, 0)
  assert.match(
    stderr,
    /a connection pooler such as PgBouncer answers there\. Connect to PostgreSQL directly/,
  )
  assert.doesNotMatch(stderr, /\n\s+at /)
})

/** A PostgreSQL protocol error, as PgBouncer sends it. */
function errorResponse(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
