import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { partialUploads } from '../../../files/partial-blobs.ts'
import { Queue } from '../../../jobs/queue.ts'
import { minute, type Someone } from '../../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'
import { putPieces } from './testing.ts'
import { sendInterrupted, offsetOf, patch, sha256Of, headUpload } from './testing/parts.ts'

let workspace: ServedWorkspace
let ann: Someone
before(async () => {
  workspace = await serveWorkspace()
  workspace.app.baseUrl = workspace.url
  ann = workspace.ann
})
after(() => workspace.close())

const announce = (bytes: Buffer, more: object = {}): Promise<any> =>
  ann.call('create_upload_session', { name: 'parts.bin', size_bytes: bytes.length, ...more })

test('a file interrupted five times resumes and arrives complete, as one call', async () => {
  const bytes = randomBytes(12 * 2 ** 20)
  const { upload_url } = await announce(bytes, { sha256: sha256Of(bytes) })
  const offsets = [await offsetOf(upload_url)]
  for (let attempt = 1; attempt <= 5; attempt++) {
    await sendInterrupted(upload_url, bytes, offsets.at(-1)!, attempt * 2 * 2 ** 20)
    offsets.push(await offsetOf(upload_url))
  }
  assert.ok(
    offsets.every((offset, n) => n === 0 || offset > offsets[n - 1]!),
    String(offsets),
  )
  const from = offsets.at(-1)!
  const completed = await patch(upload_url, from, bytes.subarray(from))
  assert.deepEqual([completed.status, completed.json.sha256], [201, sha256Of(bytes)])
  assert.equal(completed.headers.get('upload-offset'), String(bytes.length))
  const { download_url } = await ann.call('get_file_content', { file_id: completed.json.file_id })
  const downloaded = Buffer.from(await (await fetch(download_url)).arrayBuffer())
  assert.ok(downloaded.equals(bytes))
  assert.deepEqual(partialUploads(workspace.dataDir), [])
  const again = await patch(upload_url, bytes.length, Buffer.alloc(0))
  assert.deepEqual([again.status, again.json.file_id], [200, completed.json.file_id])
  assert.equal(await offsetOf(upload_url), bytes.length)
})

test('a part is accepted only at the current offset, in the expected format, and with a matching checksum', async () => {
  const bytes = Buffer.from('in two parts')
  const { upload_url } = await announce(bytes)
  const first = bytes.subarray(0, 6)
  const misplaced = await patch(upload_url, 3, first)
  assert.deepEqual([misplaced.status, misplaced.json.upload_offset], [409, 0])
  assert.equal((await patch(upload_url, 0, first, { 'content-type': 'text/plain' })).status, 415)
  const checksum = (bytes: Buffer) => ({
    'upload-checksum': `sha256 ${createHash('sha256').update(bytes).digest('base64')}`,
  })
  assert.equal((await patch(upload_url, 0, first, checksum(bytes))).status, 400)
  assert.equal((await patch(upload_url, 0, first, { 'upload-checksum': 'md5 x' })).status, 400)
  assert.equal(await offsetOf(upload_url), 0)
  const firstPart = await patch(upload_url, 0, first, checksum(first))
  assert.deepEqual([firstPart.status, firstPart.headers.get('upload-offset')], [204, '6'])
  assert.equal((await patch(upload_url, 6, bytes)).status, 413)
  assert.equal(await offsetOf(upload_url), 6)
  const rest = bytes.subarray(6)
  assert.equal((await patch(upload_url, 6, rest, checksum(rest))).json.sha256, sha256Of(bytes))
})

test('a file that differs from its announcement is refused as a whole and starts over', async () => {
  const bytes = Buffer.from('announced')
  const { upload_url } = await announce(bytes, { sha256: sha256Of(bytes) })
  assert.equal((await patch(upload_url, 0, Buffer.from('Announced'))).status, 400)
  assert.equal(await offsetOf(upload_url), 0)
  assert.equal((await patch(upload_url, 0, bytes)).status, 201)
})

test('an upload idle for a day continues; one idle longer, or cancelled, is gone', async () => {
  const bytes = Buffer.from('slow but sure')
  const slow = (await announce(bytes)).upload_url
  const abandoned = (await announce(bytes)).upload_url
  const cancelled = (await announce(bytes)).upload_url
  for (const url of [slow, abandoned, cancelled])
    assert.equal((await patch(url, 0, bytes.subarray(0, 4))).status, 204)
  assert.equal((await fetch(cancelled, { method: 'DELETE' })).status, 204)
  assert.equal((await headUpload(cancelled)).status, 409)
  assert.equal(partialUploads(workspace.dataDir).length, 2)
  workspace.clock.wait(23 * 60 * minute)
  assert.equal((await patch(slow, 4, bytes.subarray(4, 8))).status, 204)
  workspace.clock.wait(23 * 60 * minute)
  assert.equal((await patch(abandoned, 4, bytes.subarray(4))).status, 409)
  await workspace.app.jobs.add(
    workspace.app.store.write,
    workspace.clock.now(),
    'sweep_contents',
    {},
    undefined,
  )
  await new Queue(workspace.app).drain()
  assert.equal(partialUploads(workspace.dataDir).length, 1)
  assert.equal((await patch(slow, 8, bytes.subarray(8))).json.sha256, sha256Of(bytes))
})

test('without its address an upload cannot be read or continued, and rights and storage are checked again at its end', async () => {
  const bytes = Buffer.from('for Ann’s eyes')
  const folder = await ann.call('create_folder', { name: 'Lent' })
  const share = await ann.call('share_file', {
    file_id: folder.id,
    person_id: workspace.bob.id,
    role: 'editor',
  })
  const { upload_url, id } = await workspace.bob.call('create_upload_session', {
    name: 'lent.bin',
    size_bytes: bytes.length,
    folder_id: folder.id,
  })
  const guessed = `${workspace.url}/uploads/${id}${'x'.repeat(40)}`
  assert.equal((await headUpload(guessed)).status, 404)
  assert.equal((await patch(guessed, 0, bytes)).status, 404)
  assert.equal((await fetch(guessed, { method: 'DELETE' })).status, 404)
  assert.equal((await fetch(upload_url)).status, 404)
  assert.equal((await patch(upload_url, 0, bytes.subarray(0, 5))).status, 204)
  await ann.call('revoke_share', { share_id: share.id })
  assert.equal((await patch(upload_url, 5, bytes.subarray(5))).status, 404)
  assert.equal(await offsetOf(upload_url), bytes.length)
  await ann.call('share_file', { file_id: folder.id, person_id: workspace.bob.id, role: 'editor' })
  const completed = await patch(upload_url, bytes.length, Buffer.alloc(0))
  assert.deepEqual([completed.status, completed.json.sha256], [201, sha256Of(bytes)])
  assert.equal((await putPieces(upload_url, [bytes])).status, 409)
})
