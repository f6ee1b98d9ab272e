import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, utimesSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { blobPath, blobSize, storedBlobs } from '../../../files/blobs.ts'
import { minute, type Someone } from '../../../testing/harness.ts'
import { Queue } from '../../../jobs/queue.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'
import { putPieces } from './testing.ts'

let workspace: ServedWorkspace
let ann: Someone
let bob: Someone

before(async () => {
  workspace = await serveWorkspace()
  workspace.app.baseUrl = workspace.url
  ;({ ann, bob } = workspace)
})
after(() => workspace.close())

const drafts = () => readdirSync(join(workspace.dataDir, 'blobs', 'incoming'))

test('a file is uploaded once to its own address without a key and must match the announcement', async () => {
  const bytes = Buffer.from('streamed in pieces')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const session = await ann.call('create_upload_session', {
    name: 'movie.mp4',
    size_bytes: bytes.length,
    sha256,
  })
  assert.deepEqual(
    [session.method, session.max_bytes, session.status],
    ['PUT', bytes.length, 'open'],
  )
  assert.equal((await putPieces(session.upload_url, [Buffer.from('too short')])).status, 400)
  assert.equal(
    (await putPieces(session.upload_url, [Buffer.from('streamed in pieceS')])).json.sha256 !==
      sha256,
    true,
  )
  assert.equal((await putPieces(session.upload_url, [bytes, bytes])).status, 413)
  assert.deepEqual(drafts(), [])
  const done = await putPieces(session.upload_url, [bytes.subarray(0, 5), bytes.subarray(5)])
  assert.deepEqual([done.status, done.json.sha256, done.json.name], [201, sha256, 'movie.mp4'])
  const row = await ann.call('get_file', { file_id: done.json.file_id })
  assert.deepEqual(
    [row.type, row.size_bytes, row.created_via, row.owner.title],
    ['video', bytes.length, 'api', 'Ann'],
  )
  assert.equal((await putPieces(session.upload_url, [bytes])).status, 409)
  assert.equal((await putPieces(`${workspace.url}/uploads/${'x'.repeat(58)}`, [bytes])).status, 404)
})

test('an upload address expires after an hour, or with the right to the folder', async () => {
  const late = await ann.call('create_upload_session', { name: 'late', size_bytes: 1 })
  workspace.clock.wait(61 * minute)
  assert.equal((await putPieces(late.upload_url, [Buffer.from('x')])).status, 409)
  const folder = await ann.call('create_folder', { name: 'For a while' })
  const share = await ann.call('share_file', {
    file_id: folder.id,
    person_id: bob.id,
    role: 'editor',
  })
  const session = await bob.call('create_upload_session', {
    name: 'his.bin',
    size_bytes: 1,
    folder_id: folder.id,
  })
  await ann.call('revoke_share', { share_id: share.id })
  assert.equal((await putPieces(session.upload_url, [Buffer.from('x')])).status, 404)
})

test('a download is an attachment, expires after ten minutes, and follows its owner’s current access', async () => {
  const row = await ann.call('upload_file', {
    name: 'page.html',
    content_text: '<script>alert(1)</script>',
  })
  await ann.call('share_file', { file_id: row.id, person_id: bob.id, role: 'viewer' })
  const { download_url } = await bob.call('get_file_content', { file_id: row.id, format: 'link' })
  const answer = await fetch(download_url)
  assert.deepEqual(
    [answer.status, answer.headers.get('x-content-type-options'), await answer.text()],
    [200, 'nosniff', '<script>alert(1)</script>'],
  )
  assert.match(answer.headers.get('content-disposition')!, /^attachment; filename="page.html"/)
  assert.match(answer.headers.get('content-security-policy')!, /sandbox/)
  await ann.call('revoke_share', {
    share_id: (await ann.call('get_file', { file_id: row.id })).shares[0].id,
  })
  assert.equal((await fetch(download_url)).status, 404)
  const ownUrl = (await ann.call('get_file_content', { file_id: row.id, format: 'link' }))
    .download_url as string
  assert.equal((await fetch(ownUrl, { method: 'HEAD' })).headers.get('content-length'), '25')
  workspace.clock.wait(11 * minute)
  assert.equal((await fetch(ownUrl)).status, 404)
  const direct = await workspace.ask('GET', `/files/${row.id}`)
  assert.deepEqual([direct.status, direct.text], [200, '<script>alert(1)</script>'])
})

test('a link works without an account until it is revoked, and is closed to search engines', async () => {
  const row = await ann.call('upload_file', { name: 'for all <b>.txt', content_text: 'public' })
  const share = await ann.call('create_share_link', { file_id: row.id })
  const page = await fetch(share.link_url)
  const html = await page.text()
  assert.deepEqual([page.status, page.headers.get('x-robots-tag')], [200, 'noindex, nofollow'])
  assert.ok(html.includes('for all &#60;b&#62;.txt') && html.includes('6 bytes'))
  const file = await fetch(`${share.link_url}/${row.id}`)
  assert.deepEqual(
    [
      file.status,
      await file.text(),
      file.headers.get('content-disposition')?.startsWith('attachment'),
    ],
    [200, 'public', true],
  )
  const other = await ann.call('upload_file', { name: 'other.txt', content_text: 'not shared' })
  assert.equal((await fetch(`${share.link_url}/${other.id}`)).status, 404)
  assert.equal((await ann.call('get_file', { file_id: row.id })).shares[0].link_url, undefined)
  await ann.call('revoke_share', { share_id: share.id })
  assert.deepEqual(
    [(await fetch(share.link_url)).status, (await fetch(`${share.link_url}/${row.id}`)).status],
    [404, 404],
  )
  const short = await ann.call('create_share_link', {
    file_id: row.id,
    expires_at: new Date(workspace.clock.now() + minute).toISOString(),
  })
  workspace.clock.wait(2 * minute)
  assert.equal((await fetch(short.link_url)).status, 404)
})

