import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { Queue } from '../../../jobs/queue.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'

let workspace: ServedWorkspace
before(async () => {
  workspace = await serveWorkspace()
})
after(() => workspace.close())

test('the reason why a document is unreadable is in the response with its content', async () => {
  const { key } = await workspace.keyFor(workspace.ann, { name: 'reads documents' })
  const read = async (name: string, bytes: Uint8Array) => {
    const uploaded = await workspace.ask('POST', '/api/files', {
      key,
      body: { name, content_base64: Buffer.from(bytes).toString('base64') },
    })
    assert.equal(uploaded.status, 201, uploaded.text)
    await new Queue(workspace.app).drain()
    return (await workspace.ask('GET', `/api/files/${uploaded.json.id}/content`, { key })).json
  }
  assert.match(
    (await read('empty.docx', zipSync({ 'a.txt': strToU8('x') }))).note,
    /not a Word document/,
  )
  assert.match((await read('broken.pdf', Buffer.from('%PDF-1.4 broken'))).note, /could not be read/)
})
