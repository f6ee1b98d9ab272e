import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const searchTitles = async (who: Someone, args: Record<string, unknown>) =>
  (await who.call('search_pages', args)).items.map(
    (item: { page: { title: string } }) => item.page.title,
  )

test('a page is found by meaning, with the closest section', async () => {
  const { ann, bob, app } = workspace
  const { id } = await ann.call('create_page', {
    title: 'Notes',
    visibility: 'private',
    body_markdown: `# Lunch\n\n${'We bake bread with flour and salt. '.repeat(30)}\n\n## Sunday\n\n${'The server had an outage of two hours and the database was down. '.repeat(12)}\n`,
  })
  await app.searchEngine.maintain()
  const [hit] = (await ann.call('search_pages', { query: 'downtime failover', mode: 'semantic' }))
    .items
  assert.deepEqual([hit.page.id, hit.section], [id, 'Sunday'])
  assert.deepEqual(
    (await bob.call('search_pages', { query: 'downtime failover', mode: 'semantic' })).items.filter(
      (item: { page: { id: string } }) => item.page.id === id,
    ),
    [],
  )
  await ann.call('share_page', { page_id: id, person_id: bob.id, role: 'viewer' })
  assert.equal(
    (await bob.call('search_pages', { query: 'downtime failover', mode: 'hybrid' })).items[0].page
      .id,
    id,
  )
})

test('pages are found by title, text and comments, with the section that contains the words', async () => {
  const { ann } = workspace
  const { id } = await ann.call('create_page', {
    title: 'Handbook',
    body_markdown:
      '# Start\n\nNothing here.\n\n## Deployments\n\nRoll out to the canaries first.\n',
  })
  const [hit] = (await ann.call('search_pages', { query: 'canary rollout' })).items
  assert.deepEqual(
    [hit.page.id, hit.section, hit.score, hit.page.body_markdown],
    [id, 'Deployments', 1, undefined],
  )
  assert.match(hit.snippet, /canaries first/)
  await ann.call('add_page_comment', { page_id: id, body_markdown: 'Ask the ornithologists.' })
  assert.deepEqual(await searchTitles(ann, { query: 'ornithologist' }), ['Handbook'])
  await ann.call('update_page', { page_id: id, body_markdown: 'empty' })
  assert.deepEqual(await searchTitles(ann, { query: 'canary' }), [])
  assert.equal((await ann.refused('search_pages', { query: '!!' })).code, 'invalid_argument')
})

test('search reflects shares, moves and visibility at once', async () => {
  const { ann, bob, carol } = workspace
  const root = await ann.call('create_page', { title: 'Walrus root' })
  const child = await ann.call('create_page', { title: 'Walrus child', parent_id: root.id })
  assert.deepEqual(await searchTitles(bob, { query: 'walrus' }), [])
  await ann.call('share_page', { page_id: root.id, person_id: bob.id, role: 'editor' })
  await bob.call('create_page', { title: 'Walrus of Bob', parent_id: child.id })
  assert.deepEqual((await searchTitles(bob, { query: 'walrus' })).sort(), [
    'Walrus child',
    'Walrus of Bob',
    'Walrus root',
  ])
  assert.deepEqual(await searchTitles(ann, { query: 'walrus', parent_id: child.id }), [
    'Walrus of Bob',
  ])
  await ann.call('share_page', { page_id: root.id, person_id: carol.id, role: 'viewer' })
  assert.equal((await searchTitles(carol, { query: 'walrus' })).length, 3, "Bob's page below too")
  await ann.call('unshare_page', { page_id: root.id, person_id: carol.id })
  await ann.call('update_page', { page_id: root.id, visibility: 'organization' })
  assert.deepEqual(await searchTitles(carol, { query: 'walrus' }), ['Walrus root'])
  assert.deepEqual(await searchTitles(workspace.eve, { query: 'walrus' }), [])
  assert.deepEqual(await searchTitles(ann, { query: 'walrus', updated_after: '2027-01-01' }), [])
})
