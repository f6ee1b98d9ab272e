import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'
import { resolveValidity, type StatedFact } from './validity.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

let n = 0
const newEntityId = async () =>
  (await workspace.ann.call('create_entity', { name: `Thing ${++n}`, type: 'topic' })).id as string
const values = (page: { items: { value: string }[] }) => page.items.map((item) => item.value).sort()

test('a new value of a single-valued predicate ends the older one, which is still found as of its time', async () => {
  const { ann, bob } = workspace
  const entity_id = await newEntityId()
  const first = await ann.call('add_fact', {
    entity_id,
    predicate: 'CEO',
    value: 'Ada',
    valid_from: '2020-01-01T00:00:00Z',
  })
  const second = await bob.call('add_fact', {
    entity_id,
    predicate: 'ceo',
    value: 'Grace',
    valid_from: '2023-01-01T00:00:00Z',
  })
  assert.deepEqual(second.superseded, [first.id])
  const between = await bob.call('add_fact', {
    entity_id,
    predicate: 'ceo',
    value: 'Edith',
    valid_from: '2022-01-01T00:00:00Z',
  })
  assert.deepEqual(
    [between.status, between.superseded_by, between.valid_to],
    ['superseded', second.id, '2023-01-01T00:00:00.000Z'],
    'a fact learned late takes its place by its own time',
  )
  for (const [as_of, value] of [
    ['2021-01-01', 'Ada'],
    ['2022-06-01', 'Edith'],
    ['2024-01-01', 'Grace'],
  ])
    assert.deepEqual(values(await ann.call('list_facts', { entity_id, as_of })), [value])
  assert.deepEqual(values(await ann.call('list_facts', { entity_id })), ['Grace'])
  assert.deepEqual(values(await ann.call('list_facts', { entity_id, include_invalid: true })), [
    'Ada',
    'Edith',
    'Grace',
  ])
  assert.deepEqual(values(await ann.call('list_facts', { entity_id, as_of: '2019-01-01' })), [])
})

test('invalidating a fact as never true reinstates its predecessor; ending a fact leaves no value', async () => {
  const { ann } = workspace
  const entity_id = await newEntityId()
  await ann.call('add_fact', {
    entity_id,
    predicate: 'status',
    value: 'green',
    valid_from: '2020-01-01',
  })
  const wrong = await ann.call('add_fact', {
    entity_id,
    predicate: 'status',
    value: 'red',
    valid_from: '2021-01-01',
  })
  const never = await ann.call('invalidate_fact', {
    fact_id: wrong.id,
    never_true: true,
    reason: 'typing error',
  })
  assert.deepEqual(
    [never.status, never.reason, never.valid_to],
    ['invalidated', 'typing error', never.valid_from],
  )
  const [green] = (await ann.call('list_facts', { entity_id })).items
  assert.deepEqual(
    [green.value, green.valid_to, green.status, green.superseded_by],
    ['green', undefined, 'valid', undefined],
  )
  const ended = await ann.call('invalidate_fact', {
    fact_id: green.id,
    valid_to: '2022-01-01T00:00:00Z',
  })
  assert.equal(
    (await ann.call('invalidate_fact', { fact_id: green.id })).revision,
    ended.revision,
    'repeating the call changes nothing',
  )
  assert.deepEqual(values(await ann.call('list_facts', { entity_id })), [])
  assert.deepEqual(values(await ann.call('list_facts', { entity_id, as_of: '2021-06-01' })), [
    'green',
  ])
  assert.equal(
    (await ann.refused('invalidate_fact', { fact_id: green.id, valid_to: '2019-01-01' })).code,
    'invalid_argument',
  )
})

test('restating a fact returns the same fact; another source makes a separate one without a conflict', async () => {
  const { ann } = workspace
  const entity_id = await newEntityId()
  const page = await ann.call('create_page', { title: 'Source', visibility: 'organization' })
  const first = await ann.call('add_fact', { entity_id, predicate: 'located in', value: 'Berlin' })
  const again = await ann.call('add_fact', {
    entity_id,
    predicate: 'Located In',
    value: ' BERLIN ',
  })
  assert.deepEqual([again.id, again.existing], [first.id, true])
  const other = await ann.call('add_fact', {
    entity_id,
    predicate: 'located_in',
    value: 'Berlin',
    source_item_id: page.id,
  })
  assert.deepEqual([other.source.title, other.superseded, other.conflicts_with], ['Source', [], []])
  assert.deepEqual((await ann.call('list_conflicting_facts', { entity_id })).items, [])
})

