import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readFileSync } from 'node:fs'
import { hintsOf } from '../src/operations/catalogue.ts'
import { allResources } from '../src/records/resource.ts'
import { serveWorkspace, type ServedWorkspace } from '../src/testing/server.ts'
import { Browser, givePasswords } from '../src/testing/browser.ts'

// Tests that a key with held outbound calls cannot change what people outside see (drive links, published pages, public
// forms, the status page):
// such calls wait, whichever operation is used, and only what was requested is released.

let served: ServedWorkspace
let owner: Browser
let heldKey: string
before(async () => {
  served = await serveWorkspace()
  await givePasswords(served, served.bob)
  owner = await new Browser(served).signIn('bob@acme.test')
  heldKey = (await served.keyFor(served.bob, { name: 'helper', holdOutbound: true })).key
})
after(() => served.close())

const make = (tool: string, args: Record<string, unknown> = {}) => served.bob.call(tool, args)
const ask = (method: string, path: string, body?: unknown) =>
  served.ask(method, path, { key: heldKey, ...(body === undefined ? {} : { body }) })
const seen = async (address: string) => (await fetch(served.url + new URL(address).pathname)).text()
const release = (id: string, body: object = {}) => owner.post(`/web/approvals/${id}/release`, body)
const waiting = async () =>
  (await owner.get('/web/approvals?limit=200')).json.items as Record<string, any>[]

async function linkedFolder() {
  const folder = await make('create_folder', { name: `Shared ${Math.random()}` })
  const file = await make('upload_file', {
    name: 'prices.txt',
    content_text: 'first',
    folder_id: folder.id,
  })
  await make('update_file_content', { file_id: file.id, content_text: 'second' })
  const versions = (await make('list_file_versions', { file_id: file.id })).items as {
    id: string
  }[]
  const { link_url } = await make('create_share_link', { file_id: folder.id })
  const shareLink = await make('create_share_link', { file_id: file.id })
  const content = async () =>
    (await fetch(`${served.url}${new URL(link_url).pathname}/${file.id}`)).text()
  return { folder, file, versions, link_url, own: shareLink.link_url as string, content }
}

test('a file shared by a link is not changed until a person approves it', async () => {
  const { folder, file, versions, link_url, own, content } = await linkedFolder()
  const before = [await seen(link_url), await seen(own), await content()]
  const calls: [string, string, unknown?][] = [
    ['PUT', `/api/files/${file.id}/content`, { content_text: 'third' }],
    ['PATCH', `/api/files/${file.id}`, { name: 'secret.txt' }],
    ['PATCH', `/api/files/${folder.id}`, { name: 'Secret' }],
    ['POST', `/api/files/${file.id}/versions/${versions.at(-1)!.id}/restore`, {}],
    ['DELETE', `/api/files/${file.id}`],
  ]
  for (const [method, path, body] of calls) {
    const got = await ask(method, path, body)
    assert.deepEqual(
      [got.status, got.json.code],
      [409, 'approval_required'],
      `${method} ${path}: ${got.text}`,
    )
    assert.match(got.json.message, /changes what outsiders can see/)
  }
  assert.deepEqual([await seen(link_url), await seen(own), await content()], before)
  const unseen = await ask('PATCH', `/api/files/${file.id}`, {
    description: 'for us',
    starred: true,
  })
  assert.equal(unseen.status, 200, 'what visitors do not see is changed at once')
  const put = await ask('PUT', `/api/files/${file.id}/content`, { content_text: 'third' })
  assert.equal(
    (
      await release(put.json.approval_id, {
        items_version: (await waiting()).find((item) => item.id === put.json.approval_id)!
          .items_version,
      })
    ).status,
    200,
  )
  assert.equal(await content(), 'third')
})

