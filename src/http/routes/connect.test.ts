import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace()
})
after(() => served.close())

const ask = (query = '', more = {}) => served.ask('GET', `/api/connect${query}`, more)

test('every client is listed with the address of this instance and a placeholder for the key', async () => {
  const { status, json, text, headers } = await ask()
  assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'])
  const base = served.app.baseUrl
  assert.deepEqual(
    [json.base_url, json.mcp_url, json.sse_url, json.key_placeholder],
    [base, `${base}/mcp`, `${base}/sse`, 'svc_YOUR_KEY'],
  )
  assert.deepEqual(
    json.clients.map((client: { id: string }) => client.id),
    [
      'claude-code',
      'claude-desktop',
      'cursor',
      'vscode',
      'windsurf',
      'codex',
      'gemini-cli',
      'zed',
      'claude-ai',
      'chatgpt',
      'le-chat',
      'copilot-studio',
      'perplexity',
      'grok',
      'goose',
      'antigravity',
      'generic',
    ],
  )
  for (const { id, title, ways, notes } of json.clients) {
    assert.ok(title && ways.length > 0 && notes.length > 0, id)
    for (const { title, steps, contents } of ways)
      assert.ok(
        title &&
          steps.length > 0 &&
          contents.every((content: { kind: string }) =>
            ['command', 'file', 'values'].includes(content.kind),
          ),
        id,
      )
  }
  assert.ok(
    text.includes('svc_YOUR_KEY') &&
      !text.includes(served.bearer) &&
      !text.includes(served.bearer.slice(0, 16)),
  )
})

test('a selection is included in every address', async () => {
  const { json, text } = await ask('?client=cursor&preset=core&toolsets=tasks:ro,labels&readonly=1')
  assert.equal(
    json.mcp_url,
    `${served.app.baseUrl}/mcp?preset=core&toolsets=tasks:ro,labels&readonly=1`,
  )
  assert.deepEqual(
    json.clients.map((client: { id: string }) => client.id),
    ['cursor'],
  )
  assert.ok(text.includes(JSON.stringify(JSON.stringify(json.mcp_url)).slice(3, -3)))
})

test('the instructions require a key and can only be read', async () => {
  assert.equal((await ask('', { key: undefined })).status, 401)
  const { status, headers } = await served.ask('POST', '/api/connect', { body: {} })
  assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
  assert.equal((await served.ask('HEAD', '/api/connect')).status, 200)
})

test('an invalid query parameter is refused by name', async () => {
  const wrong = { client: 'emacs', preset: 'nope', toolsets: 'nope', readonly: 'maybe', keys: '1' }
  for (const [field, value] of Object.entries(wrong)) {
    const { status, json } = await ask(`?${field}=${value}`)
    assert.deepEqual([status, json.code, json.field], [400, 'invalid_argument', field])
  }
  assert.equal((await ask('?client=zed&client=cursor')).json.field, 'client')
})
