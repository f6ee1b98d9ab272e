// Search over everything: includes each kind that words can find, for exactly those who see the item.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'
import { plantEmail, plantMailbox } from '../../../testing/mail/mailboxes.ts'

interface TestItem {
  id: string
  /** Title of its container. */
  place?: string
  /** People who find it, besides ann, who created it. */
  readers: Someone[]
  /** Its own module's search. */
  ownSearch?: [tool: string, args: Record<string, unknown>]
}

let workspace: TestWorkspace
let guest: Someone
let testItems: Map<string, TestItem>
const wordOf = (kind: string) => `qz${kind.replace('_', '')}vux`

before(async () => {
  workspace = await makeWorkspace()
  guest = await workspace.person('Gil', { role: 'guest' })
  testItems = await createTestItems()
})
after(() => workspace.close())

async function createTestItems(): Promise<Map<string, TestItem>> {
  const { ann, bob, carol } = workspace
  const colleagues = [bob, carol]
  const all = new Map<string, TestItem>()
  const project = await ann.call('create_project', {
    name: `Pier ${wordOf('project')}`,
    key: 'PIER',
    member_ids: [bob.id],
  })
  all.set('project', {
    id: project.id,
    readers: [bob],
    ownSearch: ['list_projects', { query: wordOf('project') }],
  })
  const task = await ann.call('create_task', {
    project_id: 'PIER',
    title: 'Piles',
    description_markdown: wordOf('task'),
  })
  all.set('task', {
    id: task.id,
    readers: [bob],
    ownSearch: ['search_tasks', { query: wordOf('task') }],
  })
  const page = await ann.call('create_page', {
    title: 'Quay',
    body_markdown: wordOf('page'),
    visibility: 'private',
  })
  all.set('page', {
    id: page.id,
    readers: [],
    ownSearch: ['search_pages', { query: wordOf('page') }],
  })
  const channel = await ann.call('create_channel', {
    name: 'harbour',
    kind: 'private',
    member_ids: [bob.id],
  })
  const message = await ann.call('send_message', {
    channel_id: channel.id,
    body_markdown: wordOf('message'),
  })
  all.set('message', {
    id: message.id,
    place: 'harbour',
    readers: [bob],
    ownSearch: ['search_messages', { query: wordOf('message') }],
  })
  const folder = await ann.call('create_folder', { name: 'Plans' })
  const file = await ann.call('upload_file', {
    name: 'plan.txt',
    content_text: wordOf('file'),
    mime_type: 'text/plain',
    folder_id: folder.id,
  })
  all.set('file', {
    id: file.id,
    place: 'Plans',
    readers: [],
    ownSearch: ['search_files', { query: wordOf('file') }],
  })
  const event = await ann.call('create_event', {
    title: 'Tour',
    location: wordOf('event'),
    starts_at: '2026-11-25T10:00',
    ends_at: '2026-11-25T11:00',
  })
  all.set('event', {
    id: event.id,
    place: 'Calendar',
    readers: [],
    ownSearch: ['list_events', { query: wordOf('event'), from: '2026-11-01', to: '2026-12-01' }],
  })
  const meeting = await ann.call('create_meeting', {
    title: 'Dredging',
    agenda: [wordOf('meeting')],
    visibility: 'participants',
    participants: [bob.id],
  })
  all.set('meeting', { id: meeting.id, readers: [bob] })
  const decision = await ann.call('record_decision', {
    meeting_id: meeting.id,
    title: 'Deeper',
    decision_markdown: wordOf('decision'),
  })
  all.set('decision', {
    id: decision.id,
    place: 'Dredging',
    readers: [bob],
    ownSearch: ['list_decisions', { query: wordOf('decision') }],
  })
  const goal = await ann.call('create_goal', {
    title: 'Depth',
    description_markdown: wordOf('goal'),
    level: 'personal',
    period: '2026-Q4',
  })
  all.set('goal', { id: goal.id, readers: [] })
  const company = await ann.call('create_company', {
    name: 'Harbour Works',
    note: wordOf('company'),
  })
  all.set('company', {
    id: company.id,
    readers: colleagues,
    ownSearch: ['search_contacts', { query: wordOf('company') }],
  })
  const contact = await ann.call('create_contact', {
    name: 'Lea Pilot',
    note: wordOf('contact'),
    company_id: company.id,
  })
  all.set('contact', {
    id: contact.id,
    place: 'Harbour Works',
    readers: colleagues,
    ownSearch: ['search_contacts', { query: wordOf('contact') }],
  })
  const deal = await ann.call('create_deal', {
    name: 'Dredger',
    note: wordOf('deal'),
    company_id: company.id,
  })
  all.set('deal', { id: deal.id, place: 'Harbour Works', readers: colleagues })
  const interaction = await ann.call('log_interaction', {
    kind: 'call',
    summary_markdown: wordOf('interaction'),
    contact_ids: [contact.id],
  })
  all.set('interaction', { id: interaction.id, place: 'Harbour Works', readers: colleagues })
  const incident = await ann.call('create_incident', {
    title: 'Flood',
    severity: 'sev3',
    summary_markdown: wordOf('incident'),
    restricted: true,
  })
  all.set('incident', {
    id: incident.id,
    readers: [],
    ownSearch: ['list_incidents', { query: wordOf('incident') }],
  })
  const runbook = await ann.call('create_runbook', {
    name: 'Close the gates',
    steps: [{ title: wordOf('runbook') }],
  })
  all.set('runbook', {
    id: runbook.id,
    readers: [...colleagues, guest],
    ownSearch: ['list_runbooks', { query: wordOf('runbook') }],
  })
  const draft = await ann.call('create_form', {
    title: 'Berths',
    fields: [{ id: 'name', label: 'Name', type: 'short_text', required: true }],
    settings: { responses_visible_to: 'owner_only' },
  })
  const form = await ann.call('publish_form', { form_id: draft.id })
  const response = await carol.call('submit_form_response', {
    form_id: form.id,
    answers: { name: wordOf('form_response') },
  })
  all.set('form_response', {
    id: response.id,
    place: 'Berths',
    readers: [],
    ownSearch: ['list_form_responses', { form_id: form.id, query: wordOf('form_response') }],
  })
  const entity = await ann.call('create_entity', {
    name: 'Northern Lock',
    type: 'place',
    description: wordOf('entity'),
  })
  all.set('entity', {
    id: entity.id,
    readers: colleagues,
    ownSearch: ['search_entities', { query: wordOf('entity') }],
  })
  const mailbox = await plantMailbox(
    workspace.app.store,
    { id: ann.id, org_id: ann.actor.org_id, email: ann.actor.email },
    workspace.clock.now(),
  )
  const email = await plantEmail(
    mailbox,
    { from: 'out@elsewhere.test', subject: 'Tides', text: wordOf('email') },
    workspace.clock.now(),
  )
  all.set('email', {
    id: email.id,
    readers: [],
    ownSearch: ['search_emails', { query: wordOf('email') }],
  })
  await workspace.app.searchEngine.maintain()
  return all
}

