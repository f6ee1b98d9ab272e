import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import { hour, makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'
import { itemEntityTick } from '../entities/item-entities.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const syncItemEntities = async () => {
  while (await runTick(workspace.app, itemEntityTick));
}
const newEntityId = async (name: string, type = 'topic') =>
  (await workspace.ann.call('create_entity', { name, type })).id as string
const relate = (from: string, type: string, to: string, more = {}) =>
  workspace.ann.call('create_relation', { from_entity_id: from, type, to_entity_id: to, ...more })

test('a relation is created once, ended or marked wrong, and can be created anew', async () => {
  const { ann, bob } = workspace
  const [a, b] = [await newEntityId('Rel a'), await newEntityId('Rel b')]
  const relation = await relate(a, 'Works At', b, {
    valid_from: '2024-01-01T00:00:00Z',
    note: 'first',
  })
  const again = await bob.call('create_relation', {
    from_entity_id: a,
    type: 'works_at',
    to_entity_id: b,
    confidence: 0.8,
  })
  assert.deepEqual(
    [again.id, again.existing, again.confidence, again.note],
    [relation.id, true, 0.8, 'first'],
  )
  const ended = await bob.call('delete_relation', { relation_id: relation.id })
  assert.deepEqual(
    [ended.status, ended.valid_to],
    ['ended', new Date(workspace.clock.now()).toISOString()],
  )
  workspace.clock.pass(hour)
  assert.equal(
    (await bob.call('delete_relation', { relation_id: relation.id })).valid_to,
    ended.valid_to,
  )
  const recreated = await relate(a, 'works at', b)
  assert.notEqual(recreated.id, relation.id)
  assert.equal(
    (await ann.call('delete_relation', { relation_id: recreated.id, as_wrong: true })).status,
    'wrong',
  )
  const edgeIdsAt = async (as_of?: string) =>
    (
      await ann.call('get_entity_neighbors', { entity_id: a, ...(as_of ? { as_of } : {}) })
    ).edges.map((edge: any) => edge.id)
  assert.deepEqual([await edgeIdsAt(), await edgeIdsAt('2024-06-01')], [[], [relation.id]])
  assert.equal(
    (await ann.refused('create_relation', { from_entity_id: a, type: 'is', to_entity_id: a })).code,
    'invalid_argument',
  )
})

test('neighbors are returned level by level, through relations and facts, and paginated', async () => {
  const { ann } = workspace
  const ids = await Promise.all(['Hub', 'N1', 'N2', 'N3', 'N4'].map((name) => newEntityId(name)))
  const [hub, n1, n2, n3, n4] = ids as [string, string, string, string, string]
  await relate(hub, 'uses', n1)
  await relate(n2, 'uses', hub)
  await relate(n1, 'part_of', n3)
  await ann.call('add_fact', {
    entity_id: n3,
    predicate: 'owner',
    value: 'the fourth',
    value_entity_id: n4,
  })
  const at = async (more: object) =>
    (await ann.call('get_entity_neighbors', { entity_id: hub, ...more })).nodes.map((node: any) => [
      node.entity.id,
      node.depth,
    ])
  assert.deepEqual(new Set((await at({ depth: 1 })).map(([id]: [string]) => id)), new Set([n1, n2]))
  assert.deepEqual((await at({ depth: 3 })).slice(2), [
    [n3, 2],
    [n4, 3],
  ])
  assert.deepEqual(await at({ depth: 3, relation_type: ['part of'] }), [])
  const whole = await ann.call('get_entity_neighbors', { entity_id: hub, depth: 3 })
  assert.deepEqual(
    [whole.edges.length, whole.facts.map((fact: any) => fact.value), whole.bounded],
    [3, ['the fourth'], false],
  )
  const nodes: unknown[] = []
  for (
    let cursor: string | undefined, page;
    page === undefined || cursor !== undefined;
    cursor = page.next_cursor
  )
    nodes.push(
      ...(page = await ann.call('get_entity_neighbors', {
        entity_id: hub,
        depth: 3,
        limit: 1,
        ...(cursor ? { cursor } : {}),
      })).nodes,
    )
  assert.deepEqual(nodes, whole.nodes)
})

