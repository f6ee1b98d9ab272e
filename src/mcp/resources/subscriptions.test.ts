import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../testing/harness.ts'
import { untilTrue } from '../../testing/limits.ts'
import { followDocuments } from './subscriptions.ts'
import { assistantOf, errorOf } from '../testing.ts'

let workspace: TestWorkspace
let task: { id: string }

before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Engine', key: 'ENG', member_ids: [bob.id] })
  task = await ann.call('create_task', { project_id: 'ENG', title: 'Oil the valves' })
})
after(() => workspace.close())

async function follow(who: Someone, ...uris: string[]) {
  const received: string[] = []
  return {
    received,
    end: await followDocuments(workspace.app, assistantOf(workspace, who), uris, (uri) =>
      received.push(uri),
    ),
  }
}

const untilIdle = () => untilTrue(() => workspace.app.live.isIdle, 'Changes are still reported')

test('a subscribed URI is reported as it was given, by key or by id', async () => {
  const { ann } = workspace
  const byId = `workspace://tasks/${task.id}`
  const { received, end } = await follow(
    ann,
    'workspace://tasks/eng-1',
    byId,
    'workspace://projects/ENG',
    'workspace://people/me',
  )
  await ann.call('update_task', { task_id: 'ENG-1', title: 'Oil all valves' })
  await untilIdle()
  assert.deepEqual(received.splice(0).sort(), ['workspace://tasks/eng-1', byId].sort())
  await ann.call('update_project', { project_id: 'ENG', name: 'Engine room' })
  await ann.call('set_my_status', { availability: 'busy' })
  await untilIdle()
  assert.deepEqual(received.splice(0), ['workspace://projects/ENG', 'workspace://people/me'])
  end()
  await ann.call('update_task', { task_id: 'ENG-1', title: 'Oil the valves' })
  await untilIdle()
  assert.deepEqual(received, [])
})

test('two people subscribed to the same URI each get only what they may see', async () => {
  const { ann, bob } = workspace
  const uri = 'workspace://tasks/ENG-1'
  const [anns, bobs] = [await follow(ann, uri), await follow(bob, uri)]
  await ann.call('update_task', { task_id: 'ENG-1', priority: 'high' })
  await untilIdle()
  await ann.call('remove_project_member', { project_id: 'ENG', person_id: bob.id })
  await ann.call('update_task', { task_id: 'ENG-1', priority: 'low' })
  await untilIdle()
  assert.deepEqual([anns.received.length, bobs.received.length], [2, 1])
  anns.end()
  bobs.end()
})

test('an invisible item is refused like a missing one, and then nothing in the list is subscribed', async () => {
  const { ann, carol, eve, app } = workspace
  for (const who of [carol, eve]) {
    const [hidden, missing] = await Promise.all(
      ['ENG-1', 'ENG-9'].map((key) =>
        errorOf(follow(who, 'workspace://people/me', `workspace://tasks/${key}`)),
      ),
    )
    assert.deepEqual([hidden!.code, hidden!.data], [-32602, { uri: 'workspace://tasks/ENG-1' }])
    assert.equal(missing!.message.replace('ENG-9', 'ENG-1'), hidden!.message)
    assert.equal((await errorOf(follow(who, 'nonsense'))).code, -32602)
  }
  const received: string[] = []
  await errorOf(
    followDocuments(
      app,
      assistantOf(workspace, carol),
      ['workspace://people/me', 'workspace://tasks/ENG-1'],
      (uri) => received.push(uri),
    ),
  )
  await carol.call('set_my_status', { availability: 'away' })
  await untilIdle()
  assert.deepEqual(received, [])
  const rows = app.store.raw.read
    .prepare(
      "SELECT DISTINCT status, error_code FROM calls WHERE tool = 'resources/subscribe' AND actor_id = ? ORDER BY error_code",
    )
    .all(carol.id)
  assert.deepEqual(rows, [
    { status: 'error', error_code: 'invalid_argument' },
    { status: 'error', error_code: 'not_found' },
  ])
  assert.equal(
    (
      await errorOf(
        follow(ann, ...Array.from({ length: 1001 }, (_, i) => `workspace://tasks/ENG-${i}`)),
      )
    ).code,
    -32602,
  )
})

test('a subscriber to a task moved to the trash is notified one last time', async () => {
  const { ann } = workspace
  await ann.call('create_task', { project_id: 'ENG', title: 'Gone' })
  const { received, end } = await follow(ann, 'workspace://tasks/ENG-2')
  await ann.call('delete_task', { task_id: 'ENG-2' })
  await untilIdle()
  assert.deepEqual(received, ['workspace://tasks/ENG-2'])
  end()
})