const search = async (who: Someone, query: string, more: object = {}) =>
  (await who.call('search_workspace', { query, ...more })).items as any[]
/** Hits with the word, excluding those similar in meaning. */
const byWord = (hits: any[]) => hits.filter((hit) => hit.matched_by.includes('keyword'))

test('every kind is found by its words, with type, place and reason; the kinds in the schema are exactly the searchable ones', async () => {
  const { ann, app } = workspace
  const { enum: kinds } = (app.catalogue.requireEntry('search_workspace').schemas.inputJson as any)
    .properties.types.items
  assert.deepEqual([...testItems.keys()].sort(), [...kinds].sort())
  assert.deepEqual(
    app.catalogue.modules
      .flatMap((module) => module.searchables ?? [])
      .map((searchable) => searchable.kind)
      .sort(),
    [...kinds].sort(),
  )
  for (const [kind, { id, place }] of testItems) {
    const [hit, ...more] = byWord(await search(ann, wordOf(kind)))
    const others = kind === 'incident' ? more.filter((item) => item.item.type !== 'message') : more // its channel mentions it
    assert.deepEqual(
      [hit?.item.type, hit?.item.id, others.map((other) => other.item)],
      [kind, id, []],
      kind,
    )
    assert.equal(hit.place?.title, place, kind)
    assert.match(hit.why, new RegExp(`^It has ${wordOf(kind)}`), kind)
    assert.match(hit.item.url, /^http/, kind)
    assert.equal(hit.trust, kind === 'email' ? 'external' : 'internal', kind)
  }
})

