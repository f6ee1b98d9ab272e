import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { test } from 'node:test'
import { scratch, serve, workspaceJson, type Served } from '../../../testing/process.ts'
import { offsetOf } from './testing/parts.ts'
import { untilTrue } from '../../../testing/limits.ts'

const mebi = 2 ** 20
const size = 1024 * mebi

/** Content of the file from an offset to the end of its mebibyte; each mebibyte is different. */
function pieceAt(offset: number): Buffer {
  const piece = Buffer.alloc(mebi, 5)
  piece.writeUInt32BE(Math.floor(offset / mebi))
  return piece.subarray(offset % mebi)
}

/** Sends the remaining bytes, or up to a byte of the file. @returns the answer, or undefined if interrupted */
async function send(url: string, offset: number, until?: number): Promise<any> {
  const out = request(url, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/offset+octet-stream',
      'content-length': String(size - offset),
      'upload-offset': String(offset),
    },
  })
  const { promise, resolve } = Promise.withResolvers<any>()
  out.on('error', () => resolve(undefined))
  out.on('response', async (answer) =>
    resolve(JSON.parse(Buffer.concat(await answer.toArray()).toString())),
  )
  for (let at = offset; at < (until ?? size); ) {
    const piece = pieceAt(at)
    if (!out.write(piece)) await Promise.race([new Promise((go) => out.once('drain', go)), promise])
    at += piece.length
  }
  if (until === undefined) out.end()
  else out.destroy(new Error('broken off'))
  return promise
}

test('1 GB interrupted five times, once by a killed server, arrives complete', async (t) => {
  const { dir, remove } = scratch()
  let server: Served | undefined
  t.after(async () => {
    if (server && server.child.exitCode === null) await server.end('SIGKILL')
    remove()
  })
  const dataArgs = ['--data', dir]
  await workspaceJson('orgs', 'create', '--name', 'Large', ...dataArgs)
  const email = 'ann@large.test'
  await workspaceJson('users', 'create', '--email', email, '--name', 'Ann', '--admin', ...dataArgs)
  const { key } = await workspaceJson(
    'keys',
    'create',
    '--user',
    email,
    '--name',
    'large',
    ...dataArgs,
  )
  const hash = createHash('sha256')
  for (let offset = 0; offset < size; offset += mebi) hash.update(pieceAt(offset))
  const sha256 = hash.digest('hex')
  server = await serve(dir)
  const answer = await fetch(`${server.url}/api/upload-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'large.bin', size_bytes: size, sha256 }),
  })
  const { upload_url } = (await answer.json()) as { upload_url: string }
  const path = new URL(upload_url).pathname
  let offset = 0
  for (let attempt = 1; attempt <= 5; attempt++) {
    await send(server.url + path, offset, attempt * 170 * mebi)
    const [before, { url }] = [offset, server]
    await untilTrue(async () => {
      offset = await offsetOf(url + path)
      return offset > before
    }, 'nothing of it arrived')
    if (attempt === 3) {
      await server.end('SIGKILL')
      server = await serve(dir)
      assert.equal(await offsetOf(server.url + path), offset)
    }
    assert.ok(offset > (attempt - 1) * 170 * mebi, `${offset} after ${attempt}`)
  }
  const completed = await send(server.url + path, offset)
  assert.deepEqual(
    [completed.sha256, completed.size_bytes, completed.status],
    [sha256, size, 'completed'],
  )
})