test('all shortest paths between two entities are found as of now, or only those valid at a given time', async () => {
  const { ann } = workspace
  const [a, b, c, d, far] = (await Promise.all(
    ['Pa', 'Pb', 'Pc', 'Pd', 'Pfar'].map((name) => newEntityId(name)),
  )) as [string, string, string, string, string]
  await relate(a, 'knows', b, { confidence: 0.5, valid_from: '2020-01-01' })
  await relate(b, 'knows', d, { valid_from: '2020-01-01' })
  const ended = await relate(d, 'owns', c, { valid_from: '2022-01-01' })
  await relate(c, 'hired', a, { valid_from: '2022-01-01' })
  await ann.call('delete_relation', { relation_id: ended.id, valid_to: '2023-01-01T00:00:00Z' })
  const paths = async (more = {}) =>
    (await ann.call('find_entity_path', { from_entity_id: a, to_entity_id: d, ...more })).items
  const pathTexts = (await paths()).map((path: any) => [
    path.length,
    path.confidence,
    path.steps.map(
      (step: any) =>
        `${step.from.title} ${step.reversed ? '<' : '>'}${step.relation} ${step.to.title} ${step.valid_now}`,
    ),
  ])
  assert.deepEqual(pathTexts, [
    [2, 1, ['Pa <hired Pc true', 'Pc <owns Pd false']],
    [2, 0.5, ['Pa >knows Pb true', 'Pb >knows Pd true']],
  ])
  assert.deepEqual(
    (await paths({ as_of: '2021-01-01' })).map((path: any) => path.confidence),
    [0.5],
  )
  assert.deepEqual(await paths({ max_depth: 1 }), [])
  assert.deepEqual(
    (await ann.call('find_entity_path', { from_entity_id: a, to_entity_id: far })).items,
    [],
  )
  assert.equal((await paths({ limit: 1 })).length, 1)
})

/** A page visible only to ann, with unique words, as source of open facts. */
async function secretSource() {
  const { ann } = workspace
  const page = await ann.call('create_page', {
    title: 'Canarytitle plans',
    body_markdown: 'The canarybody merger of Left and Right',
    visibility: 'private',
  })
  const [left, right] = [await newEntityId('Left'), await newEntityId('Right')]
  const relation = await relate(left, 'merges with', right, { source_item_id: page.id })
  const fact = await ann.call('add_fact', {
    entity_id: left,
    predicate: 'deadline',
    value: 'in May',
    source_item_id: page.id,
  })
  const note = await ann.call('add_observation', {
    entity_id: left,
    body: 'they met',
    source_item_id: page.id,
  })
  await ann.call('link_items', { from_id: page.id, to_id: right, note: 'canarynote' })
  return { page, left, right, relation, fact, note }
}

