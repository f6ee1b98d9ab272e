import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
let ann: Someone, bob: Someone
let project_id: string
before(async () => {
  workspace = await makeWorkspace()
  ;({ ann, bob } = workspace)
})
beforeEach(async () => {
  project_id = (await ann.call('create_project', { name: 'Fields', member_ids: [bob.id] })).id
})
after(() => workspace.close())

const make = (more: object) => ann.call('create_custom_field', { project_id, ...more })
const refused = (more: object) => ann.refused('create_custom_field', { project_id, ...more })

test('a select field has options with ids and colors', async () => {
  const field = await make({
    name: ' Stage ',
    type: 'select',
    options: ['One', ' Two '],
    required: true,
  })
  assert.deepEqual(
    [field.name, field.type, field.required, field.retired],
    ['Stage', 'select', true, false],
  )
  assert.deepEqual(
    field.options.map((option: any) => option.name),
    ['One', 'Two'],
  )
  assert.ok(
    field.options.every((option: any) => /^opt_/.test(option.id) && /^#/.test(option.color)),
  )
  assert.deepEqual((await bob.call('get_project', { project_id })).custom_fields, [field])
})

test('only select fields have options, which are distinct and at least one', async () => {
  assert.equal((await refused({ name: 'A', type: 'text', options: ['x'] })).more.field, 'options')
  assert.equal((await refused({ name: 'A', type: 'select' })).more.field, 'options')
  assert.equal(
    (await refused({ name: 'A', type: 'multi_select', options: ['x', ' X'] })).more.field,
    'options[1]',
  )
  const text = await make({ name: 'Text', type: 'text' })
  assert.deepEqual(text.options, [])
  assert.equal(
    (await ann.refused('update_custom_field', { field_id: text.id, options: ['x'] })).more.field,
    'options',
  )
})

test('field names are unique within a project regardless of case; a retired field is named as such', async () => {
  const field = await make({ name: 'Größe', type: 'number' })
  const refusal = await refused({ name: 'GRÖSSE'.replace('SS', 'ß'), type: 'text' })
  assert.deepEqual([refusal.code, refusal.more.context], ['conflict', { existing_id: field.id }])
  await ann.call('update_custom_field', { field_id: field.id, retired: true })
  assert.match((await refused({ name: 'größe', type: 'text' })).body().message, /retired=false/)
  const other = await make({ name: 'Other', type: 'text' })
  assert.equal(
    (await ann.refused('update_custom_field', { field_id: other.id, name: 'größe' })).code,
    'conflict',
  )
  assert.equal(
    (await ann.call('update_custom_field', { field_id: other.id, name: 'OTHER' })).name,
    'OTHER',
  )
})

test('options keep their ids by name when others are added, removed or reordered', async () => {
  const field = await make({ name: 'Stage', type: 'select', options: ['One', 'Two', 'Three'] })
  const changed = await ann.call('update_custom_field', {
    field_id: field.id,
    options: ['THREE', 'One', 'Four'],
  })
  assert.deepEqual(
    changed.options.map((option: any) => option.name),
    ['THREE', 'One', 'Four'],
  )
  assert.deepEqual(
    [changed.options[0].id, changed.options[1].id],
    [field.options[2].id, field.options[0].id],
  )
})

test('an option used by tasks, even trashed ones, cannot be removed', async () => {
  const field = await make({ name: 'Stage', type: 'multi_select', options: ['One', 'Two'] })
  const task = await ann.call('create_task', {
    project_id,
    title: 'Uses it',
    custom_fields: { Stage: ['One'] },
  })
  const refusal = await ann.refused('update_custom_field', { field_id: field.id, options: ['Two'] })
  assert.deepEqual(
    [refusal.code, refusal.more.context],
    ['conflict', { option: 'One', tasks: 1, in_trash: 0 }],
  )
  await ann.call('delete_task', { task_id: task.id })
  assert.match(
    (await ann.refused('update_custom_field', { field_id: field.id, options: ['Two'] })).message,
    /1 task \(1 of them in the trash\)/,
  )
  assert.equal(
    (await ann.call('update_custom_field', { field_id: field.id, options: ['One'] })).options
      .length,
    1,
  )
})

test('only the lead can change fields, which are not visible outside the project', async () => {
  const field = await make({ name: 'Mine', type: 'text' })
  assert.equal(
    (await bob.refused('create_custom_field', { project_id, name: 'x', type: 'text' })).code,
    'permission_denied',
  )
  assert.equal(
    (await bob.refused('update_custom_field', { field_id: field.id, name: 'x' })).code,
    'permission_denied',
  )
  for (const who of [workspace.carol, workspace.eve]) {
    assert.equal(
      (await who.refused('create_custom_field', { project_id, name: 'x', type: 'text' })).code,
      'not_found',
    )
    assert.equal(
      (await who.refused('update_custom_field', { field_id: field.id, name: 'x' })).code,
      'not_found',
    )
  }
  await ann.call('archive_project', { project_id })
  assert.equal(
    (await ann.refused('update_custom_field', { field_id: field.id, name: 'x' })).code,
    'permission_denied',
  )
})
