import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  dayLong,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'

let workspace: TestWorkspace
let guest: Someone
before(async () => {
  workspace = await makeWorkspace()
  guest = await workspace.person('Gus', { role: 'guest' })
})
after(() => workspace.close())

const createDeal = (name: string, fields: Record<string, unknown> = {}, who = workspace.ann) =>
  who.call('create_deal', { name, ...fields })
const updateDeal = (deal_id: string, more: Record<string, unknown>, who = workspace.ann) =>
  who.call('update_deal', { deal_id, ...more })
const names = (page: { items: { name: string }[] }) => page.items.map((item) => item.name)

/** Makes calls with a key, so that they can be undone. */
async function withKey(who: Someone) {
  const key = await workspace.key(who)
  return {
    call: (tool: string, args: Record<string, unknown>) =>
      who.call(tool, args, { via: 'api', key }),
    undo: async () =>
      who.call('undo_api_call', {
        call_id: (await who.call('list_api_calls', { limit: 1 })).items[0].id,
      }),
  }
}

async function eventsOf(id: string): Promise<string[]> {
  const rows = await workspace.app.store.read
    .selectFrom('changes')
    .select('events_json')
    .where('item_id', '=', id)
    .orderBy('seq')
    .execute()
  return rows.flatMap((row) => JSON.parse(row.events_json) as string[])
}

test('a deal starts in the first stage, owned by its creator, in the workspace currency', async () => {
  const { bob } = workspace
  const createdDeal = await createDeal(
    'First',
    { amount: 1200.5, expected_close_on: '2026-12-01', note: 'from the fair' },
    bob,
  )
  assert.deepEqual(
    [
      createdDeal.stage,
      createdDeal.status,
      createdDeal.amount,
      createdDeal.currency,
      createdDeal.owner.title,
      createdDeal.expected_close_on,
      createdDeal.stale_days,
      createdDeal.note,
    ],
    ['Lead', 'open', 1200.5, 'EUR', 'Bob', '2026-12-01', 0, 'from the fair'],
  )
  assert.deepEqual(
    createdDeal.stage_history.map((item: any) => [item.stage, item.status]),
    [['Lead', 'open']],
  )
  assert.equal((await createDeal('Second', { stage: ' proposal ' })).stage, 'Proposal')
})

test('invalid stages, currencies and amounts are refused with the valid values', async () => {
  const { ann } = workspace
  const refused = (more: Record<string, unknown>) =>
    ann.refused('create_deal', { name: 'x', ...more })
  assert.match(
    (await refused({ stage: 'Dreaming' })).more.hint!,
    /Lead, Qualified, Proposal, Negotiation/,
  )
  assert.match((await refused({ stage: 'won' })).more.hint!, /send status won/)
  assert.equal((await refused({ currency: 'EURO' })).more.field, 'currency')
  assert.match((await refused({ amount: 1.005 })).message, /too many decimal places for EUR/)
  assert.match((await refused({ amount: 1.5, currency: 'JPY' })).more.hint!, /whole number/)
  assert.equal((await refused({ amount: -1 })).code, 'invalid_argument')
  assert.equal((await refused({ expected_close_on: '2026-02-30' })).code, 'invalid_argument')
  assert.equal((await createDeal('Yen', { amount: 1500, currency: 'jpy' })).currency, 'JPY')
  assert.equal((await createDeal('Dinar', { amount: 1.125, currency: 'KWD' })).amount, 1.125)
})

test('a deal moves through its stages, is won, reopened and lost, and each change is recorded with its time', async () => {
  const { ann, clock } = workspace
  const { id } = await createDeal('Steps')
  clock.pass(dayLong)
  await updateDeal(id, { stage: 'Qualified' })
  clock.pass(dayLong)
  const won = await updateDeal(id, { status: 'won' })
  assert.deepEqual(
    [won.status, won.stage, won.closed_at],
    ['won', 'Qualified', new Date(clock.at).toISOString()],
  )
  assert.equal((await ann.refused('update_deal', { deal_id: id, stage: 'Lead' })).code, 'conflict')
  assert.match(
    (await ann.refused('update_deal', { deal_id: id, status: 'lost', lost_reason: 'x' })).more
      .hint!,
    /status open/,
  )
  clock.pass(dayLong)
  const again = await updateDeal(id, { status: 'open', stage: 'Negotiation' })
  assert.equal(again.closed_at, undefined)
  assert.equal(
    (await ann.refused('update_deal', { deal_id: id, status: 'lost' })).more.field,
    'lost_reason',
  )
  assert.equal(
    (await ann.refused('update_deal', { deal_id: id, lost_reason: 'price' })).more.field,
    'lost_reason',
  )
  const lost = await updateDeal(id, { status: 'lost', lost_reason: 'price' })
  assert.equal(lost.lost_reason, 'price')
  assert.equal(
    (await updateDeal(id, { status: 'lost' })).revision,
    lost.revision,
    'repeating the change has no effect',
  )
  assert.equal((await updateDeal(id, { lost_reason: 'too late' })).lost_reason, 'too late')
  assert.deepEqual(
    lost.stage_history.map((item: any) => `${item.stage} ${item.status}`),
    ['Lead open', 'Qualified open', 'Qualified won', 'Negotiation open', 'Negotiation lost'],
  )
  assert.equal((await updateDeal(id, { status: 'open' })).lost_reason, undefined)
  const events = await eventsOf(id)
  assert.deepEqual(
    ['deal.created', 'deal.stage_changed', 'deal.won', 'deal.lost'].filter(
      (name) => !events.includes(name),
    ),
    [],
  )
  assert.equal(events.filter((event) => event === 'deal.stage_changed').length, 2)
})