test('a source that the reader cannot see appears as hidden and contributes nothing to counts', async () => {
  const { ann, bob } = workspace
  const { page, left, right, relation, fact } = await secretSource()
  const answersFor = async (who: Someone) => ({
    entity: await who.call('get_entity', { entity_id: left }),
    facts: await who.call('list_facts', { entity_id: left }),
    neighbors: await who.call('get_entity_neighbors', { entity_id: left, depth: 3 }),
    back: await who.call('get_entity_neighbors', { entity_id: right, depth: 2 }),
    paths: await who.call('find_entity_path', { from_entity_id: left, to_entity_id: right }),
    explanation: await who.call('explain_connection', { from_id: left, to_id: right }),
    timeline: await who.call('get_entity_timeline', { entity_id: left }),
    timelineBack: await who.call('get_entity_timeline', { entity_id: right }),
    conflicts: await who.call('list_conflicting_facts', {}),
    overview: await who.call('get_knowledge_overview'),
    searchHits: await who.call('search_entities', { query: 'canarytitle canarybody canarynote' }),
    activity: await who.call('list_activity', { item_id: left }),
    changes: await who.call('list_changes', { types: ['entity', 'link'] }),
  })
  const [hers, his] = [await answersFor(ann), await answersFor(bob)]
  assert.match(JSON.stringify(hers), /Canarytitle/)
  assert.doesNotMatch(JSON.stringify(his), new RegExp(`canary|${page.id}`, 'i'))
  assert.deepEqual(
    [
      his.entity.facts[0].source,
      his.entity.observations[0].source,
      his.entity.counts.mentions,
      hers.entity.counts.mentions,
    ],
    ['hidden', 'hidden', 0, 1],
  )
  assert.deepEqual(
    [
      his.neighbors.edges[0].id,
      his.neighbors.edges[0].source,
      his.neighbors.nodes.length,
      hers.neighbors.nodes.length,
    ],
    [relation.id, 'hidden', 1, 2],
  )
  assert.deepEqual(
    [
      his.explanation.connected,
      his.explanation.hidden_evidence,
      his.explanation.steps[0].evidence.map((item: any) => item.item),
    ],
    [true, true, ['hidden']],
  )
  assert.deepEqual(
    [hers.explanation.hidden_evidence, hers.explanation.steps[0].evidence[0].item.title],
    [false, 'Canarytitle plans'],
  )
  assert.match(hers.explanation.steps[0].evidence[0].quote, /canarybody merger/)
  assert.equal(
    (await bob.refused('explain_connection', { from_id: page.id, to_id: left })).code,
    'not_found',
  )
  await ann.call('share_page', { page_id: page.id, person_id: bob.id, role: 'viewer' })
  assert.equal((await bob.call('list_facts', { entity_id: left })).items[0].source.id, page.id)
  await ann.call('unshare_page', { page_id: page.id, person_id: bob.id })
  assert.equal((await bob.call('list_facts', { entity_id: left })).items[0].source, 'hidden')
  await ann.call('delete_page', { page_id: page.id })
  assert.equal(
    (await ann.call('list_facts', { entity_id: left })).items.find(
      (item: any) => item.id === fact.id,
    ).source,
    'hidden',
    'a deleted source is not quoted',
  )
})

test('items connect the entities they are a source of, only for people who can see them', async () => {
  const { ann, bob } = workspace
  const [one, other] = [await newEntityId('Island one'), await newEntityId('Island two')]
  const page = await ann.call('create_page', {
    title: 'Bridge',
    body_markdown: 'both of them',
    visibility: 'private',
  })
  await ann.call('add_fact', {
    entity_id: one,
    predicate: 'said',
    value: 'hello',
    source_item_id: page.id,
  })
  await ann.call('add_observation', { entity_id: other, body: 'answered', source_item_id: page.id })
  const explained = await ann.call('explain_connection', { from_id: one, to_id: other })
  assert.deepEqual(
    explained.steps.map((step: any) => step.statement),
    [
      'Information about "Island one" comes from "Bridge".',
      'Information about "Island two" comes from "Bridge".',
    ],
  )
  const his = await bob.call('explain_connection', { from_id: one, to_id: other })
  assert.deepEqual([his.connected, his.steps, his.hidden_evidence], [false, [], false])
  const [task, project] = await (async () => {
    const chainProject = await ann.call('create_project', { name: 'Chain', key: 'CHN' })
    return [
      await ann.call('create_task', { project_id: chainProject.id, title: 'Chained' }),
      chainProject,
    ]
  })()
  await ann.call('link_items', {
    from_id: page.id,
    to_id: task.id,
    kind: 'results_in',
    note: 'hence',
  })
  const long = await ann.call('explain_connection', { from_id: one, to_id: task.key })
  assert.deepEqual(
    long.steps.map((step: any) => step.evidence[0].quote),
    ['Bridge both of them', 'hence'],
  )
  assert.ok(project.id)
})

