import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const make = (title: string, body_markdown = '', more: object = {}) =>
  workspace.ann.call('create_page', { title, body_markdown, ...more })
const backlinks = async (page: { id: string }, who = workspace.ann) =>
  (await who.call('get_page', { page_id: page.id })).backlinks.map(
    (backlink: { title: string }) => backlink.title,
  )

test('a page lists the pages that link to it by address, id or title', async () => {
  const { ann } = workspace
  const goal = await make('Our goal')
  await make('By address', `[goal](http://workspace.test/pages/${goal.id})`)
  await make('By id', `[[${goal.id}]]`)
  const linkingPage = await make('By title', 'See [[our  GOAL|it]].')
  await make('In code', '`[[Our goal]]`')
  assert.deepEqual(await backlinks(goal), ['By address', 'By id', 'By title'])
  await ann.call('update_page', { page_id: linkingPage.id, body_markdown: 'nothing' })
  assert.deepEqual(await backlinks(goal), ['By address', 'By id'])
})

test('a link by title survives a rename of the page, and one written before its page exists resolves later', async () => {
  const { ann } = workspace
  await make('Early', '[[Not yet there]]')
  const page = await make('Not yet there')
  assert.deepEqual(await backlinks(page), ['Early'])
  await make('Late', '[[Not yet there]]')
  await ann.call('update_page', { page_id: page.id, title: 'Renamed' })
  assert.deepEqual(await backlinks(page), ['Late'], 'bound when it was written')
})

test('backlinks show only pages visible to the reader', async () => {
  const { bob, eve } = workspace
  const open = await make('Open page', '', { visibility: 'organization' })
  await make('Hidden linker', '[[Open page]]')
  await eve.call('create_page', {
    title: 'Of another organization',
    body_markdown: `[[${open.id}]] [[Open page]]`,
  })
  assert.deepEqual(await backlinks(open), ['Hidden linker'])
  assert.deepEqual(await backlinks(open, bob), [])
})

test('a title shared by several pages resolves to the nearest one', async () => {
  const old = await make('Notes')
  const project = await make('Project')
  const near = await make('Notes', '', { parent_id: project.id })
  await make('Below', '[[Notes]]', { parent_id: project.id })
  assert.deepEqual([await backlinks(near), await backlinks(old)], [['Below'], []])
})

test('undoing an edit reverts its links', async () => {
  const { ann, app } = workspace
  const [a, b] = [await make('Target A'), await make('Target B')]
  const page = await make('Switching', '[[Target A]]')
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
