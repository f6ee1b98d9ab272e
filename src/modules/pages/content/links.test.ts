import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const createPage = (title: string, body_markdown = '', fields: object = {}) =>
  workspace.ann.call('create_page', { title, body_markdown, ...fields })
const backlinks = async (page: { id: string }, who = workspace.ann) =>
  (await who.call('get_page', { page_id: page.id })).backlinks.map(
    (backlink: { title: string }) => backlink.title,
  )

test('a page lists the pages that link to it by address, id or title', async () => {
  const { ann } = workspace
  const goal = await createPage('Our goal')
  await createPage('By address', `[goal](http://workspace.test/pages/${goal.id})`)
  await createPage('By id', `[[${goal.id}]]`)
  const linkingPage = await createPage('By title', 'See [[our  GOAL|it]].')
  await createPage('In code', '`[[Our goal]]`')
  assert.deepEqual(await backlinks(goal), ['By address', 'By id', 'By title'])
  await ann.call('update_page', { page_id: linkingPage.id, body_markdown: 'nothing' })
  assert.deepEqual(await backlinks(goal), ['By address', 'By id'])
})

test('a link by title survives a rename of the page, and one written before its page exists resolves later', async () => {
  const { ann } = workspace
  await createPage('Early', '[[Not yet there]]')
  const page = await createPage('Not yet there')
  assert.deepEqual(await backlinks(page), ['Early'])
  await createPage('Late', '[[Not yet there]]')
  await ann.call('update_page', { page_id: page.id, title: 'Renamed' })
  assert.deepEqual(await backlinks(page), ['Late'], 'bound when it was written')
})

test('backlinks show only pages visible to the reader', async () => {
  const { bob, eve } = workspace
  const open = await createPage('Open page', '', { visibility: 'organization' })
  await createPage('Hidden linker', '[[Open page]]')
  await eve.call('create_page', {
    title: 'Of another organization',
    body_markdown: `[[${open.id}]] [[Open page]]`,
  })
  assert.deepEqual(await backlinks(open), ['Hidden linker'])
  assert.deepEqual(await backlinks(open, bob), [])
})

test('a title shared by several pages resolves to the nearest one', async () => {
  const old = await createPage('Notes')
  const project = await createPage('Project')
  const near = await createPage('Notes', '', { parent_id: project.id })
  await createPage('Below', '[[Notes]]', { parent_id: project.id })
  assert.deepEqual([await backlinks(near), await backlinks(old)], [['Below'], []])
})

test('undoing an edit reverts its links', async () => {
  const { ann, app } = workspace
  const [a, b] = [await createPage('Target A'), await createPage('Target B')]
  const page = await createPage('Switching', '[[Target A]]')
  await ann.call('update_page', { page_id: page.id, body_markdown: '[[Target B]]' })
  assert.deepEqual([await backlinks(a), await backlinks(b)], [[], ['Switching']])
  const { id } = await app.store.read
    .selectFrom('calls')
    .select('id')
    .where('tool', '=', 'update_page')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  assert.equal((await ann.call('undo_api_call', { call_id: id })).undone, true)
  assert.deepEqual([await backlinks(a), await backlinks(b)], [['Switching'], []])
})
