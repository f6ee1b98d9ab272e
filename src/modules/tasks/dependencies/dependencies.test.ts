import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol } = workspace
  await ann.call('create_project', { name: 'Engine', key: 'ENG' })
  await ann.call('add_project_member', { project_id: 'ENG', person_id: bob.id })
  await ann.call('create_project', { name: 'Hidden', key: 'HID' })
  await carol.call('create_project', { name: 'Own', key: 'OWN' })
})
after(() => workspace.close())

const add = (title: string, more: Record<string, unknown> = {}) =>
  workspace.ann.call('create_task', { project_id: 'ENG', title, ...more })
const link = (task: any, other: any, type?: string) =>
  workspace.ann.call('add_task_dependency', {
    task_id: task.id,
    other_task_id: other.id,
    ...(type ? { type } : {}),
  })
const graph = (task: any, args: Record<string, unknown> = {}) =>
  workspace.ann.call('get_task_dependencies', { task_id: task.id, ...args })
const titles = (refs: any[]) => refs.map((ref) => ref.title)

test('a task is blocked by another, which then blocks it, from whichever end the link is added', async () => {
  const [a, b, c] = [await add('a'), await add('b'), await add('c')]
  assert.deepEqual(await link(a, b), {
    task: { id: a.id, key: a.key, title: 'a' },
    other: { id: b.id, key: b.key, title: 'b' },
    type: 'blocked_by',
  })
  assert.equal((await link(a, c, 'blocks')).type, 'blocks')
  const seen = await workspace.ann.call('get_task', { task_id: a.id })
  assert.deepEqual(
    [titles(seen.blocked_by), titles(seen.blocks), seen.blocked],
    [['b'], ['c'], true],
  )
  await link(b, a, 'blocks')
  assert.equal((await workspace.ann.call('get_task', { task_id: a.id })).revision, seen.revision)
})

test('a link that would close a cycle is refused with the path', async () => {
  const [a, b, c] = [await add('a'), await add('b'), await add('c')]
  await link(a, b)
  await link(b, c)
  const refusal = await workspace.ann.refused('add_task_dependency', {
    task_id: c.id,
    other_task_id: a.id,
  })
  assert.equal(refusal.code, 'conflict')
  assert.deepEqual(refusal.more.context, { path: [a.key, b.key, c.key] })
  assert.equal(
    (
      await workspace.ann.refused('add_task_dependency', {
        task_id: a.id,
        other_task_id: c.id,
        type: 'blocks',
      })
    ).code,
    'conflict',
  )
  assert.equal(
    (await workspace.ann.refused('add_task_dependency', { task_id: a.id, other_task_id: a.id }))
      .more.field,
    'other_task_id',
  )
  await link(a, b, 'duplicates')
  assert.equal(
    (
      await workspace.ann.refused('add_task_dependency', {
        task_id: b.id,
        other_task_id: a.id,
        type: 'duplicates',
      })
    ).code,
    'conflict',
  )
})

test('a cycle through invisible or trashed tasks is refused without naming them', async () => {
  const { ann, bob } = workspace
  const [a, c] = [await add('a'), await add('c')]
  const hidden = await ann.call('create_task', { project_id: 'HID', title: 'canary' })
  await link(a, hidden)
  await link(hidden, c)
  const refusal = await bob.refused('add_task_dependency', { task_id: c.id, other_task_id: a.id })
  assert.equal(refusal.code, 'conflict')
  assert.deepEqual(refusal.more.context, { path: [a.key, c.key] })
  assert.doesNotMatch(JSON.stringify(refusal.body()), /HID|canary/)
  await ann.call('delete_task', { task_id: hidden.id })
  assert.equal(
    (await bob.refused('add_task_dependency', { task_id: c.id, other_task_id: a.id })).code,
    'conflict',
  )
})

test('a relation between two tasks is symmetric', async () => {
  const { ann } = workspace
  const [a, b] = [await add('a'), await add('b')]
  await link(a, b, 'relates_to')
  await link(b, a, 'relates_to')
  const removal = await ann.call('remove_task_dependency', { task_id: b.id, other_task_id: a.id })
  assert.equal(removal.item.title, `${a.key} relates to ${b.key}`)
  assert.equal(
    (await ann.refused('remove_task_dependency', { task_id: a.id, other_task_id: b.id })).code,
    'not_found',
  )
})

test('removing a link removes all its kinds', async () => {
  const { ann } = workspace
  const [a, b] = [await add('a'), await add('b')]
  await link(a, b)
  await link(a, b, 'relates_to')
  await ann.call('remove_task_dependency', { task_id: b.key, other_task_id: a.key })
  assert.deepEqual((await graph(a)).edges, [])
})