test('a link to a folder shows its current tree, and with a password nothing without it', async () => {
  const folder = await ann.call('create_folder', { name: 'Shown' })
  const below = await ann.call('create_folder', { name: 'Deep', parent_id: folder.id })
  const row = await ann.call('upload_file', {
    name: 'in.txt',
    content_text: 'deep text',
    folder_id: below.id,
  })
  const open = await ann.call('create_share_link', { file_id: folder.id })
  assert.ok((await (await fetch(open.link_url)).text()).includes('Deep/in.txt'))
  const { link_url, has_password, id } = await ann.call('create_share_link', {
    file_id: folder.id,
    password: 'open sesame',
  })
  assert.equal(has_password, true)
  const locked = await (await fetch(link_url)).text()
  assert.ok(!locked.includes('Shown') && !locked.includes('in.txt'))
  assert.equal((await fetch(`${link_url}/${row.id}`)).status, 404)
  const send = (form: Record<string, string>) =>
    fetch(link_url, { method: 'POST', body: new URLSearchParams(form) })
  assert.equal((await send({ password: 'wrong', file: row.id })).status, 403)
  assert.ok((await (await send({ password: 'open sesame' })).text()).includes('Deep/in.txt'))
  assert.equal(await (await send({ password: 'open sesame', file: row.id })).text(), 'deep text')
  for (let n = 0; n < 30; n++) await send({ password: `wrong ${n}` })
  assert.equal((await send({ password: 'open sesame', file: row.id })).status, 429)
  workspace.clock.wait(16 * minute)
  assert.equal((await send({ password: 'open sesame', file: row.id })).status, 200)
  const stored = workspace.app.store.raw.read
    .prepare('SELECT password_hash FROM file_shares WHERE id = ?')
    .pluck()
    .get(id) as string
  assert.match(stored, /^\$argon2id\$/)
})

test('fetching from a URL passes the outbound guard, and the content counts as external', async (t) => {
  const server = createServer((request, answer) => {
    if (request.url === '/moved') return void answer.writeHead(302, { location: '/text' }).end()
    if (request.url === '/inward')
      return void answer.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
    if (request.url === '/large') return void answer.end(Buffer.alloc(2 * 2 ** 20))
    answer
      .writeHead(request.url === '/text' ? 200 : 404, {
        'content-type': 'text/plain; charset=utf-8',
      })
      .end('from outside')
  })
  await new Promise<void>((go) => server.listen(0, '127.0.0.1', go))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const allowedWorkspace = await serveWorkspace({
    settings: { outbound_allow: `127.0.0.1:${port}`, drive_url_megabytes: 1 },
  })
  t.after(() => allowedWorkspace.close())
  const fromUrl = (path: string) => ({ name: 'web', source_url: `http://127.0.0.1:${port}${path}` })
  const row = await allowedWorkspace.ann.call('upload_file', fromUrl('/moved'))
  assert.deepEqual(
    [
      row.mime_type,
      (await allowedWorkspace.ann.call('get_file_content', { file_id: row.id })).content,
    ],
    ['text/plain', { text: 'from outside', trust: 'external', source: 'web' }],
  )
  assert.equal(
    (await allowedWorkspace.ann.refused('upload_file', fromUrl('/inward'))).code,
    'blocked_address',
  )
  assert.equal(
    (await allowedWorkspace.ann.refused('upload_file', fromUrl('/large'))).code,
    'too_large',
  )
  assert.equal(
    (await allowedWorkspace.ann.refused('upload_file', fromUrl('/nothing'))).code,
    'provider_error',
  )
  assert.equal((await ann.refused('upload_file', fromUrl('/text'))).code, 'blocked_address')
})

test('only unreferenced contents are swept', async () => {
  const row = await ann.call('upload_file', { name: 'swept.txt', content_text: 'to be swept' })
  const keptFile = await ann.call('upload_file', { name: 'stays.txt', content_text: 'to be kept' })
  const [one] = (await ann.call('list_file_versions', { file_id: row.id })).items
  const [two] = (await ann.call('list_file_versions', { file_id: keptFile.id })).items
  const { write } = workspace.app.store
  await write.deleteFrom('files').where('id', '=', row.id).execute()
  const old = new Date(Date.now() - 2 * 60 * minute)
  for (const { sha256 } of storedBlobs(workspace.dataDir))
    utimesSync(blobPath(workspace.dataDir, sha256), old, old)
  await workspace.app.jobs.add(write, workspace.clock.now(), 'sweep_contents', {}, undefined)
  await new Queue(workspace.app).drain()
  assert.deepEqual(
    [blobSize(workspace.dataDir, one.sha256), blobSize(workspace.dataDir, two.sha256)],
    [undefined, 10],
  )
})
