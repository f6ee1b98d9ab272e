import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayLong, makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'
import { purgeTrash } from '../../../jobs/trash.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

async function pair(domain: string) {
  const { ann, bob } = workspace
  const label = await ann.call('create_label', { name: `label ${domain}` })
  const company = await ann.call('create_company', { name: `Company ${domain}`, domain })
  const survivor = await ann.call('create_contact', {
    name: 'J. Doe',
    emails: [`j@${domain}`],
    company_id: null,
    note: 'first',
    custom_fields: { a: 'kept', b: 'kept' },
  })
  const double = await bob.call('create_contact', {
    name: 'Jane Doe',
    emails: [`jane@${domain}`, `jd@${domain}`],
    phones: ['+4930901820'],
    title: 'CFO',
    label_ids: [label.id],
    note: 'second',
    custom_fields: { b: 'double', c: 'double' },
  })
  await bob.call('log_interaction', {
    kind: 'call',
    summary_markdown: 'Talked to her',
    contact_ids: [double.id],
  })
  await bob.call('log_interaction', {
    kind: 'note',
    summary_markdown: 'Both were there',
    contact_ids: [double.id, survivor.id],
  })
  const deal = await bob.call('create_deal', { name: 'Deal', contact_ids: [double.id] })
  return { label, company, kept: survivor, double, deal }
}

const names = (refs: { title: string }[]) => refs.map((ref) => ref.title)

test('a dry run shows each resulting field and the values lost, and changes nothing', async () => {
  const { ann } = workspace
  const { kept, double } = await pair('dry.example')
  const seen = await ann.call('merge_contacts', {
    contact_id: kept.id,
    duplicate_ids: [double.id],
    prefer: { name: double.id },
    dry_run: true,
  })
  const field = (name: string) => seen.fields.find((item: { field: string }) => item.field === name)
  assert.deepEqual(
    [field('name').value, field('name').from.id, field('name').lost],
    ['Jane Doe', double.id, [{ contact: { id: kept.id, title: 'J. Doe' }, value: 'J. Doe' }]],
  )
  assert.deepEqual([field('title').value, field('title').from.id], ['CFO', double.id])
  assert.deepEqual(field('emails').value, ['j@dry.example', 'jane@dry.example', 'jd@dry.example'])
  assert.deepEqual([field('note').value, field('note').from], ['first\n\nsecond', undefined])
  assert.deepEqual(
    [field('custom_fields').value, field('custom_fields').lost[0].contact.id],
    [{ a: 'kept', b: 'kept', c: 'double' }, double.id],
  )
  assert.deepEqual([seen.dry_run, seen.moved], [true, { interactions: 2, deals: 1 }])
  assert.equal((await ann.call('get_contact', { contact_id: double.id })).id, double.id)
})

test('a merge moves references of the duplicate, redirects its id, and is undone as a whole', async () => {
  const { ann, bob } = workspace
  const { kept, double, deal, label, company } = await pair('real.example')
  const key = await workspace.key(ann)
  await ann.call('merge_contacts', { contact_id: kept.id, duplicate_ids: [double.id] }, { key })
  const merged = await bob.call('get_contact', {
    contact_id: double.id,
    include: ['interactions', 'deals'],
  })
  assert.deepEqual(
    [merged.id, merged.name, merged.company.id, names(merged.labels), merged.phones],
    [kept.id, 'J. Doe', company.id, [label.name], ['+4930901820']],
  )
  assert.deepEqual(names(merged.deals), ['Deal'])
  assert.deepEqual(
    merged.interactions.map((interaction: { contacts: { id: string }[] }) =>
      interaction.contacts.map((who) => who.id),
    ),
    [[kept.id], [kept.id]],
  )
  assert.deepEqual(
    (await bob.call('get_deal', { deal_id: deal.id })).contacts.map(
      (contact: { id: string }) => contact.id,
    ),
    [kept.id],
  )
  assert.equal((await bob.call('get_contact', { contact_id: 'jd@real.example' })).id, kept.id)
  assert.equal(
    (await bob.call('update_contact', { contact_id: double.id, title: 'CEO' })).id,
    kept.id,
  )
  assert.equal(
    (await bob.call('list_trash', { type: ['contact'] })).items.some(
      (item: { item: { id: string } }) => item.item.id === double.id,
    ),
    false,
  )
  assert.equal(
    (await bob.refused('restore_item', { item_id: double.id })).code,
    'permission_denied',
  )
  const [call] = (await ann.call('list_api_calls', { tool: 'merge_contacts' })).items
  const stale = await ann.call('undo_api_call', { call_id: call.id })
  assert.deepEqual([stale.undone, stale.restored], [false, []], 'its title was changed since')
  assert.deepEqual(
    (await bob.call('get_deal', { deal_id: deal.id })).contacts.map(
      (contact: { id: string }) => contact.id,
    ),
    [kept.id],
    'nothing of it came back',
  )
  await bob.call('update_contact', { contact_id: kept.id, title: 'CFO' })
  assert.equal((await ann.call('undo_api_call', { call_id: call.id })).undone, true)
  const back = await bob.call('get_contact', {
    contact_id: double.id,
    include: ['interactions', 'deals'],
  })
  assert.deepEqual(
    [back.id, back.emails, back.interactions.length, names(back.deals)],
    [double.id, ['jane@real.example', 'jd@real.example'], 2, ['Deal']],
  )
  assert.deepEqual((await bob.call('get_contact', { contact_id: kept.id })).emails, [
    'j@real.example',
  ])
})