test('an upload session publishes nothing to people outside', async () => {
  const { folder, link_url } = await linkedFolder()
  const refused = await ask('POST', '/api/upload-sessions', {
    folder_id: folder.id,
    name: 'a.bin',
    size_bytes: 3,
  })
  assert.deepEqual([refused.status, refused.json.code], [409, 'conflict'])
  const later = await make('create_folder', { name: 'Later shared' })
  const session = await ask('POST', '/api/upload-sessions', {
    folder_id: later.id,
    name: 'a.bin',
    size_bytes: 3,
  })
  assert.equal(session.status, 201)
  const { link_url: newer } = await make('create_share_link', { file_id: later.id })
  const before = [await seen(newer), await seen(link_url)]
  const put = await fetch(session.json.upload_url.replace(served.app.baseUrl, served.url), {
    method: 'PUT',
    body: 'abc',
  })
  assert.deepEqual(
    [put.status, ((await put.json()) as { code: string }).code],
    [409, 'approval_required'],
  )
  assert.deepEqual([await seen(newer), await seen(link_url)], before)
})

test('undo and restore change nothing outside either', async () => {
  const { file, folder, link_url, content } = await linkedFolder()
  const by = { key: { ...(await served.key(served.bob, { hold_outbound: true })) } }
  const put = await make('update_file_content', { file_id: file.id, content_text: 'by hand' })
  assert.ok(put)
  const open = { key: await served.key(served.bob) }
  await served.bob.call('update_file_content', { file_id: file.id, content_text: 'by a key' }, open)
  const [last] = (
    await served.bob.call('list_api_calls', { tool: 'update_file_content', limit: 1 }, open)
  ).items
  await assert.rejects(served.bob.call('undo_api_call', { call_id: last.id }, by), {
    code: 'approval_required',
  })
  assert.equal(await content(), 'by a key')
  await make('trash_file', { file_id: file.id })
  const missingPage = await seen(link_url)
  await assert.rejects(served.bob.call('restore_item', { item_id: file.id }, by), {
    code: 'approval_required',
  })
  await assert.rejects(served.bob.call('trash_file', { file_id: folder.id }, by), {
    code: 'approval_required',
  })
  assert.equal(await seen(link_url), missingPage)
})

test('changes made while a call was pending are shown at approval, which is refused until the owner has seen them', async () => {
  const page = await make('create_page', { title: 'Plans', body_markdown: 'as asked' })
  const refusal = await ask('PUT', `/api/pages/${page.id}/publication`, {})
  const id = refusal.json.approval_id as string
  const [first] = (await waiting()).filter((item) => item.id === id)
  assert.equal(first!.changes, undefined)
  assert.equal(
    (await ask('PATCH', `/api/pages/${page.id}`, { body_markdown: 'changed' })).status,
    200,
  )
  const refused = await release(id)
  assert.deepEqual([refused.status, refused.json.code], [409, 'conflict'])
  assert.deepEqual(refused.json.changes, [
    { type: 'page', id: page.id, title: 'Plans', change: 'changed' },
  ])
  assert.equal(
    (await release(id, { items_version: first!.items_version })).status,
    409,
    'what they saw is not what is there',
  )
  const [now] = (await waiting()).filter((item) => item.id === id)
  assert.deepEqual([now!.changes.length, now!.items_version], [1, refused.json.items_version])
  const got = await release(id, { items_version: now!.items_version })
  assert.equal(got.status, 200, got.text)
  assert.match(await seen(got.json.result.public_url), /changed/)
})

test('subpages, files in a folder and a form are compared with the request, too', async () => {
  const page = await make('create_page', { title: 'Handbook', body_markdown: 'text' })
  const below = await ask('PUT', `/api/pages/${page.id}/publication`, { include_children: true })
  assert.equal(
    (await ask('POST', '/api/pages', { title: 'Secret', body_markdown: 'x', parent_id: page.id }))
      .status,
    201,
  )
  const folder = await make('create_folder', { name: 'For customers' })
  const link = await ask('POST', `/api/files/${folder.id}/share-links`, {})
  assert.equal(
    (
      await ask('POST', '/api/files', {
        name: 'secret.txt',
        content_text: 'x',
        folder_id: folder.id,
      })
    ).status,
    201,
  )
  const form = await make('create_form', {
    title: 'Survey',
    fields: [{ id: 'q', label: 'Q', type: 'short_text' }],
  })
  const publish = await ask('POST', `/api/forms/${form.id}/publish`, { audience: 'public' })
  assert.equal(
    (await ask('PATCH', `/api/forms/${form.id}`, { title: 'Your password, please' })).status,
    200,
  )
  for (const [{ json }, title, change] of [
    [below, 'Secret', 'added'],
    [link, 'secret.txt', 'added'],
    [publish, 'Your password, please', 'changed'],
  ] as const) {
    const got = await release(json.approval_id)
    assert.equal(got.status, 409, got.text)
    assert.deepEqual(
      got.json.changes.map((item: Record<string, string>) => [item.title, item.change]),
      [[title, change]],
    )
  }
})

