import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

test('a label is made once, and the same name returns it', async () => {
  const { ann, bob } = workspace
  const made = await ann.call('create_label', { name: 'Bug', color: '#ff0000' })
  assert.equal(made.name, 'Bug')
  assert.equal(made.created_by.title, 'Ann')
  const again = await bob.call('create_label', { name: 'bug' })
  assert.equal(again.id, made.id)
  assert.equal(again.color, '#ff0000')
})

test('labels of another organization are neither listed nor found', async () => {
  const { ann, eve } = workspace
  const made = await ann.call('create_label', { name: 'Secret' })
  assert.deepEqual((await eve.call('list_labels')).items, [])
  assert.equal(
    (await eve.refused('update_label', { label_id: made.id, name: 'x' })).code,
    'not_found',
  )
  assert.equal((await eve.refused('delete_label', { label_id: 'Secret' })).code, 'not_found')
})

test('a rename to a taken name is refused and names the other label', async () => {
  const { ann } = workspace
  const one = await ann.call('create_label', { name: 'One' })
  const two = await ann.call('create_label', { name: 'Two' })
  const refusal = await ann.refused('update_label', { label_id: two.id, name: 'ONE' })
  assert.equal(refusal.code, 'conflict')
  assert.deepEqual(refusal.more.context, { existing_id: one.id })
})

test('a dry run of a deletion changes nothing', async () => {
  const { ann } = workspace
  const made = await ann.call('create_label', { name: 'Stays' })
  const dry = await ann.call('delete_label', { label_id: made.id, dry_run: true })
  assert.equal(dry.dry_run, true)
  assert.equal((await ann.call('list_labels', { query: 'stays' })).items.length, 1)
  const real = await ann.call('delete_label', { label_id: made.id })
  assert.equal(real.dry_run, false)
  assert.equal((await ann.call('list_labels', { query: 'stays' })).items.length, 0)
})

test('unknown arguments are refused by name, with those that are expected', async () => {
  const refusal = await workspace.ann.refused('create_label', { name: 'x', colour: '#ffffff' })
  assert.equal(refusal.code, 'invalid_argument')
  assert.match(
    refusal.body().message,
    /colour: unknown argument.*takes name, color, description, idempotency_key/,
  )
})

test('a name with white space around it is the same name', async () => {
  const made = await workspace.ann.call('create_label', { name: 'Trimmed' })
  assert.equal((await workspace.ann.call('create_label', { name: '   Trimmed ' })).id, made.id)
})
