import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  await workspace.ann.call('create_project', { name: 'Engineering', key: 'ENG' })
})
after(() => workspace.close())

const create = (name: string) =>
  workspace.ann.call('create_task_template', { name, outline: { title: 'Welcome {{who}}' } })
const use = (template_id: string, variables: object) =>
  workspace.ann.call('create_task_from_template', { template_id, project_id: 'ENG', variables })

test('a task template is renamed and given a new outline with variables', async () => {
  const { ann } = workspace
  const template = await create('Onboarding')
  const renamed = await ann.call('update_task_template', {
    template_id: template.id,
    name: ' Start ',
  })
  assert.deepEqual([renamed.name, renamed.variables], ['Start', ['who']])
  const changed = await ann.call('update_task_template', {
    template_id: template.id,
    outline: { title: 'Laptop for {{person}}', subtasks: [{ title: 'Order' }] },
    expected_revision: renamed.revision,
  })
  assert.deepEqual(changed.variables, ['person'])
  const result = await use(template.id, { person: 'Eve' })
  assert.equal(result.changed, 2)
  assert.ok(result.items.some((row: any) => row.title === 'Laptop for Eve'))
})

test('a deleted task template cannot be used until it is restored; its tasks are kept', async () => {
  const { ann } = workspace
  const { id: template_id } = await create('Leaving')
  const {
    items: [task],
  } = await use(template_id, { who: 'Tom' })
  await ann.call('delete_task_template', { template_id })
  const args = { template_id, project_id: 'ENG', variables: { who: 'Tom' } }
  assert.equal((await ann.refused('create_task_from_template', args)).code, 'not_found')
  assert.ok(await ann.call('get_task', { task_id: task.id }))
  await ann.call('restore_item', { item_id: template_id })
  assert.equal((await use(template_id, { who: 'Tom' })).changed, 1)
})

test('only the creator can change a template, and undo reverts changes', async () => {
  const { ann, bob, eve } = workspace
  const by = { key: await workspace.key(ann) }
  const { id: template_id } = await create('Mine')
  for (const tool of ['update_task_template', 'delete_task_template']) {
    assert.equal((await bob.refused(tool, { template_id })).code, 'permission_denied')
    assert.equal((await eve.refused(tool, { template_id })).code, 'not_found')
  }
  await ann.call('update_task_template', { template_id, name: 'Yours' }, by)
  const deletion = await ann.call('delete_task_template', { template_id }, by)
  await ann.call('undo_api_call', { call_id: deletion.undo_call_id }, by)
  const log = await ann.call('list_api_calls', { tool: 'update_task_template', limit: 1 }, by)
  await ann.call('undo_api_call', { call_id: log.items[0].id }, by)
  const { items } = await ann.call('list_task_templates', { query: 'Mine' })
  assert.equal(items[0].id, template_id)
})
