import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
let guest: Someone
before(async () => {
  workspace = await makeWorkspace()
  guest = await workspace.person('Gus', { role: 'guest' })
})
after(() => workspace.close())

const createCompany = (name: string, fields: Record<string, unknown> = {}) =>
  workspace.ann.call('create_company', { name, ...fields })
const names = (page: { items: { name: string }[] }) => page.items.map((item) => item.name)

test('a domain is stored in normalized form, and creating a company with it again returns the existing one', async () => {
  const { ann, bob } = workspace
  const createdCompany = await createCompany('Müller', {
    domain: 'https://www.Müller.example/about?x',
    industry: 'Bakery',
    size: '11-50',
    note: 'bread',
    custom_fields: { since: 1912 },
  })
  assert.deepEqual(
    [
      createdCompany.domain,
      createdCompany.existing,
      createdCompany.industry,
      createdCompany.size,
      createdCompany.custom_fields,
    ],
    ['xn--mller-kva.example', false, 'Bakery', '11-50', { since: 1912 }],
  )
  const again = await bob.call('create_company', {
    name: 'Mueller GmbH',
    domain: 'MÜLLER.example.',
  })
  assert.deepEqual([again.id, again.name, again.existing], [createdCompany.id, 'Müller', true])
  assert.equal(
    (await ann.call('get_company', { company_id: 'www.müller.example' })).id,
    createdCompany.id,
  )
  for (const domain of ['acme', 'a b.com', '1.2.3.4', '.com', `${'a'.repeat(64)}.com`])
    assert.equal(
      (await ann.refused('create_company', { name: 'x', domain })).more.field,
      'domain',
      domain,
    )
  assert.notEqual((await createCompany('Müller')).id, createdCompany.id, 'names need not be unique')
})

test('fields are changed and cleared, and a domain of another company is refused', async () => {
  const { ann, bob } = workspace
  const [one, other] = [
    await createCompany('One', { domain: 'one.example' }),
    await createCompany('Other', { domain: 'other.example', owner_id: 'me' }),
  ]
  const refusal = await ann.refused('update_company', {
    company_id: one.id,
    domain: 'other.example',
  })
  assert.deepEqual([refusal.code, refusal.more.context], ['conflict', { existing_id: other.id }])
  const changed = await ann.call('update_company', {
    company_id: one.id,
    name: 'First',
    domain: 'first.example',
    owner_id: bob.id,
    note: 'n',
    custom_fields: { a: 'b', c: 'd' },
  })
  assert.deepEqual(
    [changed.name, changed.domain, changed.owner.title, changed.note],
    ['First', 'first.example', 'Bob', 'n'],
  )
  const cleared = await ann.call('update_company', {
    company_id: 'first.example',
    domain: null,
    owner_id: null,
    note: null,
    custom_fields: { a: null },
  })
  assert.deepEqual(
    [cleared.domain, cleared.owner, cleared.note, cleared.custom_fields],
    [undefined, undefined, undefined, { c: 'd' }],
  )
  assert.equal(
    (await createCompany('Again', { domain: 'one.example' })).existing,
    false,
    'a released domain is free again',
  )
  assert.equal(
    (await bob.call('list_notifications')).items.some((entry: any) => entry.item.id === one.id),
    true,
  )
  assert.equal(
    (await ann.refused('update_company', { company_id: one.id, name: 'x', expected_revision: 1 }))
      .code,
    'conflict',
  )
})

test('a company shows its people, the value of open deals by currency, and interactions', async () => {
  const { ann } = workspace
  const createdCompany = await createCompany('Shown', { domain: 'shown.example' })
  const people = []
  for (const name of ['Zoe', 'Äda', 'Bo'])
    people.push(await ann.call('create_contact', { name, company_id: createdCompany.id }))
  const deals = [
    { amount: 0.1 },
    { amount: 0.2 },
    { amount: 1000, currency: 'USD' },
    {},
    { amount: 99 },
  ]
  const createdDeals = []
  for (const [i, more] of deals.entries())
    createdDeals.push(
      await ann.call('create_deal', { name: `Deal ${i}`, company_id: createdCompany.id, ...more }),
    )
  await ann.call('update_deal', { deal_id: createdDeals[4].id, status: 'won' })
  await ann.call('log_interaction', {
    kind: 'call',
    summary_markdown: 'Called',
    contact_ids: [people[0].id],
  })
  const detail = await ann.call('get_company', { company_id: createdCompany.id })
  assert.deepEqual(
    detail.contacts.map((contact: any) => contact.title),
    ['Äda', 'Bo', 'Zoe'],
  )
  assert.deepEqual([detail.contact_count, detail.open_deal_value], [3, { EUR: 0.3, USD: 1000 }])
  assert.deepEqual(
    detail.deals.map((deal: any) => [deal.title, deal.status]),
    [
      ['Deal 3', 'open'],
      ['Deal 2', 'open'],
      ['Deal 1', 'open'],
      ['Deal 0', 'open'],
      ['Deal 4', 'won'],
    ],
  )
  assert.equal(detail.interactions[0].summary_markdown, 'Called')
  assert.equal(detail.last_contacted_at, detail.interactions[0].occurred_at)
  assert.deepEqual(
    (await ann.call('list_companies', { query: 'SHOWN' })).items.map((item: any) => [
      item.name,
      item.contact_count,
      item.open_deal_value.EUR,
    ]),
    [['Shown', 3, 0.3]],
  )
})