test('the timeline of an entity is ordered, paginated and includes nearby items', async () => {
  const { ann } = workspace
  const id = await newEntityId('Timed')
  const other = await newEntityId('Timed other')
  const project = await ann.call('create_project', { name: 'Timeline', key: 'TML' })
  const task = await ann.call('create_task', { project_id: project.id, title: 'A task about it' })
  await ann.call('add_fact', {
    entity_id: id,
    predicate: 'stage',
    value: 'one',
    valid_from: '2024-01-01T00:00:00Z',
  })
  await ann.call('add_fact', {
    entity_id: id,
    predicate: 'stage',
    value: 'two',
    valid_from: '2024-03-01T00:00:00Z',
    source_item_id: task.id,
  })
  await relate(id, 'uses', other, { valid_from: '2024-02-01T00:00:00Z' })
  await ann.call('add_observation', {
    entity_id: id,
    body: 'seen',
    observed_at: '2024-02-15T00:00:00Z',
  })
  const whole = (await ann.call('get_entity_timeline', { entity_id: id })).items.map(
    (item: any) => [item.kind, item.title, item.change],
  )
  assert.deepEqual(
    whole,
    [
      ['fact', 'Timed stage: one', 'began'],
      ['relation', 'Timed uses Timed other', 'began'],
      ['observation', 'seen', 'noted'],
      ['fact', 'Timed stage: one', 'ended'],
      ['fact', 'Timed stage: two', 'began'],
      ['task', 'A task about it', undefined],
    ].sort(
      (a, b) =>
        whole.findIndex((w: any) => String(w) === String(a)) -
        whole.findIndex((w: any) => String(w) === String(b)),
    ),
  )
  const paged: unknown[] = []
  for (
    let cursor: string | undefined, page;
    page === undefined || cursor !== undefined;
    cursor = page.next_cursor
  )
    paged.push(
      ...(page = await ann.call('get_entity_timeline', {
        entity_id: id,
        limit: 2,
        ...(cursor ? { cursor } : {}),
      })).items.map((item: any) => [item.kind, item.title, item.change]),
    )
  assert.deepEqual(paged, whole)
  assert.deepEqual(
    (
      await ann.call('get_entity_timeline', {
        entity_id: id,
        after: '2024-02-10',
        before: '2024-02-20',
      })
    ).items.map((item: any) => item.title),
    ['seen'],
  )
})

test('people, teams, services, contacts and companies automatically have entities with their names', async () => {
  const { ann, bob } = workspace
  const contact = await bob.call('create_contact', {
    name: 'Wanda Outside',
    emails: ['wanda@out.example'],
  })
  const twin = await bob.call('create_contact', { name: 'W. Outside', emails: ['w@out.example'] })
  const company = await bob.call('create_company', { name: 'Outside Ltd', domain: 'out.example' })
  const existing = await ann.call('create_entity', {
    name: 'Payments',
    type: 'service',
    observations: ['known before'],
  })
  const service = await ann.call('create_service', { name: 'Payments' })
  const project = await bob.call('create_project', { name: 'Secret project', key: 'SCR' })
  await syncItemEntities()
  const entity = await ann.call('get_entity', { entity_id: contact.id })
  assert.deepEqual(
    [entity.name, entity.type, entity.item.id, entity.created_by.title],
    ['Wanda Outside', 'person', contact.id, 'Bob'],
  )
  assert.equal((await ann.call('get_entity', { entity_id: 'Outside Ltd' })).item.id, company.id)
  assert.equal((await ann.call('get_entity', { entity_id: 'Payments' })).id, existing.id)
  assert.equal((await ann.call('get_entity', { entity_id: existing.id })).item.id, service.id)
  assert.equal((await ann.call('get_entity', { entity_id: bob.id })).name, 'Bob')
  assert.deepEqual(
    (await ann.call('search_entities', { query: 'Secret project' })).items.filter(
      (item: any) => item.item?.id === project.id,
    ),
    [],
    'names of projects are for their members',
  )
  assert.equal(
    (await ann.refused('update_entity', { entity_id: entity.id, name: 'Other' })).code,
    'invalid_argument',
  )
  await bob.call('update_contact', { contact_id: contact.id, name: 'Wanda Inside' })
  await syncItemEntities()
  assert.equal((await ann.call('get_entity', { entity_id: entity.id })).name, 'Wanda Inside')
  const twinEntity = await ann.call('get_entity', { entity_id: twin.id })
  await ann.call('add_fact', { entity_id: twinEntity.id, predicate: 'likes', value: 'tea' })
  await bob.call('merge_contacts', { contact_id: contact.id, duplicate_ids: [twin.id] })
  await syncItemEntities()
  const merged = await ann.call('get_entity', { entity_id: twinEntity.id })
  assert.deepEqual(
    [merged.id, merged.aliases, merged.facts[0].value],
    [entity.id, ['W. Outside'], 'tea'],
  )
  const solo = await bob.call('create_contact', {
    name: 'Solo Traveller',
    emails: ['solo@out.example'],
  })
  await syncItemEntities()
  await bob.call('delete_contact', { contact_id: solo.id })
  await syncItemEntities()
  assert.equal(
    (await ann.refused('get_entity', { entity_id: 'Solo Traveller' })).code,
    'not_found',
    'it had no statements',
  )
  await bob.call('restore_item', { item_id: solo.id })
  await syncItemEntities()
  assert.equal((await ann.call('get_entity', { entity_id: 'Solo Traveller' })).item.id, solo.id)
})

