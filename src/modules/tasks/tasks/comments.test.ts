import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, minute, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
let task: any
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Engine', key: 'ENG' })
  await ann.call('add_project_member', { project_id: 'ENG', person_id: bob.id })
  task = await ann.call('create_task', { project_id: 'ENG', title: 'Talk' })
})
after(() => workspace.close())

const say = (who: 'ann' | 'bob', body_markdown: string, more: Record<string, unknown> = {}) =>
  workspace[who].call('add_task_comment', { task_id: task.id, body_markdown, ...more })

test('a comment can mention only members, and its author then watches the task', async () => {
  const { ann, bob, carol } = workspace
  const comment = await say('bob', `Hi @Ann, @Carol and @${carol.id}`)
  assert.equal(comment.author.id, bob.id)
  assert.deepEqual(comment.on, {
    type: 'task',
    id: task.id,
    key: 'ENG-1',
    title: 'Talk',
    url: task.url,
  })
  assert.deepEqual(comment.mentions, [{ id: ann.id, title: 'Ann' }])
  const seen = await bob.call('get_task', { task_id: 'ENG-1' })
  assert.equal(seen.watching, true)
  assert.equal(seen.comment_count, 1)
  const { events_json } = await workspace.app.store.read
    .selectFrom('changes')
    .select('events_json')
    .where('item_id', '=', task.id)
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow()
  assert.ok((JSON.parse(events_json) as string[]).includes('task.commented'))
})

test('comments are listed oldest first, paginated, and since a given moment', async () => {
  const { bob, clock, ann } = workspace
  const other = await ann.call('create_task', { project_id: 'ENG', title: 'Long talk' })
  const add = (text: string) =>
    bob.call('add_task_comment', { task_id: other.id, body_markdown: text })
  const first = await add('one')
  clock.pass(minute)
  const since = new Date(clock.now()).toISOString()
  for (const text of ['two', 'three']) await add(text)
  const list = (args = {}) => bob.call('list_task_comments', { task_id: other.id, ...args })
  const page = await list({ limit: 2 })
  assert.deepEqual(
    page.items.map((item: any) => item.body_markdown),
    ['one', 'two'],
  )
  assert.deepEqual(
    (await list({ limit: 2, cursor: page.next_cursor })).items.map(
      (item: any) => item.body_markdown,
    ),
    ['three'],
  )
  assert.deepEqual(
    (await list({ since })).items.map((item: any) => item.body_markdown),
    ['two', 'three'],
  )
  await bob.call('update_task_comment', {
    task_id: other.id,
    comment_id: first.id,
    body_markdown: 'one, corrected',
  })
  assert.equal((await list({ since })).items.length, 3)
})

test('a reply refers to a comment of the same task, and survives its deletion', async () => {
  const { ann } = workspace
  const question = await say('ann', 'Why?')
  const reply = await say('bob', 'Because.', { reply_to_comment_id: question.id })
  assert.equal(reply.reply_to, question.id)
  const other = await ann.call('create_task', { project_id: 'ENG', title: 'Elsewhere' })
  assert.equal(
    (
      await ann.refused('add_task_comment', {
        task_id: other.id,
        body_markdown: 'x',
        reply_to_comment_id: question.id,
      })
    ).code,
    'not_found',
  )
  const deletion = await ann.call('delete_task_comment', {
    task_id: task.id,
    comment_id: question.id,
  })
  assert.equal(deletion.item.id, question.id)
  assert.equal(deletion.restorable_until, undefined)
  assert.ok(deletion.undo_call_id)
  const left = (await ann.call('list_task_comments', { task_id: task.id })).items
  assert.equal(left.find((item: any) => item.id === reply.id).reply_to, undefined)
  assert.equal(
    (await ann.refused('delete_task_comment', { task_id: task.id, comment_id: question.id })).code,
    'not_found',
  )
})

test('undo restores a deleted comment together with its replies', async () => {
  const { ann } = workspace
  const question = await say('ann', 'Gone by mistake?')
  const reply = await say('bob', 'Yes.', { reply_to_comment_id: question.id })
  const { undo_call_id } = await ann.call('delete_task_comment', {
    task_id: task.id,
    comment_id: question.id,
  })
  assert.equal((await ann.call('undo_api_call', { call_id: undo_call_id })).undone, true)
  const left = (await ann.call('list_task_comments', { task_id: task.id, limit: 100 })).items
  assert.equal(left.find((item: any) => item.id === question.id).body_markdown, 'Gone by mistake?')
  assert.equal(left.find((item: any) => item.id === reply.id).reply_to, question.id)
})

