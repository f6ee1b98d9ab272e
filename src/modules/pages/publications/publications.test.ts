import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour, keyOf } from '../../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'

let workspace: ServedWorkspace
before(async () => {
  workspace = await serveWorkspace()
})
after(() => workspace.close())

const createPage = (title: string, fields: object = {}) =>
  workspace.ann.call('create_page', { title, ...fields })
const base = 'http://workspace.test'
/** The last call of a tool. */
const callOf = async (tool: string) =>
  (
    await workspace.app.store.read
      .selectFrom('calls')
      .select('id')
      .where('tool', '=', tool)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  ).id
/** Requests an address anonymously, without a key. */
const visit = (path: string, headers: Record<string, string> = {}) =>
  workspace.ask('GET', path, { key: undefined, headers })
const publish = (page: { id: string }, more: object = {}) =>
  workspace.ann.call('publish_page', { page_id: page.id, ...more })

test('a published page is public at its address, and loads nothing from elsewhere', async () => {
  const page = await createPage('Über <b>uns</b>', {
    body_markdown:
      '# Hello\n\nSome *text* <script>alert(1)</script>\n\n![x](https://pictures.test/x.png)',
  })
  const { public_url, slug, status, include_children } = await publish(page)
  assert.deepEqual([status, include_children], ['published', false])
  assert.match(slug, /^uber-b-uns-b-[0-9a-z]{8}$/)
  assert.ok(public_url.endsWith(`/p/${slug}`))
  const response = await visit(`/p/${slug}`)
  assert.equal(response.status, 200)
  assert.match(
    response.text,
    /<h1>Über &#60;b&#62;uns&#60;\/b&#62;<\/h1>[^]*<h1 id="hello">Hello<\/h1>[^]*<em>text<\/em>/,
  )
  assert.doesNotMatch(response.text, /<script|alert\(1\)<\/script/)
  assert.match(
    response.headers.get('content-security-policy')!,
    /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'/,
  )
  assert.equal(response.headers.get('x-robots-tag'), 'noindex, nofollow')
  assert.match(response.text, /<meta name="robots" content="noindex, nofollow">/)
  assert.equal(response.headers.get('set-cookie'), null)
  assert.equal(response.headers.get('cache-control'), 'no-cache')
  assert.deepEqual(
    (await workspace.ann.call('get_page', { page_id: page.id })).publication.slug,
    slug,
  )
})

test('a conditional request gets a 304 while the page is unchanged, and only read methods are allowed', async () => {
  const page = await createPage('Kept', { body_markdown: 'a' })
  await publish(page, { slug: 'kept-page' })
  const etag = (await visit('/p/kept-page')).headers.get('etag')!
  const again = await visit('/p/kept-page', { 'if-none-match': `W/${etag}` })
  assert.deepEqual([again.status, again.text], [304, ''])
  await workspace.ann.call('update_page', { page_id: page.id, body_markdown: 'b' })
  assert.equal((await visit('/p/kept-page', { 'if-none-match': etag })).status, 200)
  assert.equal((await workspace.ask('HEAD', '/p/kept-page', { key: undefined })).status, 200)
  for (const method of ['POST', 'PUT', 'DELETE'])
    assert.equal((await workspace.ask(method, '/p/kept-page', { key: undefined })).status, 405)
})

test('only the owner can publish, and a taken address is refused without revealing its user', async () => {
  const { ann, bob, eve } = workspace
  const page = await createPage('Mine', { visibility: 'organization' })
  assert.equal((await bob.refused('publish_page', { page_id: page.id })).code, 'permission_denied')
  assert.equal((await eve.refused('publish_page', { page_id: page.id })).code, 'not_found')
  const pageOfEve = await eve.call('create_page', { title: 'Hers' })
  await eve.call('publish_page', { page_id: pageOfEve.id, slug: 'welcome' })
  const refusal = await ann.refused('publish_page', { page_id: page.id, slug: 'welcome' })
  assert.deepEqual([refusal.code, refusal.message], ['conflict', 'This address is already in use.'])
  for (const slug of ['A', 'Big Words', '-a-', 'ab', '../x'])
    assert.equal(
      (await ann.refused('publish_page', { page_id: page.id, slug })).code,
      'invalid_argument',
      slug,
    )
})