test('erasing a contact erases its entity and everything stated about or sourced from it', async () => {
  const { ann, bob, app } = workspace
  const contact = await bob.call('create_contact', {
    name: 'Zebedee Forgotten',
    emails: ['zeb@gone.example'],
  })
  const other = await newEntityId('Stays behind')
  await syncItemEntities()
  const entity = await ann.call('get_entity', { entity_id: contact.id })
  const talk = await bob.call('log_interaction', {
    kind: 'call',
    summary_markdown: 'He said zebracanary',
    contact_ids: [contact.id],
  })
  await ann.call('add_fact', { entity_id: entity.id, predicate: 'role', value: 'zebracanary fact' })
  await ann.call('add_fact', {
    entity_id: other,
    predicate: 'friend',
    value: 'Zebedee Forgotten',
    value_entity_id: entity.id,
  })
  await ann.call('add_observation', {
    entity_id: other,
    body: 'zebracanary quote',
    source_item_id: talk.id,
  })
  await relate(other, 'knows', entity.id)
  await ann.call('delete_contact', { contact_id: contact.id, erase: true })
  assert.equal((await ann.refused('get_entity', { entity_id: entity.id })).code, 'not_found')
  const remaining = await ann.call('get_entity', { entity_id: other })
  assert.deepEqual(
    [remaining.facts, remaining.observations, remaining.counts.relations],
    [[], [], 0],
  )
  for (const table of [
    'entities',
    'entity_names',
    'facts',
    'observations',
    'changes',
    'search_docs',
  ]) {
    const rows = app.store.raw.read.prepare(`select * from ${table}`).all()
    assert.deepEqual(
      rows.filter((row) => /zebracanary|Zebedee/.test(JSON.stringify(row))),
      [],
      table,
    )
  }
})

test('the links of an item are listed with ids, and undo restores a removed link', async () => {
  const { ann } = workspace
  const [a, b, c] = [
    await newEntityId('Link a'),
    await newEntityId('Link b'),
    await newEntityId('Link c'),
  ]
  const link = (kind: string, from: string, to: string, more = {}) =>
    ann.call('link_items', { from_id: from, to_id: to, kind, ...more })
  const documents = await link('documents', a, b, { note: 'the manual' })
  const caused = await link('caused_by', b, a)
  await link('relates_to', c, a)
  const linkedItems = async () =>
    (await ann.call('find_related_items', { item_id: a, relations: ['linked'] })).items.filter(
      (related: any) => related.links,
    )
  const lastChange = () =>
    workspace.app.store.raw.read
      .prepare('SELECT id FROM calls WHERE actor_id = ? AND changed = 1 ORDER BY seq DESC LIMIT 1')
      .pluck()
      .get(ann.id) as string
  const linksTo = async (id: string) =>
    (await linkedItems()).find((related: any) => related.item.id === id)?.links
  assert.deepEqual(
    (await linkedItems()).map((related: any) => related.relation),
    ['linked', 'linked'],
  )
  const expectedLinks = [
    { id: caused.id, kind: 'caused_by', direction: 'to' },
    { id: documents.id, kind: 'documents', note: 'the manual', direction: 'from' },
  ]
  assert.deepEqual(await linksTo(b), expectedLinks)
  await ann.call('unlink_items', { link_id: caused.id })
  assert.deepEqual(await linksTo(b), expectedLinks.slice(1))
  await ann.call('undo_api_call', { call_id: lastChange() })
  assert.deepEqual((await linksTo(b)).length, 2)
})