test('old ids resolve through several merges, even after the duplicates were erased', async () => {
  const { ann } = workspace
  const [a, b, c] = [
    await ann.call('create_contact', { name: 'A', emails: ['a@chain.example'] }),
    await ann.call('create_contact', { name: 'B', emails: ['b@chain.example'] }),
    await ann.call('create_contact', { name: 'C' }),
  ]
  await ann.call('merge_contacts', { contact_id: b.id, duplicate_ids: [a.id] })
  await ann.call('merge_contacts', { contact_id: c.id, duplicate_ids: [b.id] })
  workspace.clock.pass(40 * dayLong)
  while (await purgeTrash(workspace.app));
  for (const old of [a, b])
    assert.equal((await ann.call('get_contact', { contact_id: old.id })).id, c.id)
  assert.deepEqual((await ann.call('get_contact', { contact_id: a.id })).emails, [
    'b@chain.example',
    'a@chain.example',
  ])
})

test('a contact cannot be merged into itself or by a stranger, and only merged contacts can be preferred', async () => {
  const { ann, eve } = workspace
  const item = await ann.call('create_contact', { name: 'One' })
  const two = await ann.call('create_contact', { name: 'Two' })
  const third = await ann.call('create_contact', { name: 'Three' })
  assert.equal(
    (await ann.refused('merge_contacts', { contact_id: item.id, duplicate_ids: [item.id] })).more
      .field,
    'duplicate_ids',
  )
  assert.equal(
    (await ann.refused('merge_contacts', { contact_id: item.id, duplicate_ids: [] })).code,
    'invalid_argument',
  )
  assert.equal(
    (
      await ann.refused('merge_contacts', {
        contact_id: item.id,
        duplicate_ids: [two.id],
        prefer: { name: third.id },
      })
    ).more.field,
    'prefer.name',
  )
  assert.equal(
    (await eve.refused('merge_contacts', { contact_id: item.id, duplicate_ids: [two.id] })).code,
    'not_found',
  )
})

test('fields that exceed limits after a merge can be reduced but not extended', async () => {
  const { ann } = workspace
  const fields = (name: string) =>
    Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${name}${i}`, 'x']))
  const [kept, double] = [
    await ann.call('create_contact', { name: 'Full', custom_fields: fields('a') }),
    await ann.call('create_contact', { name: 'Full', custom_fields: fields('b') }),
  ]
  await ann.call('merge_contacts', { contact_id: kept.id, duplicate_ids: [double.id] })
  const update = (custom_fields: object) => ({ contact_id: kept.id, custom_fields })
  assert.equal(
    (await ann.refused('update_contact', update({ c: 'x' }))).more.field,
    'custom_fields',
  )
  assert.equal(
    Object.keys((await ann.call('update_contact', update({ a0: null, b0: 'y' }))).custom_fields)
      .length,
    99,
  )
})