test('companies are found by name, domain, owner and labels of their people, sorted by name', async () => {
  const { ann, bob } = workspace
  const label = await ann.call('create_label', { name: 'VIP' })
  const [b, a] = [
    await createCompany('find b', { domain: 'findme.example' }),
    await createCompany('Find Ä', { owner_id: bob.id }),
  ]
  await ann.call('create_contact', { name: 'Vip', company_id: b.id, label_ids: [label.id] })
  const list = async (more: Record<string, unknown>) =>
    names(await ann.call('list_companies', more))
  assert.deepEqual(await list({ query: 'find ' }), ['Find Ä', 'find b'])
  assert.deepEqual(await list({ query: 'findme' }), ['find b'])
  assert.deepEqual(await list({ owner_id: bob.id }), ['Find Ä'])
  assert.deepEqual(await list({ label_id: ['VIP'] }), ['find b'])
  const first = await ann.call('list_companies', { query: 'find ', limit: 1 })
  assert.deepEqual(
    names(
      await ann.call('list_companies', { query: 'find ', limit: 1, cursor: first.next_cursor }),
    ),
    ['find b'],
  )
  assert.ok(a.id)
})

test('creating a company can be undone unless it has people', async () => {
  const { ann } = workspace
  const key = await workspace.key(ann)
  const createWithKey = async (domain: string) =>
    ann.call('create_company', { name: domain, domain }, { via: 'api', key })
  const undo = async () =>
    ann.call('undo_api_call', {
      call_id: (await ann.call('list_api_calls', { limit: 1 })).items[0].id,
    })
  const undoneCompany = await createWithKey('gone.example')
  assert.equal((await undo()).undone, true)
  assert.equal(
    (await ann.refused('get_company', { company_id: undoneCompany.id })).code,
    'not_found',
  )
  const next = await createCompany('Next', { domain: 'gone.example' })
  assert.equal(
    (await ann.refused('restore_item', { item_id: undoneCompany.id })).code,
    'conflict',
    'its domain was taken meanwhile',
  )
  await ann.call(
    'update_company',
    { company_id: next.id, domain: 'moved.example', note: 'n', owner_id: 'me' },
    { via: 'api', key },
  )
  assert.equal((await undo()).undone, true)
  const reverted = await ann.call('get_company', { company_id: next.id })
  assert.deepEqual(
    [reverted.domain, reverted.note, reverted.owner],
    ['gone.example', undefined, undefined],
  )
  const used = await createWithKey('used.example')
  await ann.call('create_contact', { name: 'Uma', company_id: used.id })
  const refusedUndo = await undo()
  assert.deepEqual([refusedUndo.undone, refusedUndo.refused[0].reason], [false, 'changed_since'])
})

test('guests and other organizations see no companies, and guests cannot create any', async () => {
  const { eve } = workspace
  const { id } = await createCompany('Hidden', { domain: 'hidden.example' })
  for (const who of [guest, eve]) {
    for (const company_id of [id, 'hidden.example']) {
      assert.equal((await who.refused('get_company', { company_id })).code, 'not_found')
      assert.equal(
        (await who.refused('update_company', { company_id, name: 'x' })).code,
        'not_found',
      )
    }
    assert.deepEqual((await who.call('list_companies')).items, [])
  }
  assert.equal(
    (await eve.call('create_company', { name: 'Own', domain: 'hidden.example' })).existing,
    false,
  )
  assert.equal((await guest.refused('create_company', { name: 'x' })).code, 'permission_denied')
})
