import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
let ann: Someone, bob: Someone, carol: Someone, eve: Someone
let project_id: string
before(async () => {
  workspace = await makeWorkspace()
  ;({ ann, bob, carol, eve } = workspace)
})
beforeEach(async () => {
  project_id = (await ann.call('create_project', { name: 'Crew', member_ids: [bob.id] })).id
})
after(() => workspace.close())

const ids = (people: { id: string }[]) => people.map((person) => person.id)

async function accessChanges(op: 'access_gained' | 'access_lost', person: Someone) {
  return workspace.app.store.read
    .selectFrom('changes')
    .select('seq')
    .where('item_id', '=', project_id)
    .where('op', '=', op)
    .where('for_person_id', '=', person.id)
    .execute()
}

test('the lead adds a member, who sees the project from the next call on', async () => {
  const added = await ann.call('add_project_member', { project_id, person_id: 'carol@acme.test' })
  assert.deepEqual([added.person.id, added.role, added.open_task_count], [carol.id, 'member', 0])
  assert.equal((await carol.call('get_project', { project_id })).id, project_id)
  assert.equal((await accessChanges('access_gained', carol)).length, 1)
  const again = await ann.call('add_project_member', { project_id, person_id: carol.id })
  assert.deepEqual(again, added)
  assert.equal((await accessChanges('access_gained', carol)).length, 1)
})

test('only the lead can add members, and only people of the organization', async () => {
  assert.equal(
    (await bob.refused('add_project_member', { project_id, person_id: carol.id })).code,
    'permission_denied',
  )
  assert.equal(
    (await carol.refused('add_project_member', { project_id, person_id: carol.id })).code,
    'not_found',
  )
  assert.equal(
    (await eve.refused('add_project_member', { project_id, person_id: eve.id })).code,
    'not_found',
  )
  assert.equal(
    (await ann.refused('add_project_member', { project_id, person_id: eve.id })).code,
    'not_found',
  )
})

test('there is always one lead: naming another demotes the first to member, and the lead can be neither demoted nor removed', async () => {
  assert.equal(
    (await ann.refused('add_project_member', { project_id, person_id: ann.id, role: 'member' }))
      .code,
    'conflict',
  )
  const refusal = await ann.refused('remove_project_member', { project_id, person_id: 'me' })
  assert.equal(refusal.code, 'conflict')
  assert.match(refusal.body().message, /another lead first/)
  assert.equal(
    (await ann.call('add_project_member', { project_id, person_id: bob.id, role: 'lead' })).role,
    'lead',
  )
  const { members } = await ann.call('get_project', { project_id })
  assert.deepEqual(members.map((member: any) => `${member.person.title} ${member.role}`).sort(), [
    'Ann member',
    'Bob lead',
  ])
})

test('a removed member immediately loses access and tasks: open ones go to the person who takes over', async () => {
  await ann.call('add_project_member', { project_id, person_id: carol.id })
  const open = await ann.call('create_task', { project_id, title: 'Open', assignee_ids: [bob.id] })
  await bob.call('update_task', { task_id: open.id, watching: true })
  const done = await ann.call('create_task', {
    project_id,
    title: 'Done',
    status: 'Done',
    assignee_ids: [bob.id],
  })
  const removal = await ann.call('remove_project_member', {
    project_id,
    person_id: bob.id,
    reassign_to: carol.id,
  })
  assert.deepEqual(removal.also_deleted, [
    { type: 'assignment_handed_over', count: 1 },
    { type: 'closed_assignment', count: 1 },
    { type: 'watched_task', count: 1 },
  ])
  assert.equal('restorable_until' in removal, false)
  const task = await ann.call('get_task', { task_id: open.id })
  assert.deepEqual(
    [ids(task.assignees), ids(task.watchers)],
    [[carol.id], [ann.id]],
    'its creator still watches it',
  )
  assert.deepEqual((await ann.call('get_task', { task_id: done.id })).assignees, [])
  assert.equal((await bob.refused('get_project', { project_id })).code, 'not_found')
  assert.equal((await accessChanges('access_lost', bob)).length, 1)
  assert.equal(
    (await ann.refused('remove_project_member', { project_id, person_id: bob.id })).code,
    'not_found',
  )
})

test('a task already shared with the new assignee is not assigned twice', async () => {
  const shared = await ann.call('create_task', {
    project_id,
    title: 'Shared',
    assignee_ids: [bob.id, ann.id],
  })
  await ann.call('remove_project_member', { project_id, person_id: bob.id, reassign_to: ann.id })
  assert.deepEqual(ids((await ann.call('get_task', { task_id: shared.id })).assignees), [ann.id])
})

test('trashed tasks lose the assignee too, so that restoring them does not bring the assignee back', async () => {
  const task = await ann.call('create_task', {
    project_id,
    title: 'Trashed',
    assignee_ids: [bob.id],
  })
  await ann.call('delete_task', { task_id: task.id })
  await ann.call('remove_project_member', { project_id, person_id: bob.id })
  const links = await workspace.app.store.read
    .selectFrom('task_people')
    .selectAll()
    .where('task_id', '=', task.id)
    .execute()
  assert.deepEqual(
    links.map((item) => [item.person_id, item.role]),
    [[ann.id, 'watcher']],
  )
})

test('a member can leave, even an archived project, but cannot remove another; tasks can go only to a member', async () => {
  await ann.call('add_project_member', { project_id, person_id: carol.id })
  assert.equal(
    (await bob.refused('remove_project_member', { project_id, person_id: carol.id })).code,
    'permission_denied',
  )
  const outsider = await workspace.person('Otto')
  assert.equal(
    (
      await bob.refused('remove_project_member', {
        project_id,
        person_id: 'me',
        reassign_to: outsider.id,
      })
    ).more.field,
    'reassign_to',
  )
  assert.equal(
    (await bob.refused('remove_project_member', { project_id, person_id: 'me', reassign_to: 'me' }))
      .more.field,
    'reassign_to',
  )
  await bob.call('remove_project_member', { project_id, person_id: 'me' })
  assert.equal((await bob.refused('get_project', { project_id })).code, 'not_found')
  await ann.call('archive_project', { project_id })
  await carol.call('remove_project_member', { project_id, person_id: 'me' })
  assert.equal((await carol.refused('get_project', { project_id })).code, 'not_found')
  assert.equal(
    (await eve.refused('remove_project_member', { project_id, person_id: ann.id })).code,
    'not_found',
  )
})
