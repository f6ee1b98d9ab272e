import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  dayLong,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const names = (page: { items: { name: string }[] }) => page.items.map((item) => item.name)

async function lastCall(who: Someone, tool: string): Promise<string> {
  return (await who.call('list_api_calls', { tool })).items[0].id
}

test('an entity is created once: the same name and type in any spelling returns the existing one', async () => {
  const { ann, bob } = workspace
  const createdEntity = await ann.call('create_entity', {
    name: 'Müller Project',
    type: 'Software Product',
    aliases: ['Blue Whale'],
    description: 'what we sell',
    observations: ['began in spring'],
  })
  assert.deepEqual(
    [
      createdEntity.type,
      createdEntity.aliases,
      createdEntity.observations[0].body,
      createdEntity.existing,
    ],
    ['software_product', ['Blue Whale'], 'began in spring', undefined],
  )
  const again = await bob.call('create_entity', {
    name: ' muller  PROJECT',
    type: 'software-product',
  })
  assert.deepEqual([again.id, again.existing], [createdEntity.id, true])
  assert.equal(
    (await bob.call('create_entity', { name: 'blue whale', type: 'softwareProduct' })).id,
    createdEntity.id,
  )
  assert.notEqual(
    (await bob.call('create_entity', { name: 'blue whale', type: 'animal' })).id,
    createdEntity.id,
  )
  assert.equal(
    (await bob.refused('get_entity', { entity_id: 'Blue Whale' })).code,
    'invalid_argument',
    'two have this name',
  )
  assert.equal((await bob.call('get_entity', { entity_id: 'Müller project' })).id, createdEntity.id)
  assert.equal(
    (await workspace.eve.refused('get_entity', { entity_id: createdEntity.id })).code,
    'not_found',
  )
})

test('entities are found by name, prefix, words of descriptions and facts, exact names first', async () => {
  const { ann } = workspace
  const kestrel = await ann.call('create_entity', {
    name: 'Kestrel',
    type: 'system',
    description: 'moves parcels between warehouses',
  })
  await ann.call('create_entity', { name: 'Kestrel Gateway', type: 'system' })
  await ann.call('add_fact', {
    entity_id: kestrel.id,
    predicate: 'runs on',
    value: 'Zirkonium cluster',
  })
  assert.deepEqual(names(await ann.call('search_entities', { query: 'kestrel' })).slice(0, 2), [
    'Kestrel',
    'Kestrel Gateway',
  ])
  assert.deepEqual(
    names(await ann.call('search_entities', { query: 'kest', type: ['system'] })).sort(),
    ['Kestrel', 'Kestrel Gateway'],
  )
  assert.deepEqual(names(await ann.call('search_entities', { query: 'parcels warehouses' })), [
    'Kestrel',
  ])
  assert.deepEqual(names(await ann.call('search_entities', { query: 'zirkonium' })), ['Kestrel'])
  assert.deepEqual(
    names(await ann.call('search_entities', { query: 'kestrel', type: ['animal'] })),
    [],
  )
  const first = await ann.call('search_entities', { query: 'kestrel', limit: 1 })
  assert.deepEqual(
    names(
      await ann.call('search_entities', { query: 'kestrel', limit: 1, cursor: first.next_cursor }),
    ),
    ['Kestrel Gateway'],
  )
})

test('updating an entity keeps its aliases distinct from its name', async () => {
  const { ann } = workspace
  const createdEntity = await ann.call('create_entity', {
    name: 'Osprey',
    type: 'system',
    aliases: ['Fish Hawk', 'Sea Hawk'],
  })
  const changed = await ann.call('update_entity', {
    entity_id: createdEntity.id,
    name: 'Sea Hawk',
    add_aliases: ['Osprey', 'osprey'],
    remove_aliases: ['FISH HAWK'],
    description: 'fishes',
  })
  assert.deepEqual(
    [changed.name, changed.aliases, changed.description],
    ['Sea Hawk', ['Osprey'], 'fishes'],
  )
  assert.equal(
    (
      await ann.refused('update_entity', {
        entity_id: createdEntity.id,
        description: 'x',
        expected_revision: createdEntity.revision,
      })
    ).code,
    'conflict',
  )
})

