import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, minute, type Someone, type TestWorkspace } from '../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol, clock } = workspace
  await ann.call('create_channel', { name: 'plans', member_ids: [bob.id] })
  await ann.call('create_channel', { name: 'other', kind: 'private', member_ids: [carol.id] })
  for (const text of [
    'we open in May',
    'the launch budget is tight',
    'who pays for it?',
    '@Bob please check the budget',
    'nothing here',
  ]) {
    await ann.call('send_message', { channel_id: '#plans', body_markdown: text })
    clock.pass(minute)
  }
  await bob.call('send_message', { channel_id: '#plans', body_markdown: 'the budgets are fine' })
  await carol.call('send_message', { channel_id: '#other', body_markdown: 'a budget of our own' })
})
after(() => workspace.close())

const searchTexts = async (who: Someone, args: Record<string, unknown>) =>
  (await who.call('search_messages', args)).items.map(
    (item: { message: { content: { text: string } } }) => item.message.content.text,
  )

test('any form of a word is found, only in own channels, with a snippet and surrounding messages', async () => {
  const { ann, bob, carol, eve } = workspace
  assert.deepEqual((await searchTexts(bob, { query: 'budget' })).sort(), [
    '@Bob please check the budget',
    'the budgets are fine',
    'the launch budget is tight',
  ])
  assert.deepEqual(await searchTexts(carol, { query: 'budget' }), ['a budget of our own'])
  assert.equal((await searchTexts(ann, { query: 'budget' })).length, 4)
  assert.deepEqual(await searchTexts(eve, { query: 'budget' }), [])
  const [first] = (await bob.call('search_messages', { query: 'launch budget' })).items
  assert.deepEqual(
    [first.message.content.text, first.score, first.snippet],
    ['the launch budget is tight', 1, 'the launch budget is tight'],
  )
  const surrounding = first.context
  assert.deepEqual(
    [
      surrounding.before.map((item: { text: string }) => item.text),
      surrounding.after.map((item: { text: string }) => item.text),
    ],
    [['we open in May'], ['who pays for it?', '@Bob please check the budget']],
  )
})

test('a search is filtered by channel, author, mention, file and time; a phrase must match exactly', async () => {
  const { ann, bob } = workspace
  assert.deepEqual(await searchTexts(ann, { query: 'budget', channel_id: '#other' }), [
    'a budget of our own',
  ])
  assert.deepEqual(await searchTexts(ann, { query: 'budget', from: bob.id }), [
    'the budgets are fine',
  ])
  assert.deepEqual(await searchTexts(ann, { query: 'budget', mentions: 'bob@acme.test' }), [
    '@Bob please check the budget',
  ])
  assert.deepEqual(await searchTexts(ann, { query: 'budget', has_file: true }), [])
  assert.equal((await searchTexts(ann, { query: 'budget', has_file: false })).length, 4)
  assert.deepEqual(await searchTexts(ann, { query: '"launch budget"' }), [
    'the launch budget is tight',
  ])
  assert.deepEqual(await searchTexts(ann, { query: 'budget', before: '2026-11-20T12:02:00Z' }), [
    'the launch budget is tight',
  ])
  assert.deepEqual(await searchTexts(ann, { query: 'budget', after: '2026-11-21' }), [])
  assert.equal(
    (await bob.refused('search_messages', { query: 'budget', channel_id: '#other' })).code,
    'not_found',
  )
  assert.equal((await bob.refused('search_messages', { query: '…' })).more.field, 'query')
})

test('a page continues where the previous one ended; other modes search by words until vectors exist, then by meaning', async () => {
  const { ann } = workspace
  const firstPage = await ann.call('search_messages', { query: 'budget', limit: 3 })
  const secondPage = await ann.call('search_messages', {
    query: 'budget',
    limit: 3,
    cursor: firstPage.next_cursor,
  })
  assert.equal(
    new Set(
      [...firstPage.items, ...secondPage.items].map(
        (item: { message: { id: string } }) => item.message.id,
      ),
    ).size,
    4,
  )
  assert.match(
    (await ann.call('search_messages', { query: 'budget', mode: 'hybrid' })).searched.note,
    /semantic index is still being built/,
  )
  await workspace.app.searchEngine.maintain()
  const semanticResult = await ann.call('search_messages', {
    query: 'spending budgets',
    mode: 'semantic',
  })
  assert.equal(semanticResult.searched.mode, 'semantic')
  assert.match(semanticResult.items[0].snippet, /budget/)
  assert.deepEqual(
    (
      await workspace.bob.call('search_messages', { query: 'budget', mode: 'semantic' })
    ).items.filter((item: { message: { channel: { title: string } } }) =>
      /other/.test(JSON.stringify(item.message.channel)),
    ),
    [],
  )
})

test('a reply is shown among the others of its thread', async () => {
  const { ann, bob } = workspace
  const root = await ann.call('send_message', { channel_id: '#plans', body_markdown: 'root of it' })
  for (const text of ['one', 'pangolin', 'three'])
    await bob.call('reply_to_message', { message_id: root.id, body_markdown: text })
  const [{ context }] = (await ann.call('search_messages', { query: 'pangolin' })).items
  assert.deepEqual(
    [
      context.before.map((item: { text: string }) => item.text),
      context.after.map((item: { text: string }) => item.text),
    ],
    [['one'], ['three']],
  )
})
