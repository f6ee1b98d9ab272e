import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { serveWorkspace } from '../../testing/server.ts'

test('only the owner of a held key and an administrator see the reason and can release it', async (t) => {
  const served = await serveWorkspace({ settings: { limits: true } })
  t.after(() => served.close())
  await givePasswords(served, served.ann, served.bob, served.carol, served.eve)
  const [ann, bob, carol, eve] = await Promise.all(
    ['ann@acme.test', 'bob@acme.test', 'carol@acme.test', 'eve@other.test'].map((email) =>
      new Browser(served).signIn(email),
    ),
  )
  const hold = async () => {
    const key = await served.keyFor(served.bob)
    const findingId = served.app.limits.findings.raise({
      rule: 'mass-read',
      key: { id: key.id, org_id: served.bob.actor.org_id, owner_id: served.bob.id },
      detail: { objects: 10_000 },
    })
    await served.app.store.writer.run(async () => {}) // waits until the finding is written
    return { key, findingId }
  }
  const { key, findingId: found } = await hold()
  assert.equal((await served.ask('GET', '/api/labels', { key: key.key })).status, 429)
  const [row] = (await bob!.get('/web/holds')).json.items
  assert.deepEqual(
    [row.id, row.rule, row.holds, row.key.id, row.detail],
    [found, 'mass-read', 'all', key.id, { objects: 10_000 }],
  )
  for (const other of [carol!, eve!]) {
    assert.deepEqual((await other.get('/web/holds')).json.items, [])
    assert.equal((await other.post(`/web/holds/${found}/release`)).status, 404)
  }
  assert.equal((await bob!.post(`/web/holds/${found}/release`)).status, 200)
  assert.equal((await served.ask('GET', '/api/labels', { key: key.key })).status, 200)
  const logged = served.app.store.raw.read
    .prepare(
      "SELECT request_id, details_json FROM calls WHERE tool = 'release_hold' AND status = 'ok'",
    )
    .all() as { request_id: string; details_json: string }[]
  const { route, ip, session } = JSON.parse(logged[0]!.details_json) as Record<string, string>
  assert.deepEqual(
    [logged.length, route, ip, session],
    [
      1,
      'POST /web/holds/{id}/release',
      '127.0.0.1',
      (await bob!.get('/web/session')).json.session.id,
    ],
    'the entry has the address and the session',
  )
  assert.equal((await bob!.post(`/web/holds/${found}/release`)).status, 409)
  assert.deepEqual((await bob!.get('/web/holds')).json.items, [])
  assert.equal((await bob!.get('/web/holds?open=false')).json.items.length, 1)
  const second = await hold()
  assert.equal((await ann!.get('/web/holds')).json.items.length, 1)
  assert.equal((await ann!.post(`/web/holds/${second.findingId}/release`)).status, 200)
})
