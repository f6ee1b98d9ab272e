import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

test('deleting a company detaches its contacts and deals, and restoring reattaches them', async () => {
  const { ann, bob } = workspace
  const company = await ann.call('create_company', { name: 'Muster', domain: 'muster.example' })
  const contact = await ann.call('create_contact', { name: 'Erika', emails: ['e@muster.example'] })
  assert.equal(contact.company.title, 'Muster')
  const deal = await ann.call('create_deal', { name: 'Machines', company_id: company.id })
  const dryRun = await bob.call('delete_company', { company_id: company.id, dry_run: true })
  assert.deepEqual([dryRun.dry_run, dryRun.item.id], [true, company.id])
  const deletion = await bob.call('delete_company', { company_id: company.id })
  assert.ok(deletion.restorable_until)
  assert.equal((await ann.refused('get_company', { company_id: company.id })).code, 'not_found')
  assert.equal((await ann.call('get_contact', { contact_id: contact.id })).company, undefined)
  assert.equal((await ann.call('get_deal', { deal_id: deal.id })).company, undefined)
  assert.equal((await ann.call('list_trash', { type: ['company'] })).items[0].item.id, company.id)
  await ann.call('restore_item', { item_id: company.id })
  assert.equal((await ann.call('get_contact', { contact_id: contact.id })).company.title, 'Muster')
  assert.equal((await ann.call('get_deal', { deal_id: deal.id })).company.title, 'Muster')
})

test('a company cannot be restored while another has its domain', async () => {
  const { ann } = workspace
  const first = await ann.call('create_company', { name: 'First', domain: 'same.example' })
  await ann.call('delete_company', { company_id: first.id })
  const second = await ann.call('create_company', { name: 'Second', domain: 'same.example' })
  assert.equal(second.existing, false)
  assert.equal((await ann.refused('restore_item', { item_id: first.id })).code, 'conflict')
})

test('a deleted deal leaves the pipeline and can be restored', async () => {
  const { ann, bob } = workspace
  const deal = await ann.call('create_deal', { name: 'Turbines', amount: 5000, currency: 'EUR' })
  const contact = await ann.call('create_contact', { name: 'Talker' })
  const loggedCall = await ann.call('log_interaction', {
    kind: 'call',
    summary_markdown: 'Price',
    deal_id: deal.id,
    contact_ids: [contact.id],
  })
  await bob.call('delete_deal', { deal_id: deal.id })
  assert.equal((await ann.refused('get_deal', { deal_id: deal.id })).code, 'not_found')
  const dealNames = async () => (await ann.call('list_deals')).items.map((row: any) => row.name)
  assert.ok(!(await dealNames()).includes('Turbines'))
  const interactions = await ann.call('list_interactions', {})
  assert.ok(interactions.items.some((row: any) => row.id === loggedCall.id))
  await bob.call('restore_item', { item_id: deal.id })
  assert.ok((await dealNames()).includes('Turbines'))
})

test('undo restores deleted items', async () => {
  const { ann } = workspace
  const withKey = { key: await workspace.key(ann) }
  const company = await ann.call('create_company', { name: 'Undone' })
  const deal = await ann.call('create_deal', { name: 'Undone deal', company_id: company.id })
  for (const [tool, args, read] of [
    ['delete_company', { company_id: company.id }, 'get_company'],
    ['delete_deal', { deal_id: deal.id }, 'get_deal'],
  ] as const) {
    const { undo_call_id } = await ann.call(tool, args, withKey)
    const undone = await ann.call('undo_api_call', { call_id: undo_call_id }, withKey)
    assert.equal(undone.undone, true, tool)
    assert.ok(await ann.call(read, args))
  }
})

test('guests and people of other organizations cannot delete anything', async () => {
  const { ann, eve, person } = workspace
  const guest = await person('Gus', { role: 'guest' })
  const company = await ann.call('create_company', { name: 'Ours' })
  const deal = await ann.call('create_deal', { name: 'Our deal' })
  for (const who of [eve, guest]) {
    const company_id = company.id
    assert.equal((await who.refused('delete_company', { company_id })).code, 'not_found')
    assert.equal((await who.refused('delete_deal', { deal_id: deal.id })).code, 'not_found')
  }
})
