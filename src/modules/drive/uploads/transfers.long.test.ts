import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { storedBlobs } from '../../../files/blobs.ts'
import type { Someone } from '../../../testing/harness.ts'
import { scratch, serve, workspaceJson, type Served } from '../../../testing/process.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'
import { putPieces } from './testing.ts'
import { untilTrue } from '../../../testing/limits.ts'

let workspace: ServedWorkspace
let ann: Someone
before(async () => {
  workspace = await serveWorkspace()
  workspace.app.baseUrl = workspace.url
  ann = workspace.ann
})
after(() => workspace.close())

function* repeated(piece: Buffer, times: number): Generator<Buffer> {
  for (let i = 0; i < times; i++) yield piece
}

function sizeIn(folder: string): number {
  return existsSync(folder)
    ? readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    : 0
}

test('200 MB stream to disk and back with little memory, and a range is sent alone', async (t) => {
  const piece = Buffer.alloc(2 ** 20, 7)
  const size = 200 * piece.length
  const session = await ann.call('create_upload_session', { name: 'large.bin', size_bytes: size })
  global.gc?.()
  const before = process.memoryUsage().rss
  let maxRss = before
  const watch = setInterval(() => (maxRss = Math.max(maxRss, process.memoryUsage().rss)), 20)
  try {
    const done = await putPieces(session.upload_url, repeated(piece, 200), {
      'content-length': String(size),
    })
    assert.equal(done.status, 201, JSON.stringify(done.json))
    const { download_url } = await ann.call('get_file_content', { file_id: done.json.file_id })
    const answer = await fetch(download_url)
    assert.deepEqual(
      [answer.status, answer.headers.get('content-length'), answer.headers.get('accept-ranges')],
      [200, String(size), 'bytes'],
    )
    let receivedBytes = 0
    for await (const part of answer.body!) receivedBytes += part.length
    assert.equal(receivedBytes, size)
    const range = await fetch(download_url, { headers: { range: 'bytes=5-9' } })
    assert.deepEqual(
      [range.status, range.headers.get('content-range'), (await range.arrayBuffer()).byteLength],
      [206, `bytes 5-9/${size}`, 5],
    )
    assert.equal((await fetch(download_url, { headers: { range: `bytes=${size}-` } })).status, 416)
    assert.equal(
      (await fetch(download_url, { headers: { range: 'bytes=-3' } })).headers.get('content-range'),
      `bytes ${size - 3}-${size - 1}/${size}`,
    )
  } finally {
    clearInterval(watch)
  }
  const grown = Math.round((maxRss - before) / 2 ** 20)
  t.diagnostic(`grew by ${grown} MB`)
  assert.ok(grown < 160, `the process grew by ${grown} MB`)
})

test('a server killed during an upload shows no partial file and accepts the upload again', async (t) => {
  const { dir, remove } = scratch()
  let server: Served | undefined
  t.after(async () => {
    if (server && server.child.exitCode === null && server.child.signalCode === null)
      await server.end('SIGKILL')
    remove()
  })
  await workspaceJson('orgs', 'create', '--name', 'Crash', '--data', dir)
  await workspaceJson(
    'users',
    'create',
    '--email',
    'ann@crash.test',
    '--name',
    'Ann',
    '--admin',
    '--data',
    dir,
  )
  const { key } = await workspaceJson(
    'keys',
    'create',
    '--user',
    'ann@crash.test',
    '--name',
    'crash',
    '--data',
    dir,
  )
  const api = async (method: string, path: string, body?: object) =>
    (
      await fetch(`${server!.url}/api/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    ).json() as Promise<any>
  server = await serve(dir)
  const piece = Buffer.alloc(2 ** 20, 9)
  const session = await api('POST', 'upload-sessions', {
    name: 'half.bin',
    size_bytes: 20 * piece.length,
  })
  const path = new URL(session.upload_url).pathname
  const interrupted = request(server.url + path, {
    method: 'PUT',
    headers: { 'content-length': String(20 * piece.length) },
  })
  interrupted.on('error', () => {})
  for (let i = 0; i < 10; i++) interrupted.write(piece)
  const incoming = join(dir, 'blobs', 'incoming')
  await untilTrue(() => sizeIn(incoming) >= 5 * piece.length, 'too little arrived')
  await server.end('SIGKILL')
  server = await serve(dir)
  assert.deepEqual((await api('GET', 'files')).items, [])
  assert.deepEqual([...storedBlobs(dir)], [])
  const done = await putPieces(server.url + path, repeated(piece, 20), {
    'content-length': String(20 * piece.length),
  })
  assert.equal(done.status, 201, JSON.stringify(done.json))
  assert.deepEqual(
    (await api('GET', 'files')).items.map((item: any) => [item.name, item.size_bytes]),
    [['half.bin', 20 * piece.length]],
  )
})
