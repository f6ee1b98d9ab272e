import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayLong, makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'
import { purgeTrash } from '../../../jobs/trash.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

async function createPair(domain: string) {
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
  const duplicate = await bob.call('create_contact', {
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
    contact_ids: [duplicate.id],
  })
  await bob.call('log_interaction', {
    kind: 'note',
    summary_markdown: 'Both were there',
    contact_ids: [duplicate.id, survivor.id],
  })
  const deal = await bob.call('create_deal', { name: 'Deal', contact_ids: [duplicate.id] })
  return { label, company, survivor, duplicate, deal }
}

const names = (refs: { title: string }[]) => refs.map((ref) => ref.title)

test('a dry run shows each resulting field and the values lost, and changes nothing', async () => {
  const { ann } = workspace
  const { survivor, duplicate } = await createPair('dry.example')
  const dryRun = await ann.call('merge_contacts', {
    contact_id: survivor.id,
    duplicate_ids: [duplicate.id],
    prefer: { name: duplicate.id },
    dry_run: true,
  })
  const field = (name: string) =>
    dryRun.fields.find((item: { field: string }) => item.field === name)
  assert.deepEqual(
    [field('name').value, field('name').from.id, field('name').lost],
    [
      'Jane Doe',
      duplicate.id,
      [{ contact: { id: survivor.id, title: 'J. Doe' }, value: 'J. Doe' }],
    ],
  )
  assert.deepEqual([field('title').value, field('title').from.id], ['CFO', duplicate.id])
  assert.deepEqual(field('emails').value, ['j@dry.example', 'jane@dry.example', 'jd@dry.example'])
  assert.deepEqual([field('note').value, field('note').from], ['first\n\nsecond', undefined])
  assert.deepEqual(
    [field('custom_fields').value, field('custom_fields').lost[0].contact.id],
    [{ a: 'kept', b: 'kept', c: 'double' }, duplicate.id],
  )
  assert.deepEqual([dryRun.dry_run, dryRun.moved], [true, { interactions: 2, deals: 1 }])
  assert.equal((await ann.call('get_contact', { contact_id: duplicate.id })).id, duplicate.id)
})

test('a merge moves references of the duplicate, redirects its id, and is undone as a whole', async () => {
  const { ann, bob } = workspace
  const { survivor, duplicate, deal, label, company } = await createPair('real.example')
  const key = await workspace.key(ann)
  await ann.call(
    'merge_contacts',
    { contact_id: survivor.id, duplicate_ids: [duplicate.id] },
    { key },
  )
  const merged = await bob.call('get_contact', {
    contact_id: duplicate.id,
    include: ['interactions', 'deals'],
  })
  assert.deepEqual(
    [merged.id, merged.name, merged.company.id, names(merged.labels), merged.phones],
    [survivor.id, 'J. Doe', company.id, [label.name], ['+4930901820']],
  )
  assert.deepEqual(names(merged.deals), ['Deal'])
  assert.deepEqual(
    merged.interactions.map((interaction: { contacts: { id: string }[] }) =>
      interaction.contacts.map((who) => who.id),
    ),
    [[survivor.id], [survivor.id]],
  )
  assert.deepEqual(
    (await bob.call('get_deal', { deal_id: deal.id })).contacts.map(
      (contact: { id: string }) => contact.id,
    ),
    [survivor.id],
  )
  assert.equal((await bob.call('get_contact', { contact_id: 'jd@real.example' })).id, survivor.id)
  assert.equal(
    (await bob.call('update_contact', { contact_id: duplicate.id, title: 'CEO' })).id,
    survivor.id,
  )
  assert.equal(
    (await bob.call('list_trash', { type: ['contact'] })).items.some(
      (item: { item: { id: string } }) => item.item.id === duplicate.id,
    ),
    false,
  )
  assert.equal(
    (await bob.refused('restore_item', { item_id: duplicate.id })).code,
    'permission_denied',
  )
  const [call] = (await ann.call('list_api_calls', { tool: 'merge_contacts' })).items
  const refusedUndo = await ann.call('undo_api_call', { call_id: call.id })
  assert.deepEqual(
    [refusedUndo.undone, refusedUndo.restored],
    [false, []],
    'the title has been changed since',
  )
  assert.deepEqual(
    (await bob.call('get_deal', { deal_id: deal.id })).contacts.map(
      (contact: { id: string }) => contact.id,
    ),
    [survivor.id],
    'nothing was restored',
  )
  await bob.call('update_contact', { contact_id: survivor.id, title: 'CFO' })
  assert.equal((await ann.call('undo_api_call', { call_id: call.id })).undone, true)
  const restored = await bob.call('get_contact', {
    contact_id: duplicate.id,
    include: ['interactions', 'deals'],
  })
  assert.deepEqual(
    [restored.id, restored.emails, restored.interactions.length, names(restored.deals)],
    [duplicate.id, ['jane@real.example', 'jd@real.example'], 2, ['Deal']],
  )
  assert.deepEqual((await bob.call('get_contact', { contact_id: survivor.id })).emails, [
    'j@real.example',
  ])
})

test('old ids resolve through several merges, even after the duplicates were deleted permanently', async () => {
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

test('a contact cannot be merged into itself, or by someone of another organization, and only merged contacts can be preferred', async () => {
  const { ann, eve } = workspace
  const first = await ann.call('create_contact', { name: 'One' })
  const second = await ann.call('create_contact', { name: 'Two' })
  const third = await ann.call('create_contact', { name: 'Three' })
  assert.equal(
    (await ann.refused('merge_contacts', { contact_id: first.id, duplicate_ids: [first.id] })).more
      .field,
    'duplicate_ids',
  )
  assert.equal(
    (await ann.refused('merge_contacts', { contact_id: first.id, duplicate_ids: [] })).code,
    'invalid_argument',
  )
  assert.equal(
    (
      await ann.refused('merge_contacts', {
        contact_id: first.id,
        duplicate_ids: [second.id],
        prefer: { name: third.id },
      })
    ).more.field,
    'prefer.name',
  )
  assert.equal(
    (await eve.refused('merge_contacts', { contact_id: first.id, duplicate_ids: [second.id] }))
      .code,
    'not_found',
  )
})

test('fields that exceed limits after a merge can be reduced but not extended', async () => {
  const { ann } = workspace
  const fields = (name: string) =>
    Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${name}${i}`, 'x']))
  const [kept, duplicate] = [
    await ann.call('create_contact', { name: 'Full', custom_fields: fields('a') }),
    await ann.call('create_contact', { name: 'Full', custom_fields: fields('b') }),
  ]
  await ann.call('merge_contacts', { contact_id: kept.id, duplicate_ids: [duplicate.id] })
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
