import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  await workspace.ann.call('create_project', {
    name: 'Brief',
    key: 'BRF',
    member_ids: [workspace.bob.id],
  })
})
after(() => workspace.close())

const brief = (meeting_id: string, who: Someone = workspace.ann, args: object = {}) =>
  who.call('get_meeting_brief', { meeting_id, ...args })
const createMeeting = async (
  title: string,
  on: string,
  participants: string[],
  more: object = {},
) =>
  workspace.ann.call('create_meeting', {
    title,
    starts_at: `${on}T10:00`,
    ends_at: `${on}T11:00`,
    participants,
    ...more,
  })

test('a brief lists earlier meetings with these people, their open items, decisions, tasks and pages', async () => {
  const { ann, bob, carol } = workspace
  const zed = 'Zed <zed@customer.example>'
  const both = await createMeeting('Both', '2026-11-02', [bob.id, zed])
  const item = await createMeeting('Only bob', '2026-11-09', [bob.id])
  await createMeeting('Only carol', '2026-11-10', [carol.id])
  await ann.call('add_action_items', {
    meeting_id: both.id,
    items: [{ text: 'Still open', owner: zed, due_on: '2026-11-30' }, { text: 'Finished' }],
  })
  const [, finished] = (await ann.call('list_action_items', { meeting_id: both.id })).items
  const task = await ann.call('create_task_from_source', {
    source_type: 'action_item',
    source_id: finished.id,
    project_id: 'BRF',
  })
  await ann.call('complete_task', { task_id: task.id })
  await ann.call('record_decision', {
    title: 'Agreed with bob',
    decision_markdown: 'x',
    meeting_id: item.id,
  })
  await ann.call('create_task', { project_id: 'BRF', title: 'Of bob', assignee_ids: [bob.id] })
  await ann.call('create_task', { project_id: 'BRF', title: 'Of ann', assignee_ids: [ann.id] })
  const next = await ann.call('create_meeting', {
    title: 'Next',
    starts_at: '2026-11-24T10:00',
    participants: [bob.id, zed],
    project_id: 'BRF',
  })
  await ann.call('create_page', {
    title: 'Minutes',
    body_markdown: `See [last time](/meetings/${both.id})`,
  })
  const meetingBrief = await brief(next.id)
  assert.deepEqual(
    meetingBrief.people.map((person: any) => [
      person.address.person?.title ?? person.address.email,
      person.last_met,
    ]),
    [
      ['Bob', item.starts_at],
      ['zed@customer.example', both.starts_at],
    ],
  )
  assert.deepEqual(
    meetingBrief.previous.map((met: any) => met.title),
    ['Both', 'Only bob'],
  )
  assert.deepEqual(
    meetingBrief.open_actions.map((action: any) => action.text),
    ['Still open'],
  )
  assert.deepEqual(
    meetingBrief.recent_decisions.map((decided: any) => decided.title),
    ['Agreed with bob'],
  )
  assert.deepEqual(
    meetingBrief.tasks.map((item: any) => item.title),
    ['Of bob'],
  )
  assert.deepEqual(
    meetingBrief.pages.map((page: any) => page.title),
    ['Minutes'],
  )
  assert.deepEqual([meetingBrief.threads, meetingBrief.deals, meetingBrief.facts], [[], [], []])
  const moduleNames = workspace.app.catalogue.modules.map((module) => module.name)
  assert.deepEqual(
    meetingBrief.missing_modules,
    ['email', 'knowledge'].filter((name) => !moduleNames.includes(name)),
  )
  assert.deepEqual(
    (await brief(next.id, ann, { max_items: 1 })).previous.map((met: any) => met.title),
    ['Both'],
  )
})

