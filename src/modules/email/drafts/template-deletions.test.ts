import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

test('an email template is trashed by its owner and can be restored', async () => {
  const { ann, bob, eve } = workspace
  const keyOptions = { key: await workspace.key(ann) }
  const { id: template_id } = await ann.call('create_email_template', {
    name: 'Welcome',
    subject: 'Hello',
    body_markdown: 'Dear {{name}}',
    shared: true,
  })
  const denied = await bob.refused('delete_email_template', { template_id })
  assert.equal(denied.code, 'permission_denied')
  assert.equal((await eve.refused('delete_email_template', { template_id })).code, 'not_found')
  const deletion = await ann.call('delete_email_template', { template_id }, keyOptions)
  const templateCount = async () => (await bob.call('list_email_templates')).items.length
  assert.equal(await templateCount(), 0)
  await ann.call('undo_api_call', { call_id: deletion.undo_call_id }, keyOptions)
  assert.equal(await templateCount(), 1)
  await ann.call('delete_email_template', { template_id })
  await ann.call('restore_item', { item_id: template_id })
  assert.equal(await templateCount(), 1)
})
