// search_tools answers plain wishes: the right tools rank near the top for everyday phrases.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'
import { unseen, wishes } from '../../testing/tool-wishes.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

/**
 * Measures the share of wishes with a correct tool among the first five, the share with one in first place, and the
 * wishes without any.
 */
async function measure(cases: typeof wishes) {
  let first = 0
  const missed: string[] = []
  for (const [query, ...expected] of cases) {
    const { items } = await workspace.ann.call('search_tools', { query, limit: 5 })
    const at = items.findIndex((item: { name: string }) => expected.includes(item.name))
    if (at === 0) first++
    if (at < 0) missed.push(query)
  }
  return { first: first / cases.length, five: 1 - missed.length / cases.length, missed }
}

const half = (cases: typeof wishes, odd: number) => cases.filter((_, i) => i % 2 === odd)

test('the wishes are numerous and unique, and name existing tools', () => {
  const { catalogue } = workspace.app
  const texts = [...wishes, ...unseen].map(([wish]) => wish)
  assert.ok(wishes.length >= 150)
  assert.equal(new Set(texts).size, texts.length)
  const names = new Set([...wishes, ...unseen].flatMap(([, ...right]) => right))
  assert.deepEqual(
    [...names].filter((name) => catalogue.entries.every((entry) => entry.operation.name !== name)),
    [],
  )
})

for (const [name, odd] of [
  ['tuned with', 0],
  ['only measured', 1],
] as const) {
  test(`for wishes that were ${name}, a right tool is among the first five in 95 % and first in 80 % of cases`, async () => {
    const { first, five, missed } = await measure(half(wishes, odd))
    assert.ok(five >= 0.95, `${five}: ${missed.join('; ')}`)
    assert.ok(first >= 0.8, String(first))
  })
}

test('wishes without a tailored hint mostly find a right tool among the first five', async () => {
  const { five, missed } = await measure(half(unseen, 1))
  assert.ok(five >= 0.7, `${five}: ${missed.join('; ')}`)
})

test('every tool has a short hint of phrases that adds to its name and description', () => {
  for (const {
    operation: { name, about, searchHint = '' },
  } of workspace.app.catalogue.entries) {
    assert.ok(searchHint !== '', `${name} has no searchHint: which words do people use for it?`)
    assert.ok(searchHint.length <= 200, `${name}: ${searchHint.length} characters`)
    const knownWords = new Set(
      `${name.replaceAll('_', ' ')} ${about}`.toLowerCase().split(/[^a-z]+/),
    )
    assert.ok(
      searchHint
        .toLowerCase()
        .split(/[^a-z]+/)
        .some((word) => !knownWords.has(word)),
      name,
    )
  }
})

test('a wish in another language, of symbols or of great length returns results or nothing, but no error', async () => {
  const { ann } = workspace
  assert.deepEqual((await ann.call('search_tools', { query: 'xyzzy qwrtz' })).items, [])
  for (const query of [
    '¿…?',
    'タスクを追加',
    'task '.repeat(80),
    '__proto__ constructor toString',
    'ß'.repeat(400),
  ]) {
    const { items, total } = await ann.call('search_tools', { query, limit: 5 })
    assert.ok(items.length <= 5 && total <= workspace.app.catalogue.entries.length, query)
  }
})