test('approving the undo of a revoked share is refused if the folder content has changed', async () => {
  const { folder } = await linkedFolder()
  const open = { key: await served.key(served.bob) }
  const shares = (await served.bob.call('get_file', { file_id: folder.id })).shares as {
    id: string
    kind: string
  }[]
  for (const share of shares) await served.bob.call('revoke_share', { share_id: share.id }, open)
  const [last] = (await served.bob.call('list_api_calls', { tool: 'revoke_share', limit: 1 }, open))
    .items
  const undo = await ask('POST', `/api/api-calls/${last.id}/undo`, {})
  assert.equal(undo.json.code, 'approval_required', undo.text)
  await ask('POST', '/api/files', { name: 'secret.txt', content_text: 'x', folder_id: folder.id })
  assert.equal((await release(undo.json.approval_id)).status, 409)
})

test('a key reads the status of its approvals, the reason of a denial and the result', async () => {
  const page = await make('create_page', { title: 'Ask', body_markdown: 'text' })
  const refusal = await ask('PUT', `/api/pages/${page.id}/publication`, {})
  assert.deepEqual(refusal.json.next, {
    tool: 'get_approval',
    arguments: { approval_id: refusal.json.approval_id },
  })
  const path = `/api/approvals/${refusal.json.approval_id}`
  const stands = await ask('GET', path)
  assert.deepEqual(
    [
      stands.status,
      stands.json.status,
      stands.json.tool,
      stands.json.waits_for,
      stands.json.reason,
    ],
    [200, 'pending', 'publish_page', 'Bob', undefined],
  )
  const other = (await served.keyFor(served.bob, { name: 'other' })).key
  assert.equal(
    (await served.ask('GET', path, { key: other })).status,
    404,
    'another key of the same person',
  )
  assert.equal((await served.ask('GET', path)).status, 404, 'another person')
  const denied = await owner.post(`/web/approvals/${refusal.json.approval_id}/deny`, {
    reason: 'Not before the launch.',
  })
  assert.deepEqual([denied.status, denied.json.reason], [200, 'Not before the launch.'])
  assert.deepEqual(
    [(await ask('GET', path)).json.status, (await ask('GET', path)).json.reason],
    ['denied', 'Not before the launch.'],
  )
  const next = await ask('PUT', `/api/pages/${page.id}/publication`, {})
  assert.deepEqual(
    [next.status, next.json.code, next.json.reason],
    [403, 'permission_denied', 'Not before the launch.'],
  )
  served.clock.pass(61 * 60_000)
  const again = await ask('PUT', `/api/pages/${page.id}/publication`, {})
  await release(again.json.approval_id)
  const got = (await ask('GET', `/api/approvals/${again.json.approval_id}`)).json
  assert.deepEqual([got.status, got.result.page.id], ['released', page.id])
  const list = (await ask('GET', '/api/approvals?limit=2')).json
  assert.deepEqual(
    list.items.map((item: { id: string }) => item.id),
    [again.json.approval_id, refusal.json.approval_id],
  )
  assert.ok(
    (await ask('GET', '/api/approvals?status=denied')).json.items.every(
      (item: { status: string }) => item.status === 'denied',
    ),
  )
})

/** The names in the first column of a table of docs/security.md. */
function listedIn(table: string): string[] {
  const text = readFileSync(new URL('../docs/security.md', import.meta.url), 'utf8')
  const rows = text.split(`<!-- outside: ${table} -->\n`)[1]!.split('\n\n')[0]!.split('\n').slice(2)
  return rows
    .flatMap((row) =>
      row
        .split('|')[1]!
        .split(',')
        .map((name) => name.replaceAll('`', '').trim()),
    )
    .sort()
}