test('types narrows the search to kinds, including the four older ones', async () => {
  const { ann } = workspace
  for (const [kind, { id }] of testItems) {
    const [other] = [...testItems.keys()].filter((key) => key !== kind)
    assert.deepEqual(
      (await search(ann, wordOf(kind), { types: [kind] })).filter(
        (item) => item.item.type !== kind,
      ),
      [],
      kind,
    )
    assert.equal(byWord(await search(ann, wordOf(kind), { types: [kind] }))[0]?.item.id, id, kind)
    assert.deepEqual(byWord(await search(ann, wordOf(kind), { types: [other] })), [], kind)
  }
  const results = await ann.call('search_workspace', {
    query: wordOf('task'),
    types: ['email', 'task', 'page', 'meeting'],
  })
  assert.deepEqual(results.searched.types.sort(), ['email', 'meeting', 'page', 'task'])
  assert.equal(
    (await ann.refused('search_workspace', { query: 'x', types: ['nonsense'] })).code,
    'invalid_argument',
  )
})

test('everybody finds exactly what the search of the module shows them', async () => {
  const { ann, bob, carol, eve } = workspace
  for (const who of [ann, bob, carol, guest, eve]) {
    for (const [kind, { id, readers, ownSearch }] of testItems) {
      const description = `${who.actor.display_name}, ${kind}`
      const canSee = who === ann || readers.includes(who)
      for (const types of [undefined, [kind]]) {
        const hits = await search(who, wordOf(kind), types ? { types } : {})
        assert.equal(
          byWord(hits).some((item) => item.item.id === id),
          canSee,
          description,
        )
        assert.equal(
          hits.some((hit) => hit.item.id === id),
          canSee,
          description,
        )
      }
      if (ownSearch) {
        const answer = await who.call(...ownSearch).catch((error: { code?: string }) => ({
          refused: error.code ?? assert.fail(String(error)),
        }))
        assert.equal(JSON.stringify(answer).includes(id), canSee, `${description}, ${ownSearch[0]}`)
      }
    }
  }
})

test('a postmortem is found as its page', async () => {
  const { ann } = workspace
  const { page } = await ann.call('create_postmortem', {
    incident_id: testItems.get('incident')!.id,
  })
  await ann.call('append_to_page', { page_id: page.id, body_markdown: 'qzpostmortemvux' })
  assert.deepEqual(
    byWord(await search(ann, 'qzpostmortemvux')).map((item) => [item.item.type, item.item.id]),
    [['page', page.id]],
  )
})

test('a hit found by meaning alone is marked as such, for every kind', async () => {
  const { ann } = workspace
  const channel = await ann.call('create_channel', { name: 'meanings' })
  const message = await ann.call('send_message', {
    channel_id: channel.id,
    body_markdown: 'The database server crashed and had an outage of two hours.',
  })
  await workspace.app.searchEngine.maintain()
  const hit = (await search(ann, 'downtime failover')).find((item) => item.item.id === message.id)
  assert.deepEqual([hit.matched_by, hit.why], [['vector'], 'It is similar in meaning.'])
})

test('filtering by project or person finds only the kinds that have one', async () => {
  const { ann, bob } = workspace
  const matchCount = async (kind: string, more: object) =>
    byWord(await search(ann, wordOf(kind), more)).length
  assert.deepEqual(
    [
      await matchCount('project', { project_id: 'PIER' }),
      await matchCount('event', { project_id: 'PIER' }),
      await matchCount('form_response', { project_id: 'PIER' }),
    ],
    [1, 0, 0],
  )
  assert.deepEqual(
    [
      await matchCount('project', { person: bob.id }),
      await matchCount('runbook', { person: bob.id }),
      await matchCount('runbook', { person: 'me' }),
    ],
    [1, 0, 1],
  )
  const tour = await ann.call('create_event', {
    title: 'Tour qztourvux',
    starts_at: '2026-11-26T10:00',
    ends_at: '2026-11-26T11:00',
    attendees: [bob.actor.email],
  })
  for (const [who, count] of [
    [bob.id, 1],
    ['me', 1],
    [workspace.carol.id, 0],
  ] as const) {
    const hits = byWord(await search(ann, 'qztourvux', { person: who })).filter(
      (item) => item.item.id === tour.id,
    )
    assert.equal(hits.length, count, who)
  }
  assert.deepEqual(
    [
      await matchCount('form_response', { person: workspace.carol.id }),
      await matchCount('form_response', { person: 'me' }),
    ],
    [1, 0],
  )
})