test('comments cannot be added in an archived project', async () => {
  const { ann } = workspace
  await ann.call('create_project', { name: 'Old', key: 'OLD' })
  const old = await ann.call('create_task', { project_id: 'OLD', title: 'Old' })
  const comment = await ann.call('add_task_comment', { task_id: old.id, body_markdown: 'x' })
  await ann.call('archive_project', { project_id: 'OLD' })
  assert.match(
    (await ann.refused('add_task_comment', { task_id: old.id, body_markdown: 'x' })).message,
    /archived/,
  )
  assert.match(
    (
      await ann.refused('update_task_comment', {
        task_id: old.id,
        comment_id: comment.id,
        body_markdown: 'y',
      })
    ).message,
    /archived/,
  )
  assert.equal((await ann.call('list_task_comments', { task_id: old.id })).items.length, 1)
})

test('an edit marks the comment and re-reads its mentions; the same text changes nothing', async () => {
  const { bob, clock } = workspace
  const comment = await say('bob', 'for @Ann')
  const edit = (body_markdown: string) =>
    bob.call('update_task_comment', { task_id: task.id, comment_id: comment.id, body_markdown })
  assert.equal((await edit('for @Ann')).edited_at, undefined)
  clock.pass(minute)
  const edited = await edit('for @Bob')
  assert.equal(edited.edited_at, new Date(clock.now()).toISOString())
  assert.deepEqual(edited.mentions, [{ id: bob.id, title: 'Bob' }])
})

test('only the author can edit and delete a comment', async () => {
  const { ann } = workspace
  const comment = await say('bob', 'mine')
  assert.equal(
    (
      await ann.refused('update_task_comment', {
        task_id: task.id,
        comment_id: comment.id,
        body_markdown: 'x',
      })
    ).code,
    'permission_denied',
  )
  assert.equal(
    (await ann.refused('delete_task_comment', { task_id: task.id, comment_id: comment.id })).code,
    'permission_denied',
  )
})

test('a person who cannot see the task finds neither it nor its comments', async () => {
  const { ann, carol, eve } = workspace
  const comment = await say('ann', 'secret')
  const outside = await carol.call('create_project', { name: 'Own', key: 'OWN' })
  const carolsTask = await carol.call('create_task', { project_id: outside.id, title: 'Own' })
  for (const someone of [carol, eve]) {
    assert.equal(
      (await someone.refused('list_task_comments', { task_id: task.id })).code,
      'not_found',
    )
    assert.equal(
      (await someone.refused('add_task_comment', { task_id: 'ENG-1', body_markdown: 'x' })).code,
      'not_found',
    )
  }
  assert.equal(
    (
      await carol.refused('update_task_comment', {
        task_id: carolsTask.id,
        comment_id: comment.id,
        body_markdown: 'x',
      })
    ).code,
    'not_found',
  )
  assert.equal(
    (
      await carol.refused('add_task_comment', {
        task_id: carolsTask.id,
        body_markdown: 'x',
        reply_to_comment_id: comment.id,
      })
    ).code,
    'not_found',
  )
  assert.equal(
    (await ann.call('list_task_comments', { task_id: task.id })).items.at(-1).body_markdown,
    'secret',
  )
})

test('the call log stores no comment text', async () => {
  await say('ann', 'canary in the log')
  const calls = await workspace.app.store.read
    .selectFrom('calls')
    .select('details_json')
    .where('tool', '=', 'add_task_comment')
    .execute()
  assert.ok(calls.length > 0)
  assert.ok(!calls.some((call) => call.details_json?.includes('canary')))
})

test('blank and overlong comments are refused, and an idempotency key creates only one', async () => {
  const { ann } = workspace
  assert.equal(
    (await ann.refused('add_task_comment', { task_id: task.id, body_markdown: '  \n' })).code,
    'invalid_argument',
  )
  assert.equal(
    (await ann.refused('add_task_comment', { task_id: task.id, body_markdown: 'x'.repeat(50_001) }))
      .code,
    'invalid_argument',
  )
  const once = () => say('ann', 'once', { idempotency_key: 'k1' })
  assert.equal((await once()).id, (await once()).id)
})