test('deleting an entity deletes its facts, relations and observations, and restoring it restores them', async () => {
  const { ann } = workspace
  const trashed = await ann.call('create_entity', {
    name: 'Goner',
    type: 'system',
    observations: ['noted Quagga'],
  })
  const other = await ann.call('create_entity', { name: 'Stays', type: 'system' })
  const createdFact = await ann.call('add_fact', {
    entity_id: trashed.id,
    predicate: 'uses',
    value: 'Quagga',
  })
  await ann.call('create_relation', {
    from_entity_id: trashed.id,
    type: 'depends on',
    to_entity_id: other.id,
  })
  const dry = await ann.call('delete_entity', { entity_id: trashed.id, dry_run: true })
  assert.deepEqual(dry.also_deleted, [
    { type: 'fact', count: 1 },
    { type: 'relation', count: 1 },
    { type: 'observation', count: 1 },
  ])
  await ann.call('delete_entity', { entity_id: trashed.id })
  assert.equal(
    (await ann.refused('invalidate_fact', { fact_id: createdFact.id })).code,
    'not_found',
  )
  assert.deepEqual((await ann.call('get_entity_neighbors', { entity_id: other.id })).nodes, [])
  assert.deepEqual(names(await ann.call('search_entities', { query: 'quagga' })), [])
  assert.equal((await ann.call('get_entity', { entity_id: other.id })).counts.relations, 0)
  await ann.call('restore_item', { item_id: trashed.id })
  assert.deepEqual(names(await ann.call('search_entities', { query: 'quagga' })), ['Goner'])
  assert.equal((await ann.call('get_entity', { entity_id: other.id })).counts.relations, 1)
})

test('merging moves all statements, joins duplicates, keeps names and ids, and is undone as a whole', async () => {
  const { ann, bob } = workspace
  const key = await workspace.key(ann)
  const survivor = await ann.call('create_entity', { name: 'Globex', type: 'company' })
  const duplicate = await bob.call('create_entity', {
    name: 'Globex Inc',
    type: 'company',
    aliases: ['GBX'],
    observations: ['came twice'],
  })
  const boss = await ann.call('create_entity', { name: 'Hank Scorpio', type: 'person' })
  for (const item of [survivor, duplicate]) {
    await ann.call('create_relation', {
      from_entity_id: boss.id,
      type: 'leads',
      to_entity_id: item.id,
    })
    await ann.call('add_fact', {
      entity_id: item.id,
      predicate: 'sells',
      value: 'hammocks',
      valid_from: '2024-01-01',
    })
  }
  await ann.call('create_relation', {
    from_entity_id: survivor.id,
    type: 'same as',
    to_entity_id: duplicate.id,
  })
  await ann.call('add_fact', {
    entity_id: survivor.id,
    predicate: 'ceo',
    value: 'Burns',
    valid_from: '2020-01-01',
  })
  await ann.call('add_fact', {
    entity_id: duplicate.id,
    predicate: 'ceo',
    value: 'Hank',
    value_entity_id: boss.id,
    valid_from: '2023-01-01',
  })
  const dry = await ann.call('merge_entities', {
    entity_id: survivor.id,
    duplicate_ids: [duplicate.id],
    dry_run: true,
  })
  assert.deepEqual(
    [dry.aliases.sort(), dry.moved, dry.joined, dry.dry_run],
    [
      ['GBX', 'Globex Inc'],
      { facts: 2, relations: 0, observations: 1 },
      { facts: 1, relations: 2 },
      true,
    ],
  )
  assert.equal((await ann.call('get_entity', { entity_id: 'Globex Inc' })).id, duplicate.id)
  await ann.call(
    'merge_entities',
    { entity_id: survivor.id, duplicate_ids: [duplicate.id] },
    { key },
  )
  const merged = await bob.call('get_entity', { entity_id: duplicate.id })
  assert.deepEqual(
    [merged.id, merged.counts, merged.observations.map((observation: any) => observation.body)],
    [survivor.id, { facts: 2, relations: 1, observations: 1, mentions: 0 }, ['came twice']],
  )
  assert.deepEqual(
    merged.facts.map((fact: any) => [fact.predicate, fact.value]),
    [
      ['sells', 'hammocks'],
      ['ceo', 'Hank'],
    ],
    'the older fact ended',
  )
  assert.deepEqual(
    (await bob.call('get_entity', { entity_id: survivor.id, as_of: '2021-06-01' })).facts.map(
      (fact: any) => fact.value,
    ),
    ['Burns'],
  )
  assert.deepEqual(names(await bob.call('search_entities', { query: 'came twice' })), ['Globex'])
  assert.equal(
    (await bob.refused('restore_item', { item_id: duplicate.id })).code,
    'permission_denied',
  )
  assert.equal(
    (await ann.call('undo_api_call', { call_id: await lastCall(ann, 'merge_entities') })).undone,
    true,
  )
  const [one, other] = [
    await bob.call('get_entity', { entity_id: survivor.id }),
    await bob.call('get_entity', { entity_id: duplicate.id }),
  ]
  assert.deepEqual(
    [one.aliases, one.facts.map((f: any) => f.value), one.counts.relations],
    [[], ['hammocks', 'Burns'], 2],
  )
  assert.deepEqual(
    [other.name, other.aliases, other.facts.map((f: any) => f.value), other.counts.relations],
    ['Globex Inc', ['GBX'], ['hammocks', 'Hank'], 2],
  )
})