test('changing the currency keeps the amount if the currency has enough decimal places', async () => {
  const { ann } = workspace
  const { id } = await createDeal('Coins', { amount: 10.5 })
  assert.deepEqual(
    [
      (await updateDeal(id, { currency: 'USD' })).amount,
      (await updateDeal(id, { amount: null })).amount,
    ],
    [10.5, undefined],
  )
  await updateDeal(id, { amount: 10.5 })
  assert.equal(
    (await ann.refused('update_deal', { deal_id: id, currency: 'JPY' })).more.field,
    'amount',
  )
  assert.equal((await updateDeal(id, { currency: 'JPY', amount: 11 })).amount, 11)
})

test('the company is derived from the contacts, of whom at least one must belong to it', async () => {
  const { ann } = workspace
  const [acme, other] = [
    await ann.call('create_company', { name: 'Fit' }),
    await ann.call('create_company', { name: 'Other' }),
  ]
  const person = (name: string, company_id?: string) =>
    ann.call('create_contact', { name, ...(company_id ? { company_id } : {}) })
  const [ofAcme, ofOther, withoutCompany] = [
    await person('At', acme.id),
    await person('Elsewhere', other.id),
    await person('Free'),
  ]
  assert.equal(
    (await createDeal('Derived', { contact_ids: [ofAcme.id, withoutCompany.id] })).company.title,
    'Fit',
  )
  assert.equal(
    (await createDeal('Several', { contact_ids: [ofAcme.id, ofOther.id] })).company,
    undefined,
  )
  const mixed = await createDeal('Mixed', {
    company_id: acme.id,
    contact_ids: [ofAcme.id, ofOther.id],
  })
  assert.deepEqual(mixed.contacts.map((contact: any) => contact.title).sort(), ['At', 'Elsewhere'])
  assert.equal(
    (
      await ann.refused('create_deal', {
        name: 'x',
        company_id: acme.id,
        contact_ids: [ofOther.id],
      })
    ).more.field,
    'contact_ids',
  )
  assert.equal(
    (await ann.refused('update_deal', { deal_id: mixed.id, contact_ids: [ofOther.id] })).more.field,
    'contact_ids',
  )
  assert.deepEqual(
    (await updateDeal(mixed.id, { contact_ids: [withoutCompany.id] })).contacts.map(
      (contact: any) => contact.title,
    ),
    ['Free'],
  )
  assert.deepEqual((await updateDeal(mixed.id, { contact_ids: [] })).contacts, [])
})

test('a new owner is notified, and guests and deactivated people cannot own deals', async () => {
  const { ann, bob, carol } = workspace
  const { id } = await createDeal('Owned', { owner_id: bob.id })
  await updateDeal(id, { owner_id: carol.id })
  await updateDeal(id, { status: 'won' })
  const received = async (who: Someone) =>
    (await who.call('list_notifications', { limit: 100 })).items
      .filter((item: any) => item.item.id === id)
      .map((item: any) => item.text)
  assert.deepEqual(await received(bob), ['Ann made you the owner of a deal'])
  assert.deepEqual((await received(carol)).sort(), [
    'Ann made you the owner of a deal',
    'Ann marked your deal as won',
  ])
  assert.equal(
    (await ann.refused('create_deal', { name: 'x', owner_id: guest.id })).more.field,
    'owner_id',
  )
})