test('concurrent values conflict if the predicate is single-valued or every other entity has just one', async () => {
  const { ann } = workspace
  const entity_id = await newEntityId()
  const sure = await ann.call('add_fact', { entity_id, predicate: 'owner', value: 'Ada' })
  const uncertain = await ann.call('add_fact', {
    entity_id,
    predicate: 'owner',
    value: 'Grace',
    confidence: 0.3,
  })
  assert.deepEqual([uncertain.superseded, uncertain.conflicts_with], [[], [sure.id]])
  const [conflict] = (await ann.call('list_conflicting_facts', { entity_id })).items
  assert.deepEqual(
    [conflict.kind, conflict.newest, conflict.suggestion, conflict.facts.length],
    ['contradiction', uncertain.id, 'ask', 2],
  )
  for (let i = 0; i < 5; i++)
    await ann.call('add_fact', {
      entity_id: await newEntityId(),
      predicate: 'mascot',
      value: `animal ${i}`,
    })
  await ann.call('add_fact', { entity_id, predicate: 'mascot', value: 'gnu' })
  const second = await ann.call('add_fact', { entity_id, predicate: 'mascot', value: 'penguin' })
  assert.equal(second.conflicts_with.length, 1)
  assert.deepEqual(
    values(await ann.call('list_facts', { entity_id, predicate: 'mascot' })),
    ['gnu', 'penguin'],
    'no value is replaced automatically',
  )
  for (const value of ['Acme, GmbH', 'ACME GmbH', 'Initech'])
    await ann.call('add_fact', { entity_id, predicate: 'customer', value })
  const all = (await ann.call('list_conflicting_facts', {})).items
  assert.deepEqual(all.map((item: any) => [item.kind, item.suggestion]).sort(), [
    ['contradiction', 'ask'],
    ['contradiction', 'ask'],
    ['duplicate', 'merge'],
  ])
  const first = await ann.call('list_conflicting_facts', { limit: 2 })
  assert.equal(
    (await ann.call('list_conflicting_facts', { limit: 2, cursor: first.next_cursor })).items
      .length,
    1,
  )
})

test('a fact whose source has changed since is stale', async () => {
  const { ann, clock } = workspace
  const entity_id = await newEntityId()
  const page = await ann.call('create_page', {
    title: 'Terms',
    body_markdown: 'The price is ninety euros',
    visibility: 'organization',
  })
  await ann.call('add_fact', {
    entity_id,
    predicate: 'price',
    value: 'ninety euros',
    source_item_id: page.id,
  })
  assert.deepEqual((await ann.call('list_conflicting_facts', { entity_id })).items, [])
  clock.pass(60_000)
  await ann.call('update_page', {
    page_id: page.id,
    body_markdown: 'It costs a hundred dollars now',
  })
  const conflicts = (await ann.call('list_conflicting_facts', { entity_id })).items
  assert.deepEqual(
    conflicts.map((item: any) => [item.kind, item.suggestion, item.facts[0].value]),
    [['stale', 'ask', 'ninety euros']],
  )
})

test('facts are found by words, matches in their own text before matches in their entity', async () => {
  const { ann } = workspace
  const entity = await ann.call('create_entity', { name: 'Xylophone Works', type: 'company' })
  await ann.call('add_fact', { entity_id: entity.id, predicate: 'makes', value: 'marimbas' })
  await ann.call('add_fact', {
    entity_id: await newEntityId(),
    predicate: 'plays',
    value: 'xylophone',
  })
  assert.deepEqual(
    (await ann.call('list_facts', { query: 'xylophone' })).items.map((item: any) => item.value),
    ['xylophone', 'marimbas'],
  )
  assert.deepEqual(
    (await ann.call('list_facts', { query: 'xylophone', entity_id: entity.id })).items.map(
      (item: any) => item.value,
    ),
    ['marimbas'],
  )
})