test('guests cannot see the graph', async () => {
  const { ann } = workspace
  const gil = await workspace.person('Gil', { role: 'guest' })
  const hiddenEntity = await ann.call('create_entity', {
    name: 'Not for guests',
    type: 'topic',
    observations: ['hidden from guests'],
  })
  assert.equal((await gil.refused('get_entity', { entity_id: hiddenEntity.id })).code, 'not_found')
  assert.deepEqual((await gil.call('search_entities', { query: 'guests' })).items, [])
  assert.deepEqual((await gil.call('list_facts', {})).items, [])
  const overview = await gil.call('get_knowledge_overview')
  assert.deepEqual(
    [overview.entity_types, overview.relation_types, overview.fact_count],
    [[], [], 0],
  )
})

test('the overview counts each relation once and nothing of trashed entities', async () => {
  const { ann, bob } = workspace
  const entity = async (name: string) =>
    (await ann.call('create_entity', { name, type: 'counted thing' })).id
  const [one, two, three] = [
    await entity('Counted one'),
    await entity('Counted two'),
    await entity('Counted three'),
  ]
  for (const [from, to] of [
    [one, two],
    [two, three],
    [one, three],
  ])
    await ann.call('create_relation', {
      from_entity_id: from,
      type: 'counted with',
      to_entity_id: to,
    })
  const before = (await bob.call('get_knowledge_overview')).fact_count
  for (const id of [one, two])
    await ann.call('add_fact', { entity_id: id, predicate: 'is', value: 'counted' })
  const counts = async () => {
    const { entity_types, relation_types, fact_count } = await bob.call('get_knowledge_overview')
    const countOf = (all: any[], type: string) => all.find((item) => item.type === type)?.count ?? 0
    return [
      countOf(entity_types, 'counted_thing'),
      countOf(relation_types, 'counted_with'),
      fact_count - before,
    ]
  }
  assert.deepEqual(await counts(), [3, 3, 2])
  await ann.call('delete_entity', { entity_id: one })
  assert.deepEqual(await counts(), [2, 1, 1])
  await ann.call('delete_entity', { entity_id: two })
  assert.deepEqual(await counts(), [1, 0, 0])
  await ann.call('restore_item', { item_id: one })
  assert.deepEqual(await counts(), [2, 1, 1])
})

test('a note on a link is kept until it is changed, and removed by null or blanks', async () => {
  const { ann } = workspace
  const page = await ann.call('create_page', { title: 'Noted page' })
  const entity = await ann.call('create_entity', { name: 'Noted thing', type: 'topic' })
  const link = async (more: object) =>
    (await ann.call('link_items', { from_id: page.id, to_id: entity.id, ...more })).note
  assert.equal(await link({ note: ' ' }), undefined)
  assert.equal(await link({ note: 'why' }), 'why')
  assert.equal(await link({}), 'why')
  assert.equal(await link({ note: null }), undefined)
  assert.equal(await link({ note: 'again' }), 'again')
  assert.equal(await link({ note: ' \n' }), undefined)
})

test('links connect items of any kind for people who can see both', async () => {
  const { ann, bob } = workspace
  const page = await ann.call('create_page', { title: 'Private thoughts', visibility: 'private' })
  const open = await ann.call('create_page', { title: 'Open', visibility: 'organization' })
  const entity = await ann.call('create_entity', { name: 'Linked thing', type: 'topic' })
  const hiddenLink = await ann.call('link_items', {
    from_id: page.id,
    to_id: entity.id,
    kind: 'documents',
    note: 'why',
  })
  const visibleLink = await ann.call('link_items', { from_id: open.id, to_id: entity.id })
  assert.equal(
    (await ann.call('link_items', { from_id: entity.id, to_id: open.id })).id,
    visibleLink.id,
    'the same the other way round',
  )
  const neighborTitles = async (who: Someone) =>
    (await who.call('get_entity_neighbors', { entity_id: entity.id })).nodes
      .map((node: any) => node.item.title)
      .sort()
  assert.deepEqual(
    [await neighborTitles(ann), await neighborTitles(bob)],
    [['Open', 'Private thoughts'], ['Open']],
  )
  assert.equal((await bob.refused('unlink_items', { link_id: hiddenLink.id })).code, 'not_found')
  await bob.call('unlink_items', { link_id: visibleLink.id })
  assert.deepEqual(await neighborTitles(bob), [])
  workspace.clock.pass(dayLong)
})
