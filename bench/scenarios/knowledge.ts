// The knowledge graph: 100,000 entities and 1,000,000 relations, 100,000 of them at one entity. `node
// bench/scenarios/knowledge.ts <data directory> [entities]` prints the server's time for each operation as JSON.
import { systemClock } from '../../src/kernel/time/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import { aclTokensOf } from '../../src/search/index.ts'
import { BenchWorkspace } from '../place.ts'

const [dataDir = '', given = '100000'] = process.argv.slice(2)
const entities = Number(given)
const relations = entities * 10
const rounds = 15

const place = await BenchWorkspace.open(dataDir, ['ann'])
const { app, org } = place
const { id } = place.person('ann')
const as = (tool: string, args: Record<string, unknown>) => place.as('ann', tool, args)

/** Fixed seed: the same numbers on every run. */
let state = 42
const roll = (n: number) =>
  Math.floor(((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32) * n)

const words = [
  'amber',
  'basalt',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'gravel',
  'harbor',
  'island',
  'juniper',
  'kelp',
  'lagoon',
  'marble',
  'nectar',
  'onyx',
  'pebble',
  'quartz',
  'ridge',
  'sierra',
  'tundra',
]
const nameOf = (i: number) => `${words[i % 20]} ${words[Math.floor(i / 20) % 20]} ${i}`

const { write } = app.store.raw
const now = systemClock.now()
const ids = Array.from({ length: entities }, () => newId('ent', now))
write.exec('begin')
const addEntity = write.prepare(
  `insert into entities (id, org_id, name, name_key, type, follows_item, revision, created_at, updated_at, created_by, created_via) values (?, ?, ?, ?, ?, 0, 1, ?, ?, ?, 'api')`,
)
const addDoc = write.prepare(
  `insert into search_docs (rowid_, ref, item_type, item_id, part, org_id, container, title, body, at) values (?, ?, 'entity', ?, 'item', ?, ?, ?, '', ?)`,
)
const addWords = write.prepare(
  'insert into search_fts (rowid, title, body, acl) values (?, ?, ?, ?)',
)
const acl = aclTokensOf('entity', org)
for (const [i, entity] of ids.entries()) {
  addEntity.run(
    entity,
    org,
    nameOf(i),
    nameOf(i),
    ['person', 'company', 'product', 'topic'][i % 4],
    now,
    now + i,
    id,
  )
  addDoc.run(i + 1, entity, entity, org, org, nameOf(i), now)
  addWords.run(i + 1, nameOf(i), '', acl)
}
const addRelation = write.prepare(
  `insert into relations (id, org_id, from_id, type, to_id, valid_from, is_wrong, confidence, revision, created_at, updated_at, created_by, created_via) values (?, ?, ?, ?, ?, ?, 0, ?, 1, ?, ?, ?, 'api')`,
)
for (let i = 0; i < relations; i++) {
  const from = i < relations / 10 ? 0 : roll(entities)
  const to = i < relations / 10 ? 1 + (i % (entities - 1)) : roll(entities)
  if (from !== to)
    addRelation.run(
      newId('rel', now),
      org,
      ids[from],
      ['knows', 'uses', 'part_of', 'works_at'][i % 4],
      ids[to],
      now - roll(1_000_000),
      0.5 + roll(50) / 100,
      now,
      now,
      id,
    )
}
write.exec('commit')
const factsOf = ids[7]!
for (let i = 0; i < 200; i++)
  await as('add_fact', {
    entity_id: factsOf,
    predicate: i % 2 ? 'stage' : 'uses',
    value: `value ${i}`,
    valid_from: new Date(now - i * 1000).toISOString(),
  })

await app.searchEngine.maintain() // as it is soon after: every text has its vectors

const measured: { work: string; ms: number; goal: string }[] = []

/** Median milliseconds of one operation. */
async function measure(
  work: string,
  goal: string,
  run: (round: number) => Promise<unknown>,
): Promise<void> {
  const took: number[] = []
  for (let i = 0; i < rounds; i++) {
    const start = performance.now()
    await run(i)
    took.push(performance.now() - start)
  }
  process.stderr.write(`${work}: ${took.map(Math.round).join(' ')}\n`)
  measured.push({ work, ms: took.sort((a, b) => a - b)[Math.floor(rounds / 2)]!, goal })
}

const [hub, one] = [ids[0]!, (i: number) => ids[(1000 + i * 37) % entities]!]
await measure('search_entities by exact name', '< 50', (i) =>
  as('search_entities', { query: nameOf(i * 31) }),
)
await measure('search_entities by the beginning of a name', '< 50', (i) =>
  as('search_entities', { query: words[i % 20]! }),
)
await measure('search_entities, the newest', '< 50', () => as('search_entities', {}))
await measure('get_entity by name', '< 20', (i) => as('get_entity', { entity_id: nameOf(i * 31) }))
await measure('get_entity of the hub', '< 50', () => as('get_entity', { entity_id: hub }))
await measure('get_entity_neighbors, one step', '< 50', (i) =>
  as('get_entity_neighbors', { entity_id: one(i) }),
)
await measure('get_entity_neighbors, two steps', '< 50', (i) =>
  as('get_entity_neighbors', { entity_id: one(i), depth: 2 }),
)
await measure('get_entity_neighbors, three steps', '< 150', (i) =>
  as('get_entity_neighbors', { entity_id: one(i), depth: 3 }),
)
await measure('get_entity_neighbors of the hub', '< 50', () =>
  as('get_entity_neighbors', { entity_id: hub }),
)
await measure('find_entity_path between any two', '< 50', (i) =>
  as('find_entity_path', { from_entity_id: one(i), to_entity_id: one(i + 100), max_depth: 6 }),
)
await measure('explain_connection between any two', '< 150', (i) =>
  as('explain_connection', { from_id: one(i), to_id: one(i + 100) }),
)
await measure('get_entity_timeline', '< 50', (i) =>
  as('get_entity_timeline', { entity_id: one(i) }),
)
await measure('list_facts by words', '< 50', (i) => as('list_facts', { query: `value ${i}` }))
await measure('add_fact to 100 others of its predicate', '< 50', (i) =>
  as('add_fact', { entity_id: factsOf, predicate: 'stage', value: `new ${i}` }),
)
await measure('create_relation', '< 20', (i) =>
  as('create_relation', { from_entity_id: one(i), type: 'leads', to_entity_id: hub }),
)
await measure('get_knowledge_overview', '< 200', () => as('get_knowledge_overview', {}))
console.log(JSON.stringify(measured))
await place.close()
process.exit(0)
