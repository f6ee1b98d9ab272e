import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { checkEmbeddings } from '../search/check.ts'
import { makeWorkspace, type TestWorkspace } from '../testing/harness.ts'
import { startSearchUpkeep } from './upkeep.ts'
import { untilTrue } from '../testing/limits.ts'

async function setUp(t: TestContext): Promise<TestWorkspace> {
  const workspace = await makeWorkspace()
  t.after(() => workspace.close())
  return workspace
}

const until = (condition: () => boolean | Promise<boolean>) =>
  untilTrue(condition, () => condition.toString())

test('content committed before and after the start soon becomes searchable by meaning, and deleted content is forgotten', async (t) => {
  const { app, ann } = await setUp(t)
  const { read } = app.store.raw
  await ann.call('create_page', { title: 'Sunday', body_markdown: 'The server had an outage.' })
  const stop = startSearchUpkeep(app)
  const untilIndexed = () => until(() => checkEmbeddings(read).due === 0)
  await untilIndexed()
  const page = await ann.call('create_page', {
    title: 'Monday',
    body_markdown: 'Vacation and absences of the staff.',
  })
  await untilIndexed()
  assert.equal(
    (await ann.call('search_pages', { query: 'holiday leave', mode: 'semantic' })).items[0].page.id,
    page.id,
  )
  await ann.call('delete_page', { page_id: page.id })
  await untilIndexed()
  assert.deepEqual(
    [checkEmbeddings(read).texts, checkEmbeddings(read).passages, checkEmbeddings(read).orphans],
    [1, 1, 0],
  )
  await stop()
  assert.equal(app.searchEngine.isClosed, true)
})

test('a search space due for a rebuild is recreated', async (t) => {
  const { app, ann } = await setUp(t)
  const spaces = () => app.store.raw.read.prepare('select id from search_spaces').pluck().all()
  await ann.call('create_page', { title: 'Sunday', body_markdown: 'The server had an outage.' })
  await app.searchEngine.maintain()
  const before = spaces()
  await app.searchEngine.requestRebuild()
  const stop = startSearchUpkeep(app)
  await until(() => JSON.stringify(spaces()) !== JSON.stringify(before) && spaces().length === 1)
  assert.deepEqual(
    [checkEmbeddings(app.store.raw.read).missing, checkEmbeddings(app.store.raw.read).hasSpace],
    [0, true],
  )
  await stop()
})

test('the thread is not started without texts', async (t) => {
  const { app } = await setUp(t)
  const stop = startSearchUpkeep(app)
  await pause(300)
  assert.deepEqual(
    app.store.raw.read.prepare('select count(*) from search_spaces').pluck().get(),
    0,
  )
  await stop()
})

test('shutdown does not wait for work in progress and logs nothing about it', async (t) => {
  const { app, ann } = await setUp(t)
  for (let i = 0; i < 30; i++)
    await ann.call('create_page', {
      title: `Page ${i}`,
      body_markdown: 'The server had an outage. '.repeat(500),
    })
  const warnings: string[] = []
  const stop = startSearchUpkeep({
    ...app,
    log: { ...app.log, warn: (message) => warnings.push(message) },
  })
  await pause(130)
  await stop()
  assert.deepEqual(warnings, [])
})
