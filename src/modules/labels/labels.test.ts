import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

test('a label is created once, and creating it again returns it', async () => {
  const { ann, bob } = workspace
  const createdLabel = await ann.call('create_label', { name: 'Bug', color: '#ff0000' })
  assert.equal(createdLabel.name, 'Bug')
  assert.equal(createdLabel.created_by.title, 'Ann')
  const again = await bob.call('create_label', { name: 'bug' })
  assert.equal(again.id, createdLabel.id)
  assert.equal(again.color, '#ff0000')
})

test('labels of another organization are neither listed nor found', async () => {
  const { ann, eve } = workspace
  const secretLabel = await ann.call('create_label', { name: 'Secret' })
  assert.deepEqual((await eve.call('list_labels')).items, [])
  assert.equal(
    (await eve.refused('update_label', { label_id: secretLabel.id, name: 'x' })).code,
    'not_found',
  )
  assert.equal((await eve.refused('delete_label', { label_id: 'Secret' })).code, 'not_found')
})

test('renaming to a taken name is refused and names the other label', async () => {
  const { ann } = workspace
  const item = await ann.call('create_label', { name: 'One' })
  const two = await ann.call('create_label', { name: 'Two' })
  const refusal = await ann.refused('update_label', { label_id: two.id, name: 'ONE' })
  assert.equal(refusal.code, 'conflict')
  assert.deepEqual(refusal.more.context, { existing_id: item.id })
})

test('a dry run of a deletion changes nothing', async () => {
  const { ann } = workspace
  const createdLabel = await ann.call('create_label', { name: 'Stays' })
  const dry = await ann.call('delete_label', { label_id: createdLabel.id, dry_run: true })
  assert.equal(dry.dry_run, true)
  assert.equal((await ann.call('list_labels', { query: 'stays' })).items.length, 1)
  const real = await ann.call('delete_label', { label_id: createdLabel.id })
  assert.equal(real.dry_run, false)
  assert.equal((await ann.call('list_labels', { query: 'stays' })).items.length, 0)
})

test('unknown arguments are refused by name, with the expected ones listed', async () => {
  const refusal = await workspace.ann.refused('create_label', { name: 'x', colour: '#ffffff' })
  assert.equal(refusal.code, 'invalid_argument')
  assert.match(
    refusal.body().message,
    /colour: unknown argument.*takes name, color, description, idempotency_key/,
  )
})

test('whitespace around a label name is ignored', async () => {
  const createdLabel = await workspace.ann.call('create_label', { name: 'Trimmed' })
  assert.equal(
    (await workspace.ann.call('create_label', { name: '   Trimmed ' })).id,
    createdLabel.id,
  )
})

test('a label shows its number of uses by kind, and its creation cannot be undone while it is in use', async () => {
  const { ann, bob } = workspace
  const by = { key: await workspace.key(ann) }
  const label = await ann.call('create_label', { name: 'Spring' }, by)
  await ann.call('create_project', { name: 'Garden', key: 'GAR' })
  const task = await ann.call('create_task', {
    project_id: 'GAR',
    title: 'Sow',
    label_ids: [label.id],
  })
  await ann.call('create_page', { title: 'Seeds', label_ids: [label.id] })
  const { id } = await ann.call('create_contact', { name: 'Flora', label_ids: [label.id] })
  const usesFor = async (who: typeof ann, item_type?: string) =>
    (await who.call('list_labels', { query: 'Spring', ...(item_type && { item_type }) })).items.map(
      (item: { uses: object }) => item.uses,
    )
  const none = { task: 0, page: 0, contact: 0, deal: 0, file: 0, incident: 0 }
  assert.deepEqual(await usesFor(ann), [{ ...none, task: 1, page: 1, contact: 1 }])
  assert.deepEqual(await usesFor(ann, 'task'), await usesFor(ann))
  assert.deepEqual(await usesFor(ann, 'file'), [])
  assert.deepEqual(await usesFor(bob, 'task'), [], 'bob does not see the task')
  assert.equal((await usesFor(bob, 'contact')).length, 1)

  const [creation] = (await ann.call('list_api_calls', { tool: 'create_label', limit: 1 }, by))
    .items
  const undoCreation = () => ann.call('undo_api_call', { call_id: creation.id }, by)
  assert.equal((await undoCreation()).undone, false)
  await ann.call('delete_task', { task_id: task.id })
  await ann.call('delete_contact', { contact_id: id })
  assert.equal((await ann.call('list_labels', { query: 'Spring' })).items.length, 1)
})
