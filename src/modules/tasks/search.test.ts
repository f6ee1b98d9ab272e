import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol } = workspace
  await ann.call('create_project', { name: 'Engineering', key: 'ENG', member_ids: [bob.id] })
  await carol.call('create_project', { name: 'Carols', key: 'CAR' })
  const make = (title: string, description_markdown?: string, more: Record<string, unknown> = {}) =>
    ann.call('create_task', {
      project_id: 'ENG',
      title,
      ...(description_markdown ? { description_markdown } : {}),
      ...more,
    })
  await make(
    'Login fails with an expired token',
    'Users see a blank page.\n\nThe gateway rejects the token.',
  )
  const invoice = await make('Invoices are late', 'The queue is slow.', {
    assignee_ids: [bob.id],
    status: 'Done',
  })
  await bob.call('add_task_comment', {
    task_id: invoice.id,
    body_markdown: 'It was the expired certificate of the token gateway.',
  })
  await make('Paint the office')
  await carol.call('create_task', { project_id: 'CAR', title: 'Login for the secret gateway' })
})
after(() => workspace.close())

const search = async (query: string, more: Record<string, unknown> = {}, who = workspace.ann) =>
  who.call('search_tasks', { query, ...more })
const titles = async (query: string, more: Record<string, unknown> = {}, who = workspace.ann) =>
  (await search(query, more, who)).items.map((item: { task: { title: string } }) => item.task.title)

test('words are found in titles, descriptions and comments, in any inflection', async () => {
  const page = await search('failing logins with tokens')
  const [best, other] = page.items
  assert.equal(best.task.title, 'Login fails with an expired token')
  assert.deepEqual([best.matched_in, best.score], [['title', 'description'], 1])
  assert.match(best.snippet, /rejects the token/)
  assert.equal('description_markdown' in best.task, false)
  assert.equal(other.task.title, 'Invoices are late')
  assert.deepEqual(other.matched_in, ['comment'])
  assert.match(other.snippet, /certificate of the token gateway/)
  assert.ok(other.score > 0 && other.score < 1)
  assert.deepEqual(page.searched, { mode: 'keyword' })
})

test('filters narrow results, and a phrase must match exactly', async () => {
  assert.deepEqual(await titles('gateway', { assignee: 'bob@acme.test' }), ['Invoices are late'])
  assert.deepEqual(await titles('gateway', { status_category: ['todo'] }), [
    'Login fails with an expired token',
  ])
  assert.deepEqual((await titles('gateway', { project_id: 'ENG' }, workspace.bob)).sort(), [
    'Invoices are late',
    'Login fails with an expired token',
  ])
  assert.deepEqual(await titles('"expired certificate"'), ['Invoices are late'])
  assert.deepEqual(await titles('"certificate expired"'), [])
})

test('an existing title is reported as a likely duplicate', async () => {
  const flags = (await search('Login fails: expired tokens')).items.map(
    (item: { is_likely_duplicate: boolean }) => item.is_likely_duplicate,
  )
  assert.deepEqual(flags, [true, false])
})

test('nothing of other projects is revealed', async () => {
  const { carol, eve } = workspace
  assert.deepEqual(await titles('gateway', {}, carol), ['Login for the secret gateway'])
  assert.deepEqual(await titles('secret'), [])
  assert.deepEqual(await titles('gateway', {}, eve), [])
  assert.equal(
    (await carol.refused('search_tasks', { query: 'x', project_id: 'ENG' })).code,
    'not_found',
  )
})

test('pages are consecutive without gaps', async () => {
  const first = await search('gateway', { limit: 1 })
  assert.equal(first.has_more, true)
  const second = await search('gateway', { limit: 1, cursor: first.next_cursor })
  assert.deepEqual([second.has_more, second.items.length], [false, 1])
  assert.notEqual(second.items[0].task.id, first.items[0].task.id)
  assert.equal(
    (await workspace.ann.refused('search_tasks', { query: 'gateway', cursor: 'x' })).more.field,
    'cursor',
  )
})

test('before any vector exists, every mode searches by words, and the response says so', async () => {
  for (const mode of ['semantic', 'hybrid']) {
    const { searched, items } = await search('gateway', { mode })
    assert.deepEqual([searched.mode, items.length], ['keyword', 2])
    assert.match(searched.note, /semantic index is still being built/)
  }
})

test('a task is found by meaning, within the filters and the visibility of the caller', async () => {
  const { ann, carol, app } = workspace
  const task = await ann.call('create_task', {
    project_id: 'ENG',
    title: 'The server had an outage of two hours',
  })
  await app.searchEngine.maintain()
  const like = async (who: Someone, args: object = {}) =>
    who.call('search_tasks', { query: 'downtime failover', mode: 'semantic', ...args })
  const similar = await like(ann)
  assert.deepEqual(
    [similar.searched, similar.items[0].task.id, similar.items[0].matched_in],
    [{ mode: 'semantic' }, task.id, ['title']],
  )
  assert.deepEqual((await like(carol)).items, [])
  assert.deepEqual(
    (await like(ann, { status_category: ['done'] })).items.filter(
      (item: { task: { id: string } }) => item.task.id === task.id,
    ),
    [],
  )
  assert.equal(
    (await ann.call('search_tasks', { query: 'outage', mode: 'hybrid', limit: 1 })).searched.mode,
    'hybrid',
  )
  await ann.call('delete_task', { task_id: task.id })
  assert.ok(
    (await like(ann)).items.every((item: { task: { id: string } }) => item.task.id !== task.id),
    'at once, its vector not yet dropped',
  )
})

test('no query causes an error', async () => {
  for (const query of ['"', 'a AND', 'NEAR(x', '-', 'title:x', '*', 'ENG-1', '😀', '日本']) {
    await workspace.ann.call('search_tasks', { query: `${query} gateway` })
  }
  for (const query of ['?', '""', '…'])
    assert.equal((await workspace.ann.refused('search_tasks', { query })).more.field, 'query')
  assert.equal(
    (await titles('the')).length,
    3,
    'a stop word is searched for if it is the only word',
  )
})

test('a text change is found at once', async () => {
  const { ann } = workspace
  const task = await ann.call('create_task', { project_id: 'ENG', title: 'Aardvark' })
  await ann.call('update_task', { task_id: task.id, title: 'Buffalo' })
  assert.deepEqual(await titles('aardvark'), [])
  assert.deepEqual(await titles('buffalo'), ['Buffalo'])
})

test('a key finds its task first and once; the key of an invisible task finds nothing', async () => {
  await workspace.ann.call('create_task', { project_id: 'ENG', title: 'Follows from ENG-1' })
  assert.deepEqual(await titles('eng-1'), [
    'Login fails with an expired token',
    'Follows from ENG-1',
  ])
  const first = await search('ENG-1', { limit: 1 })
  assert.deepEqual([first.items.length, first.has_more], [1, true])
  assert.deepEqual(await titles('ENG-1', { limit: 1, cursor: first.next_cursor }), [
    'Follows from ENG-1',
  ])
  assert.ok(!(await titles('CAR-1')).includes('Login for the secret gateway'))
})