test('a publication expires by the clock, and can be renewed', async () => {
  const page = await createPage('Short')
  assert.equal(
    (
      await workspace.ann.refused('publish_page', {
        page_id: page.id,
        expires_at: '2020-01-01T00:00:00Z',
      })
    ).code,
    'invalid_argument',
  )
  await publish(page, {
    slug: 'short-lived',
    expires_at: new Date(workspace.clock.at + hour).toISOString(),
  })
  assert.equal((await visit('/p/short-lived')).status, 200)
  workspace.clock.pass(hour)
  const expired = await visit('/p/short-lived')
  assert.deepEqual([expired.status, expired.text.includes('Short')], [410, false])
  assert.equal(
    (await workspace.ann.call('get_page', { page_id: page.id })).publication.status,
    'expired',
  )
  assert.equal(
    (await workspace.ann.refused('publish_page', { page_id: page.id })).code,
    'invalid_argument',
  )
  assert.equal((await publish(page, { expires_at: null })).status, 'published')
  assert.equal((await visit('/p/short-lived')).status, 200)
})

test('a new address replaces the previous one', async () => {
  const page = await createPage('Moving')
  await publish(page, { slug: 'old-place' })
  await publish(page, { slug: 'new-place' })
  assert.deepEqual(
    [(await visit('/p/old-place')).status, (await visit('/p/new-place')).status],
    [404, 200],
  )
  assert.equal((await publish(page)).slug, 'new-place')
})

test('unpublishing, trashing or losing its owner takes the page offline at once', async () => {
  const { ann, carol, app } = workspace
  const page = await createPage('Gone', { body_markdown: 'secret words' })
  const neverPublished = await visit('/p/never-was')
  await publish(page, { slug: 'gone-one' })
  await ann.call('unpublish_page', { page_id: page.id })
  const response = await visit('/p/gone-one')
  assert.deepEqual([response.status, response.text], [404, neverPublished.text])
  assert.equal((await ann.refused('unpublish_page', { page_id: page.id })).code, 'not_found')

  await publish(page, { slug: 'gone-two' })
  await ann.call('delete_page', { page_id: page.id })
  assert.equal((await visit('/p/gone-two')).status, 404)
  await ann.call('restore_item', { item_id: page.id })
  assert.equal(
    (await visit('/p/gone-two')).status,
    404,
    'restoring a page does not publish it again',
  )

  const pageOfCarol = await carol.call('create_page', { title: 'Hers' })
  await carol.call('publish_page', { page_id: pageOfCarol.id, slug: 'of-carol' })
  assert.equal((await visit('/p/of-carol')).status, 200)
  await app.store.write
    .updateTable('users')
    .set({ status: 'deactivated' })
    .where('id', '=', carol.id)
    .execute()
  assert.equal((await visit('/p/of-carol')).status, 404)
})

test('subpages are published too if they belong to the owner or the organization, with links between them', async () => {
  const { ann, bob } = workspace
  const root = await createPage('Handbook', { visibility: 'organization' })
  const travel = await createPage('Travel', { parent_id: root.id })
  const below = await createPage('Trains & planes', {
    parent_id: travel.id,
    body_markdown: `Back to [[Handbook]].`,
  })
  const open = await bob.call('create_page', {
    title: 'Of Bob, for all',
    parent_id: root.id,
    visibility: 'organization',
  })
  const hidden = await bob.call('create_page', {
    title: 'Bobs own',
    parent_id: root.id,
    body_markdown: 'private words',
  })
  await bob.call('share_page', { page_id: hidden.id, person_id: ann.id, role: 'editor' })
  const elsewhere = await createPage('Elsewhere')
  await ann.call('update_page', {
    page_id: root.id,
    body_markdown: `[Go](/pages/${travel.id}) and [[${below.id}|ride]], [[Elsewhere]], [see](${base}/pages/${elsewhere.id}), <${base}/pages/${hidden.id}>, ![photo](/files/fil_${'0'.repeat(26)}) and [out](https://out.test/x)`,
  })
  await publish(root, { slug: 'handbook', include_children: true })
  const { text } = await visit('/p/handbook')
  assert.match(text, new RegExp(`<a href="/p/handbook/${travel.id}">Go</a>`))
  assert.match(text, new RegExp(`<a href="/p/handbook/${below.id}">ride</a>`))
  assert.match(
    text,
    /<nav aria-label="Below"><ul><li>.*Travel<\/a><\/li><li>.*Of Bob, for all<\/a><\/li><\/ul>/,
  )
  assert.match(text, /<a href="https:\/\/out.test\/x" rel="nofollow noopener noreferrer">out<\/a>/)
  for (const word of [hidden.id, elsewhere.id, 'Bobs own', 'fil_', base])
    assert.ok(!text.includes(word), word)
  const deep = await visit(`/p/handbook/${below.id}`)
  assert.match(
    deep.text,
    /<nav aria-label="Above"><a href="\/p\/handbook">Handbook<\/a> › <a href="\/p\/handbook\/pag_\w+">Travel<\/a><\/nav>[^]*Back to <a href="\/p\/handbook">Handbook<\/a>/,
  )
  for (const id of [hidden.id, elsewhere.id, root.id, 'x', '%E0%A4%A'])
    assert.equal((await visit(`/p/handbook/${id}`)).status, 404, id)
  assert.equal((await visit(`/p/handbook/${open.id}`)).status, 200)
  await ann.call('move_page', { page_id: travel.id, parent_id: elsewhere.id })
  assert.equal((await visit(`/p/handbook/${below.id}`)).status, 404)
  await publish(root, { include_children: false })
  assert.equal((await visit(`/p/handbook/${open.id}`)).status, 404)
})