/** A seeded random generator, so that failures are reproducible. */
function seededRandom(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/**
 * Reference model of the facts that are true at a moment: every statement, until another one applies from a later
 * time up to that moment.
 */
function trueAt(statedFacts: readonly StatedFact[], at: number, isSingle: boolean): string[] {
  const effective = statedFacts.filter(
    (statedFact) => statedFact.said_to === null || statedFact.said_to > statedFact.valid_from,
  )
  const isAfter = (statedFact: StatedFact, other: StatedFact) =>
    statedFact.valid_from > other.valid_from ||
    (statedFact.valid_from === other.valid_from && statedFact.id > other.id)
  const current = effective.filter(
    (statedFact) =>
      statedFact.valid_from <= at && (statedFact.said_to === null || at < statedFact.said_to),
  )
  return current
    .filter(
      (hold) =>
        !isSingle ||
        !effective.some(
          (other) =>
            other.value !== hold.value &&
            isAfter(other, hold) &&
            other.valid_from <= at &&
            (other.confidence >= 0.5 || hold.confidence < 0.5),
        ),
    )
    .map((hold) => hold.id)
}

test('for statements in any order, the resolved validity at any moment matches the reference model', () => {
  for (let seed = 1; seed <= 400; seed++) {
    const roll = seededRandom(seed)
    const statements: StatedFact[] = Array.from({ length: 1 + roll(12) }, (_, i) => {
      const valid_from = roll(10)
      return {
        id: String(i).padStart(3, '0'),
        value: 'abc'[roll(3)]!,
        valid_from,
        said_to: roll(3) > 0 ? null : valid_from + roll(6),
        confidence: roll(4) === 0 ? 0.3 : 1,
      }
    })
    for (const isSingle of [true, false]) {
      const validities = resolveValidity(statements, isSingle)
      for (let at = -1; at <= 16; at += 0.5) {
        const now = statements
          .filter(
            (statedFact) =>
              statedFact.valid_from <= at &&
              (validities.get(statedFact.id)!.valid_to === null ||
                at < validities.get(statedFact.id)!.valid_to!),
          )
          .map((statedFact) => statedFact.id)
        assert.deepEqual(now, trueAt(statements, at, isSingle), `seed ${seed} at ${at} ${isSingle}`)
      }
    }
  }
})

test('the same through calls: supersede, invalidate and query as of any day', async () => {
  const { ann } = workspace
  const day = (i: number) => `2025-03-${String(i + 1).padStart(2, '0')}T00:00:00Z`
  for (let seed = 1; seed <= 6; seed++) {
    const roll = seededRandom(seed * 7919)
    const entity_id = await newEntityId()
    const statements: StatedFact[] = []
    for (let i = 0; i < 10; i++) {
      if (statements.length > 0 && roll(3) === 0) {
        const statedFact = statements[roll(statements.length)]!
        const isNeverTrue = roll(2) === 0
        const end = statedFact.valid_from + 1 + roll(5)
        await ann.call(
          'invalidate_fact',
          isNeverTrue
            ? { fact_id: statedFact.id, never_true: true }
            : { fact_id: statedFact.id, valid_to: day(end) },
        )
        statedFact.said_to = isNeverTrue ? statedFact.valid_from : end
      } else {
        const [value, valid_from, confidence] = ['abc'[roll(3)]!, roll(12), roll(5) === 0 ? 0.3 : 1]
        const createdFact = await ann.call('add_fact', {
          entity_id,
          predicate: 'stage',
          value,
          valid_from: day(valid_from),
          confidence,
        })
        if (!createdFact.existing)
          statements.push({ id: createdFact.id, value, valid_from, said_to: null, confidence })
      }
    }
    for (let at = 0; at < 20; at++) {
      const factIds = (
        await ann.call('list_facts', { entity_id, as_of: day(at), limit: 100 })
      ).items
        .map((item: any) => item.id)
        .sort()
      assert.deepEqual(factIds, trueAt(statements, at, true).sort(), `seed ${seed}, day ${at}`)
    }
  }
})