test('the graph extends to its depth, up and down, by the shortest path', async () => {
  const [a, b, c, d] = [await add('a'), await add('b'), await add('c'), await add('d')]
  await link(a, b)
  await link(b, c)
  await link(a, c)
  await link(d, a)
  const whole = await graph(a)
  assert.deepEqual(
    Object.fromEntries(whole.nodes.map((node: any) => [node.task.title, node.depth])),
    {
      a: 0,
      b: 1,
      c: 1,
      d: 1,
    },
  )
  assert.equal(whole.edges.length, 4)
  assert.deepEqual(titles((await graph(d, { depth: 1 })).nodes.map((node: any) => node.task)), [
    'd',
    'a',
  ])
  assert.deepEqual(
    titles((await graph(a, { direction: 'downstream' })).nodes.map((node: any) => node.task)),
    ['a', 'd'],
  )
  assert.deepEqual(titles(whole.critical_path), ['c', 'b', 'a', 'd'])
})

test('the critical path follows estimates and excludes done tasks', async () => {
  const { ann } = workspace
  const [a, b, c, long] = [
    await add('a'),
    await add('b', { estimate_minutes: 10 }),
    await add('c', { estimate_minutes: 10 }),
    await add('long', { estimate_minutes: 60 }),
  ]
  await link(a, b)
  await link(b, c)
  await link(a, long)
  assert.deepEqual(titles((await graph(a)).critical_path), ['long', 'a'])
  await ann.call('complete_task', { task_id: long.id })
  assert.deepEqual(titles((await graph(a)).critical_path), ['c', 'b', 'a'])
})

test('late and hidden blockers cause warnings, hidden ones only as a count', async () => {
  const { ann, bob } = workspace
  const [a, b] = [
    await add('a', { due_at: '2026-12-01' }),
    await add('b', { due_at: '2026-12-05' }),
  ]
  const hidden = await ann.call('create_task', { project_id: 'HID', title: 'canary' })
  await link(a, b)
  await link(a, hidden)
  const seen = await bob.call('get_task_dependencies', { task_id: a.id })
  assert.deepEqual(seen.warnings, [
    {
      kind: 'late_blocker',
      detail: `${b.key} is due 2026-12-05, after ${a.key}, which depends on it (2026-12-01).`,
    },
    {
      kind: 'hidden_blocker_count',
      detail: '1 more open task not visible to you blocks the tasks shown here.',
    },
  ])
  assert.doesNotMatch(JSON.stringify(seen), new RegExp(`canary|HID-|${hidden.id}`))
  assert.deepEqual(
    (await graph(a)).warnings.map((warning: any) => warning.kind),
    ['late_blocker'],
  )
  await ann.call('complete_task', { task_id: hidden.id })
  assert.equal((await bob.call('get_task_dependencies', { task_id: a.id })).warnings.length, 1)
})

test('both ends of a link must be visible', async () => {
  const { carol, eve, bob, ann } = workspace
  const a = await add('a')
  const carolsTask = await carol.call('create_task', { project_id: 'OWN', title: 'own' })
  const hidden = await ann.call('create_task', { project_id: 'HID', title: 'canary' })
  for (const someone of [carol, eve]) {
    assert.equal(
      (await someone.refused('get_task_dependencies', { task_id: a.id })).code,
      'not_found',
    )
    assert.equal(
      (
        await someone.refused('add_task_dependency', {
          task_id: a.id,
          other_task_id: carolsTask.id,
        })
      ).code,
      'not_found',
    )
  }
  assert.equal(
    (await carol.refused('add_task_dependency', { task_id: carolsTask.id, other_task_id: a.id }))
      .code,
    'not_found',
  )
  assert.equal(
    (await bob.refused('remove_task_dependency', { task_id: a.id, other_task_id: hidden.id })).code,
    'not_found',
  )
})

test('a blocker shows whether it is done, and a task with only done blockers is not blocked', async () => {
  const [task, open, done, cancelled] = [
    await add('Waits'),
    await add('Open', { status: 'In progress' }),
    await add('Done'),
    await add('Cancelled'),
  ]
  for (const blocker of [open, done, cancelled]) await link(task, blocker)
  const blockers = async () => {
    const { blocked_by, blocked } = await workspace.ann.call('get_task', { task_id: task.id })
    return [
      blocked_by.map((ref: any) => [ref.title, ref.status_category]).toSorted(),
      blocked ?? false,
    ]
  }
  await workspace.ann.call('update_task', { task_id: done.id, status: 'Done' })
  await workspace.ann.call('update_task', { task_id: cancelled.id, status: 'Cancelled' })
  const finished = [
    ['Cancelled', 'cancelled'],
    ['Done', 'done'],
  ]
  assert.deepEqual(await blockers(), [[...finished, ['Open', 'in_progress']], true])
  await workspace.ann.call('update_task', { task_id: open.id, status: 'Done' })
  assert.deepEqual(await blockers(), [[...finished, ['Open', 'done']], false])
})