test('publishing appears in the activity, can be undone, and needs approval with a hold_outbound key', async () => {
  const { ann } = workspace
  const page = await createPage('Told')
  await publish(page, { slug: 'told-page' })
  const call = await callOf('publish_page')
  const { items } = await ann.call('list_activity', { item_id: page.id })
  assert.ok(JSON.stringify(items).includes('publication'))
  assert.equal((await ann.call('undo_api_call', { call_id: call })).refused?.length ?? 0, 0)
  assert.equal((await visit('/p/told-page')).status, 404)

  await publish(page, { slug: 'told-page' })
  await ann.call('unpublish_page', { page_id: page.id })
  const unpublishCall = await callOf('unpublish_page')
  const { id } = await workspace.keyFor(ann, { holdOutbound: true })
  const key = keyOf({ id, hold_outbound: true })
  const outcomeOf = (tool: string, args: object) =>
    ann.call(tool, args as Record<string, unknown>, { key, via: 'mcp' }).then(
      () => 'made',
      (error) => (error as { code: string }).code,
    )
  assert.equal(await outcomeOf('publish_page', { page_id: page.id }), 'approval_required')
  assert.equal(await outcomeOf('undo_api_call', { call_id: unpublishCall }), 'approval_required')
  assert.equal((await visit('/p/told-page')).status, 404)
  assert.equal(
    (await ann.call('undo_api_call', { call_id: unpublishCall })).refused?.length ?? 0,
    0,
  )
  assert.equal((await visit('/p/told-page')).status, 200)
})

test('a hold_outbound key also needs approval to write to a published page or below one', async () => {
  const { ann } = workspace
  const root = await createPage('Shown to all', { body_markdown: 'told' })
  const inside = await createPage('Kept inside', { parent_id: (await createPage('Elsewhere')).id })
  await publish(root, { slug: 'shown-to-all', include_children: true })
  const { id } = await workspace.keyFor(ann, { holdOutbound: true })
  const key = keyOf({ id, hold_outbound: true })
  const outcomeOf = (tool: string, args: object) =>
    ann.call(tool, args as Record<string, unknown>, { key, via: 'mcp' }).then(
      () => 'made',
      (error) => (error as { code: string }).code,
    )
  for (const [tool, args] of [
    ['update_page', { page_id: root.id, body_markdown: 'carried out' }],
    ['append_to_page', { page_id: root.id, body_markdown: 'carried out' }],
    ['create_page', { title: 'carried out', parent_id: root.id }],
    ['create_page_from_template', { page_id: inside.id, parent_id: root.id }],
    ['import_pages', { content: 'carried out', parent_id: root.id }],
    ['move_page', { page_id: inside.id, parent_id: root.id }],
  ] as const)
    assert.equal(await outcomeOf(tool, args), 'approval_required', tool)
  assert.doesNotMatch((await visit('/p/shown-to-all')).text, /carried out|Kept inside/)
  assert.equal(
    await outcomeOf('update_page', { page_id: inside.id, body_markdown: 'stays inside' }),
    'made',
  )
  assert.equal(
    await outcomeOf('add_page_comment', { page_id: root.id, body_markdown: 'stays inside' }),
    'made',
  )
})

test('undone content disappears from the web and does not return with later edits', async () => {
  const { ann } = workspace
  const page = await createPage('Once', { body_markdown: 'first' })
  await publish(page, { slug: 'once-undone' })
  await ann.call('update_page', { page_id: page.id, body_markdown: 'taken back' })
  const call = await callOf('update_page')
  assert.match((await visit('/p/once-undone')).text, /taken back/)
  assert.equal((await ann.call('undo_api_call', { call_id: call })).undone, true)
  await ann.call('update_page', { page_id: page.id, body_markdown: 'second' })
  assert.match((await visit('/p/once-undone')).text, /second/)
})

test('search engines are allowed if the instance is configured so', async () => {
  const open = await serveWorkspace({ settings: { index_published: true } })
  try {
    const page = await open.ann.call('create_page', { title: 'Found' })
    await open.ann.call('publish_page', { page_id: page.id, slug: 'found-page' })
    const response = await open.ask('GET', '/p/found-page', { key: undefined })
    assert.deepEqual(
      [response.status, response.headers.get('x-robots-tag'), response.text.includes('noindex')],
      [200, null, false],
    )
  } finally {
    await open.close()
  }
})
