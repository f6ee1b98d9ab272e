import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayLong, hour, minute } from '../../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'
import { runTick } from '../../../operations/jobs/system.ts'
import { maintenanceTick } from './maintenance.ts'

let workspace: ServedWorkspace
const secret = 'zyxsecret'

before(async () => {
  workspace = await serveWorkspace()
})
after(() => workspace.close())

const visit = (path: string, headers: Record<string, string> = {}) =>
  workspace.ask('GET', path, { key: undefined, headers })
const publish = (args: Record<string, unknown>) =>
  workspace.bob.call('publish_status_update', {
    body_markdown: 'We look into it.',
    state: 'investigating',
    ...args,
  })
const iso = (hours: number) => new Date(workspace.clock.at + hours * hour).toISOString()

test('an organization that has published nothing gets the same 404 as one that does not exist', async () => {
  await workspace.ann.call('create_service', { name: `${secret} ledger` })
  for (const path of [
    '/status',
    '/status/feed.atom',
    '/status/feed.rss',
    '/status/acme',
    '/status/nobody',
    '/status/../etc',
  ]) {
    const response = await visit(path)
    assert.deepEqual([response.status, response.text.includes('Acme')], [404, false], path)
  }
})

test('the page shows public services and current, planned and past updates, but no incidents or other services', async () => {
  const { ann, bob, clock } = workspace
  await ann.call('create_service', {
    name: 'API & <Web>',
    description: 'For "shops"',
    public: true,
  })
  await ann.call('create_service', { name: 'Mail', public: true })
  const incident = await ann.call('create_incident', {
    title: `${secret} breach`,
    severity: 'sev1',
    summary_markdown: secret,
    lead_id: bob.id,
    restricted: true,
  })
  clock.pass(2 * dayLong)
  await publish({
    title: 'Old <b>trouble</b>',
    service_states: { Mail: 'major_outage', [`${secret} ledger`]: 'degraded' },
  })
  clock.pass(3 * hour)
  await publish({
    title: 'Old <b>trouble</b>',
    state: 'resolved',
    body_markdown:
      '# Done\n\n### Deep\n\n- [x] fixed <script>alert(1)</script>\n- [ ] told\n\n![](https://example.test/x.png) <img src="https://example.test/y.png"> [a](javascript:alert(1))\n\n| a | b |\n| - | - |\n| 1 | 2 |',
  })
  clock.pass(dayLong)
  await publish({
    title: 'Logins fail',
    incident_id: incident.id,
    service_states: { 'API & <Web>': 'partial_outage' },
  })
  clock.pass(30 * minute)
  await publish({
    title: 'Logins fail',
    incident_id: incident.id,
    state: 'identified',
    body_markdown: 'It is the *cache*.',
  })
  await publish({
    title: 'Move',
    state: 'maintenance',
    service_states: { Mail: 'maintenance' },
    starts_at: iso(5),
    ends_at: iso(6),
  })
  const response = await visit('/status')
  assert.equal(response.status, 200)
  const { text } = response
  for (const part of [
    'Acme status',
    'There is a partial outage',
    'API &#38; &#60;Web&#62;',
    'For &#34;shops&#34;',
    'Logins fail',
    'Investigating',
    'Identified',
    '<em>cache</em>',
    'Planned maintenance',
    'Move',
    'Old &#60;b&#62;trouble&#60;/b&#62;',
    '<h4 id=',
    '<h5 id=',
    '☑',
    '☐',
    'Major outage, 180 minutes',
    'feed.atom',
  ])
    assert.ok(text.includes(part), part)
  for (const hidden of [
    '<img',
    secret,
    incident.key,
    incident.id,
    incident.channel.id,
    '<script',
    'javascript:',
    'ledger',
    bob.id,
    'Bob',
  ])
    assert.ok(!text.includes(hidden), hidden)
  clock.pass(5 * hour + 30 * minute)
  while (await runTick(workspace.app, maintenanceTick));
  assert.match((await visit('/status')).text, /Maintenance in progress/)
})

test('the page is cached briefly, revalidated by ETag, and locked down by its content security policy', async () => {
  const got = await visit('/status')
  assert.equal(got.headers.get('cache-control'), 'public, max-age=30')
  assert.match(
    got.headers.get('content-security-policy')!,
    /default-src 'none'.*style-src 'sha256-[^']+'.*form-action 'none'.*sandbox/,
  )
  assert.equal(got.headers.get('x-robots-tag'), 'noindex, nofollow')
  assert.equal((await visit('/status', { 'if-none-match': got.headers.get('etag')! })).status, 304)
  await publish({ title: 'New', state: 'monitoring' })
  assert.equal((await visit('/status', { 'if-none-match': got.headers.get('etag')! })).status, 200)
  for (const method of ['POST', 'PUT', 'DELETE'])
    assert.equal((await workspace.ask(method, '/status', { key: undefined })).status, 405)
  assert.equal((await workspace.ask('HEAD', '/status', { key: undefined })).status, 200)
})

test('updates are served as Atom and RSS feeds, escaped', async () => {
  await publish({ title: 'A & B ]]>', state: 'resolved', body_markdown: '*x* & <y>' })
  const atom = await visit('/status/feed.atom')
  assert.equal(atom.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
  assert.match(atom.text, /<title>Resolved: A &#38; B \]\]&#62;<\/title>/)
  assert.match(atom.text, /<content type="html">&#60;p&#62;&#60;em&#62;x/)
  assert.equal(
    atom.text.match(/<entry>/g)!.length,
    atom.text.match(/<id>urn:workspace:status-update:sup_/g)!.length,
  )
  const rss = await visit('/status/feed.rss')
  assert.equal(rss.headers.get('content-type'), 'application/rss+xml; charset=utf-8')
  assert.match(rss.text, /<guid isPermaLink="false">urn:workspace:status-update:sup_/)
  for (const { text } of [atom, rss])
    assert.ok(!text.includes(secret) && !text.includes('<script') && !/&(?!#\d+;)/.test(text))
})

test('a second organization has a separate address and shows nothing of the first', async () => {
  const { eve } = workspace
  assert.equal((await visit('/status/other')).status, 404)
  await eve.call('create_service', { name: 'Elsewhere', public: true })
  const response = await visit('/status/other')
  assert.deepEqual(
    [
      response.status,
      response.text.includes('Elsewhere'),
      response.text.includes('Mail'),
      (await visit('/status')).text.includes('Elsewhere'),
    ],
    [200, true, false, false],
  )
  assert.equal((await eve.call('get_status_page')).public_url, 'http://workspace.test/status/other')
  assert.equal((await visit('/status/other/feed.rss')).status, 200)
})
