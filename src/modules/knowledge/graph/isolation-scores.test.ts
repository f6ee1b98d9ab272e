// Tests that hidden items in the same index container as a visible one have no influence on a search: no score, order or
// hit depends on them. A private page is in its owner's container, together with those of their pages that are shared.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
beforeEach(async () => {
  workspace = await makeWorkspace() // a shared workspace would have so many texts that its vectors are learned anew
})
afterEach(() => workspace.close())

const indexAll = () => workspace.app.searchEngine.maintain()

/**
 * Hits as shown to someone. The word index weighs a word by all texts of the server, which changes scores slightly:
 * they are rounded to one decimal.
 */
async function hitsShownTo(
  who: Someone,
  tool: string,
  args: Record<string, unknown>,
): Promise<string[]> {
  const { items } = await who.call(tool, { limit: 100, ...args })
  return items.map((item: any) =>
    [
      item.item?.id ?? item.page?.id ?? item.person?.id,
      item.relation ?? item.why,
      item.graph_path,
      (item.score as number).toFixed(1),
    ].join(' '),
  )
}

const searchCalls: [string, Record<string, unknown>][] = [
  ['search_workspace', { query: 'moving the warehouse of the northern region' }],
  ['find_related_items', { text: 'moving the warehouse of the northern region' }],
  ['find_experts', { topic: 'moving the warehouse of the northern region' }],
  ['search_pages', { query: 'moving the warehouse of the northern region', mode: 'hybrid' }],
  ['search_pages', { query: 'moving the warehouse of the northern region', mode: 'semantic' }],
]
const allHitsShownTo = (who: Someone) =>
  Promise.all(searchCalls.map(([tool, args]) => hitsShownTo(who, tool, args)))

test('further private pages, files and goals of someone who shares one page change nothing', async () => {
  const { ann, bob, carol } = workspace
  const shared = await bob.call('create_page', {
    title: 'Region',
    visibility: 'private',
    body_markdown: 'The warehouse is in the northern region, near the harbour.',
  })
  await bob.call('share_page', { page_id: shared.id, person_id: carol.id, role: 'viewer' })
  await ann.call('create_page', {
    title: 'Harbour',
    visibility: 'organization',
    body_markdown: 'Moving goods through the harbour of the region takes a day.',
  })
  await indexAll()
  const before = await allHitsShownTo(carol)
  assert.ok(JSON.stringify(before).includes(shared.id))
  for (let i = 0; i < 160; i++)
    await bob.call('create_page', {
      title: 'Moving the warehouse of the northern region',
      visibility: 'private',
      body_markdown:
        'Moving the warehouse of the northern region, moving the warehouse of the northern region.',
    })
  await bob.call('upload_file', {
    name: 'warehouse.txt',
    content_text: 'Moving the warehouse of the northern region.',
    mime_type: 'text/plain',
  })
  await bob.call('create_goal', {
    title: 'Moving the warehouse of the northern region',
    level: 'personal',
    period: '2026-Q4',
  })
  await indexAll()
  assert.deepEqual(await allHitsShownTo(carol), before)
})

test('a title shared by a hidden and a visible item still refers to the visible one', async () => {
  const { bob, carol } = workspace
  const visiblePage = await carol.call('create_page', {
    title: 'Project Falcon',
    visibility: 'private',
    body_markdown: 'It is about nothing much.',
  })
  await carol.call('create_page', {
    title: 'Budgets',
    visibility: 'private',
    body_markdown: 'The quarterly turbine budget, as agreed in Project Falcon.',
  })
  await indexAll()
  const budgetHits = () =>
    hitsShownTo(carol, 'search_workspace', { query: 'quarterly turbine budget' })
  const before = await budgetHits()
  assert.ok(
    JSON.stringify(before).includes(visiblePage.id),
    'a page that a hit names is a hit, too',
  )
  await bob.call('create_page', {
    title: 'Project Falcon',
    visibility: 'private',
    body_markdown: 'Nobody else may know.',
  })
  await indexAll()
  assert.deepEqual(await budgetHits(), before)
})

test('results for guests, who see only shared pages of the organization, do not depend on its other pages', async () => {
  const { ann } = workspace
  const guest = await workspace.person('Gil', { role: 'guest' })
  const shared = await ann.call('create_page', {
    title: 'Kitchen',
    visibility: 'organization',
    body_markdown: 'The warehouse has a kitchen.',
  })
  await ann.call('share_page', { page_id: shared.id, person_id: guest.id, role: 'viewer' })
  await indexAll()
  const before = await allHitsShownTo(guest)
  assert.ok(JSON.stringify(before).includes(shared.id))
  for (let i = 0; i < 160; i++)
    await ann.call('create_page', {
      title: 'Moving the warehouse',
      visibility: 'organization',
      body_markdown: 'Moving the warehouse of the northern region again.',
    })
  await indexAll()
  assert.deepEqual(await allHitsShownTo(guest), before)
})