test('a brief shows each reader only what they can see', async () => {
  const { ann, bob, carol, eve } = workspace
  const secret = await createMeeting('Ann and carol', '2026-11-11', [carol.id])
  await ann.call('add_action_items', {
    meeting_id: secret.id,
    items: [{ text: 'Between us', owner: 'Carol' }],
  })
  await ann.call('record_decision', {
    title: 'Between us too',
    decision_markdown: 'x',
    meeting_id: secret.id,
    decided_by: [carol.id],
  })
  const { id } = await ann.call('create_meeting', {
    title: 'All three',
    starts_at: '2026-11-25T10:00',
    participants: [bob.id, carol.id],
  })
  const revealsSecrets = async (who: Someone) => {
    const meetingBrief = await brief(id, who)
    return [meetingBrief.previous, meetingBrief.open_actions, meetingBrief.recent_decisions].map(
      (items) => items.some((item: any) => /Between|Ann and carol/.test(item.title ?? item.text)),
    )
  }
  assert.deepEqual(
    [await revealsSecrets(ann), await revealsSecrets(carol), await revealsSecrets(bob)],
    [
      [true, true, true],
      [true, true, true],
      [false, false, false],
    ],
  )
  assert.equal(
    (await brief(id, bob)).people.some((person: any) => person.address.person?.id === bob.id),
    false,
  )
  assert.equal((await eve.refused('get_meeting_brief', { meeting_id: id })).code, 'not_found')
})

test('a meeting without other participants has a brief too', async () => {
  const { id } = await workspace.ann.call('create_meeting', { title: 'Alone' })
  const meetingBrief = await brief(id)
  assert.deepEqual([meetingBrief.people, meetingBrief.previous, meetingBrief.tasks], [[], [], []])
})

test('a brief shows title, company and open deals of external people from the directory', async () => {
  const { ann } = workspace
  const company = await ann.call('create_company', { name: 'Customer Ltd' })
  const contact = await ann.call('create_contact', {
    name: 'Cleo Customer',
    emails: ['cleo@customer.example'],
    title: 'CTO',
    company_id: company.id,
  })
  await ann.call('create_deal', { name: 'Theirs', company_id: company.id, amount: 10 })
  const visibleDeal = await ann.call('create_deal', {
    name: 'Hers',
    contact_ids: [contact.id],
    expected_close_on: '2026-12-01',
  })
  const lostDeal = await ann.call('create_deal', { name: 'Lost', contact_ids: [contact.id] })
  await ann.call('update_deal', { deal_id: lostDeal.id, status: 'lost', lost_reason: 'x' })
  await ann.call('create_deal', { name: 'Of others' })
  const { id } = await ann.call('create_meeting', {
    title: 'Offer',
    starts_at: '2026-11-26T10:00',
    participants: ['cleo@customer.example', 'who@nowhere.example'],
  })
  const meetingBrief = await brief(id)
  assert.deepEqual(meetingBrief.people, [
    {
      address: {
        name: 'Cleo Customer',
        email: 'cleo@customer.example',
        contact: { id: contact.id, title: 'Cleo Customer' },
      },
      title: 'CTO',
      company: 'Customer Ltd',
    },
    { address: { email: 'who@nowhere.example' } },
  ])
  assert.deepEqual(
    meetingBrief.deals.map((deal: any) => deal.name),
    ['Hers', 'Theirs'],
  )
  assert.deepEqual(
    (await brief(id, ann, { max_items: 1 })).deals.map((deal: any) => deal.id),
    [visibleDeal.id],
  )
  for (const [name, type, item_id] of [
    ['Cleo', 'person', contact.id],
    ['Customers', 'company', company.id],
  ] as const)
    await ann.call('create_entity', { name, type, item_id })
  await ann.call('create_entity', { name: 'Somebody else', type: 'person' })
  for (const [entity_id, predicate, value] of [
    ['Cleo', 'role', 'CFO'],
    ['Cleo', 'role', 'CTO'],
    ['Customers', 'renewal_date', '2027-01-31'],
    ['Somebody else', 'role', 'CEO'],
  ] as const)
    await ann.call('add_fact', { entity_id, predicate, value })
  assert.deepEqual(
    (await brief(id)).facts.map((fact: any) => [fact.entity.title, fact.predicate, fact.value]),
    [
      ['Customers', 'renewal_date', '2027-01-31'],
      ['Cleo', 'role', 'CTO'],
    ],
  )
  const guest = await workspace.person('Gus', { role: 'guest' })
  await ann.call('update_meeting', { meeting_id: id, visibility: 'organization' })
  const guestBrief = await brief(id, guest)
  assert.deepEqual(
    [
      guestBrief.deals,
      guestBrief.facts,
      guestBrief.people.filter((person: any) => person.company || person.address.contact),
    ],
    [[], [], []],
  )
})