test('deals are filtered by stage, state, owner, company, close date and staleness', async () => {
  const { ann, bob, clock } = workspace
  const company = await ann.call('create_company', { name: 'Listed' })
  const companyFields = { company_id: company.id }
  const quietDeal = await createDeal('Quiet', { ...companyFields, expected_close_on: '2027-03-01' })
  const activeDeal = await createDeal('Talked', {
    ...companyFields,
    stage: 'Proposal',
    owner_id: bob.id,
    expected_close_on: '2027-02-01',
  })
  const person = await ann.call('create_contact', { name: 'Pat' })
  clock.pass(10 * dayLong)
  await ann.call('log_interaction', {
    kind: 'call',
    summary_markdown: 'x',
    contact_ids: [person.id],
    deal_id: activeDeal.id,
  })
  const newDeal = await createDeal('Fresh', companyFields)
  clock.pass(5 * dayLong)
  await updateDeal(newDeal.id, { status: 'won' })
  const list = async (more: Record<string, unknown>) =>
    names(await ann.call('list_deals', { ...companyFields, ...more }))
  assert.deepEqual(await list({}), ['Fresh', 'Talked', 'Quiet'])
  assert.deepEqual(await list({ status: ['open'] }), ['Talked', 'Quiet'])
  assert.deepEqual(await list({ status: ['won', 'lost'] }), ['Fresh'])
  assert.deepEqual(await list({ stage: ['proposal'] }), ['Talked'])
  assert.deepEqual(await list({ owner_id: 'bob@acme.test' }), ['Talked'])
  assert.deepEqual(await list({ close_before: '2027-02-01' }), ['Talked'])
  assert.deepEqual(await list({ stale_days: 15 }), ['Quiet'])
  assert.deepEqual(await list({ stale_days: 5 }), ['Talked', 'Quiet'])
  assert.deepEqual(
    [
      (await ann.call('get_deal', { deal_id: quietDeal.id })).stale_days,
      (await ann.call('get_deal', { deal_id: activeDeal.id })).stale_days,
      (await ann.call('get_deal', { deal_id: newDeal.id })).stale_days,
    ],
    [15, 5, 0],
  )
  assert.equal((await ann.call('get_deal', { deal_id: activeDeal.id })).interactions.length, 1)
  const first = await ann.call('list_deals', { ...companyFields, status: ['open'], limit: 1 })
  assert.deepEqual(
    [
      names(first),
      names(
        await ann.call('list_deals', {
          ...companyFields,
          status: ['open'],
          limit: 1,
          cursor: first.next_cursor,
        }),
      ),
    ],
    [['Talked'], ['Quiet']],
  )
  assert.equal((await ann.refused('list_deals', { stage: ['Nowhere'] })).more.field, 'stage[0]')
})

test('a deal update and a deal creation can be undone', async () => {
  const { ann } = workspace
  const { call, undo } = await withKey(ann)
  const { id } = await createDeal('Undone', { amount: 5 })
  await call('update_deal', {
    deal_id: id,
    stage: 'Proposal',
    amount: 7,
    status: 'lost',
    lost_reason: 'gone',
  })
  assert.equal((await undo()).undone, true)
  const reverted = await ann.call('get_deal', { deal_id: id })
  assert.deepEqual(
    [
      reverted.stage,
      reverted.status,
      reverted.amount,
      reverted.lost_reason,
      reverted.stage_history.length,
    ],
    ['Lead', 'open', 5, undefined, 1],
  )
  const undoneDeal = await call('create_deal', { name: 'Mistake' })
  assert.equal((await undo()).undone, true)
  assert.equal((await ann.refused('get_deal', { deal_id: undoneDeal.id })).code, 'not_found')
  await ann.call('restore_item', { item_id: undoneDeal.id })
  assert.equal((await ann.call('get_deal', { deal_id: undoneDeal.id })).name, 'Mistake')
})

test('a repeated idempotency key creates one deal', async () => {
  const { ann } = workspace
  const [one, other] = [
    await createDeal('Once', { idempotency_key: 'deal-1' }),
    await createDeal('Once', { idempotency_key: 'deal-1' }),
  ]
  assert.equal(one.id, other.id)
  assert.equal(
    (await ann.refused('create_deal', { name: 'Twice', idempotency_key: 'deal-1' })).code,
    'idempotency_conflict',
  )
})

test('a stale revision is refused', async () => {
  const { ann } = workspace
  const { id, revision } = await createDeal('Revised')
  await updateDeal(id, { amount: 1 })
  assert.equal(
    (await ann.refused('update_deal', { deal_id: id, amount: 2, expected_revision: revision }))
      .code,
    'conflict',
  )
})

test('guests and other organizations see no deals, and guests cannot create any', async () => {
  const { eve } = workspace
  const { id } = await createDeal('Hidden')
  for (const who of [guest, eve]) {
    assert.equal((await who.refused('get_deal', { deal_id: id })).code, 'not_found')
    assert.equal((await who.refused('update_deal', { deal_id: id, amount: 1 })).code, 'not_found')
    assert.deepEqual((await who.call('list_deals')).items, [])
  }
  assert.equal((await guest.refused('create_deal', { name: 'x' })).code, 'permission_denied')
})