test('the tables of outbound operations and items match the catalogue', () => {
  const { modules } = served.app.catalogue
  const all = modules.flatMap((module) => module.operations)
  const reaching = all.filter(
    ({ outbound, outboundLater: opensLater, fetch: bring, prepare: beforehand, name }) =>
      outbound !== undefined || opensLater || bring || (beforehand && name !== 'import_pages'),
  )
  assert.deepEqual(listedIn('operations'), reaching.map(({ name }) => name).sort())
  assert.deepEqual(
    listedIn('items'),
    allResources()
      .filter(({ definition: { outside, isOutbound: sends } }) => outside || sends)
      .map((resource) => resource.definition.type)
      .sort(),
  )
  assert.deepEqual(
    listedIn('addresses'),
    modules
      .flatMap((module) => module.places ?? [])
      .map((place) => place.path)
      .sort(),
  )
})

test('outbound tools declare it to hosts, including scheduled mail and enabled automations', () => {
  const hints = (name: string) =>
    hintsOf(served.app.catalogue.requireEntry(name).operation).openWorldHint
  assert.deepEqual(
    [hints('schedule_email'), hints('send_email'), hints('create_task')],
    [true, true, false],
  )
  assert.deepEqual([hints('enable_automation'), hints('run_automation')], [true, true])
  assert.deepEqual(
    [hints('create_automation'), hints('update_automation')],
    [false, false],
    'what they make is disabled',
  )
})

test('an idempotency key is scoped to the API key that sent it', async () => {
  const other = (await served.keyFor(served.bob, { name: 'other integration' })).key
  const post = (key: string, name: string) =>
    served.ask('POST', '/api/companies', {
      key,
      body: { name },
      headers: { 'idempotency-key': '1' },
    })
  const first = await post(heldKey, 'First')
  const second = await post(other, 'Second')
  assert.deepEqual(
    [first.status, second.status, second.json.name],
    [201, 201, 'Second'],
    second.text,
  )
  assert.equal((await post(heldKey, 'First')).json.id, first.json.id)
  assert.equal((await post(heldKey, 'Third')).status, 422)
})

test('an existing label is answered with 200 and marked as existing', async () => {
  const first = await ask('POST', '/api/labels', { name: 'Twice', description: 'one' })
  const again = await ask('POST', '/api/labels', { name: 'twice', description: 'two' })
  assert.deepEqual([first.status, first.json.existing], [201, undefined])
  assert.deepEqual(
    [again.status, again.json.existing, again.json.id, again.json.description],
    [200, true, first.json.id, 'one'],
  )
})

test('requests that name no operation have one call log entry each', async () => {
  const entries = () =>
    served.app.store.raw.read
      .prepare("SELECT details_json ->> '$.route' FROM calls WHERE tool = 'unknown' ORDER BY seq")
      .pluck()
      .all() as string[]
  const before = entries().length
  const rpc = (method: string) =>
    served.ask('POST', '/mcp', {
      key: heldKey,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method, params: {} },
    })
  assert.equal((await ask('GET', '/api/no-such-thing')).status, 404)
  assert.equal((await ask('DELETE', '/api/labels')).status, 405)
  assert.equal((await rpc('tools/list')).status, 200)
  assert.match((await rpc('no/such')).text, /"error"/)
  assert.deepEqual(entries().slice(before), [
    'GET /api',
    'DELETE /api',
    'tools/list',
    'unknown method',
  ])
})

test('a name with a line break or a direction override is refused', async () => {
  for (const name of ['a\r\nb', 'invoice\u202egpj.exe', 'a\u2066b']) {
    const got = await ask('POST', '/api/labels', { name })
    assert.deepEqual(
      [got.status, got.json.code, got.json.field],
      [400, 'invalid_argument', 'name'],
      JSON.stringify(name),
    )
  }
  assert.equal((await ask('POST', '/api/labels', { name: 'שלום Grüße 👩🏽‍🚀' })).status, 201)
})
