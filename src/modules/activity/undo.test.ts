import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Actor } from '../../core/actor.ts'
import { dayLong, keyOf, makeWorkspace, minute, type Someone, type TestWorkspace } from '../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

/** The id of somebody's newest call that changed something, as undo_call_id would tell it. */
function lastCall(who: Someone): string {
  return workspace.app.store.raw.read.prepare('SELECT id FROM calls WHERE actor_id = ? AND changed = 1 ORDER BY seq DESC LIMIT 1').pluck().get(who.id) as string
}

async function undoLast(who: Someone) {
  return who.call('undo_api_call', { call_id: lastCall(who) })
}

async function labelNamed(who: Someone, query: string) {
  return (await who.call('list_labels', { query })).items[0]
}

test('undoing a creation puts the item into the trash, and undoing that brings it back', async () => {
  const { ann } = workspace
  await ann.call('create_label', { name: 'Made once' })
  const undone = await undoLast(ann)
  assert.equal(undone.undone, true)
  assert.deepEqual(undone.refused, [])
  assert.deepEqual(undone.restored.map((one: any) => one.title), ['Made once'])
  assert.equal(await labelNamed(ann, 'made once'), undefined)
  const redone = await undoLast(ann)
  assert.equal(redone.undone, true)
  assert.equal((await labelNamed(ann, 'made once')).name, 'Made once')
})

test('undoing a change gives the columns their earlier values, and says so again when asked again', async () => {
  const { ann } = workspace
  const made = await ann.call('create_label', { name: 'Before', color: '#111111' })
  await ann.call('update_label', { label_id: made.id, name: 'After', description: 'new' })
  const call_id = lastCall(ann)
  const first = await ann.call('undo_api_call', { call_id })
  assert.equal(first.undone, true)
  const now = await labelNamed(ann, 'before')
  assert.deepEqual([now.name, now.description, now.revision], ['Before', null, 3])
  const again = await ann.call('undo_api_call', { call_id })
  assert.deepEqual([again.undone, again.restored.length, again.refused], [true, 1, []])
  assert.equal((await labelNamed(ann, 'before')).revision, 3)
})

test('a change that somebody has changed since stays, and the answer says why', async () => {
  const { ann, bob } = workspace
  const made = await ann.call('create_label', { name: 'Contested' })
  await ann.call('update_label', { label_id: made.id, color: '#222222' })
  const call_id = lastCall(ann)
  await bob.call('update_label', { label_id: made.id, color: '#333333' })
  const undone = await ann.call('undo_api_call', { call_id })
  assert.equal(undone.undone, false)
  assert.deepEqual(undone.refused.map((one: any) => [one.item.title, one.reason]), [['Contested', 'changed_since']])
  assert.equal((await labelNamed(ann, 'contested')).color, '#333333')
})

test('a change of other columns since does not stand in the way', async () => {
  const { ann, bob } = workspace
  const made = await ann.call('create_label', { name: 'Shared work', color: '#444444' })
  await ann.call('update_label', { label_id: made.id, color: '#555555' })
  const call_id = lastCall(ann)
  await bob.call('update_label', { label_id: made.id, description: 'from bob' })
  assert.equal((await ann.call('undo_api_call', { call_id })).undone, true)
  const now = await labelNamed(ann, 'shared work')
  assert.deepEqual([now.color, now.description], ['#444444', 'from bob'])
})

test('a creation is not undone once somebody has changed the item', async () => {
  const { ann, bob } = workspace
  const made = await ann.call('create_label', { name: 'In use' })
  const call_id = lastCall(ann)
  await bob.call('update_label', { label_id: made.id, description: 'mine now' })
  assert.deepEqual((await ann.call('undo_api_call', { call_id })).refused.map((one: any) => one.reason), ['changed_since'])
})

test('undoing a deletion takes the item out of the trash, unless its name was given anew', async () => {
  const { ann } = workspace
  const made = await ann.call('create_label', { name: 'Comes back' })
  const { undo_call_id } = await ann.call('delete_label', { label_id: made.id })
  assert.equal((await ann.call('undo_api_call', { call_id: undo_call_id })).undone, true)
  assert.equal((await labelNamed(ann, 'comes back')).id, made.id)
  const second = await ann.call('delete_label', { label_id: made.id })
  await ann.call('create_label', { name: 'Comes back' })
  const refused = await ann.call('undo_api_call', { call_id: second.undo_call_id })
  assert.deepEqual([refused.undone, refused.refused[0].reason], [false, 'changed_since'])
})

test('a dry run says what would be undone and undoes nothing', async () => {
  const { ann } = workspace
  const made = await ann.call('create_label', { name: 'Dry' })
  await ann.call('update_label', { label_id: made.id, name: 'Wet' })
  const call_id = lastCall(ann)
  const dry = await ann.call('undo_api_call', { call_id, dry_run: true })
  assert.deepEqual([dry.undone, dry.dry_run, dry.restored.length], [true, true, 1])
  assert.equal((await labelNamed(ann, 'wet')).id, made.id)
  assert.equal((await ann.call('undo_api_call', { call_id })).undone, true)
})

test('calls of others are out of sight, and calls that changed nothing have nothing to undo', async () => {
  const { ann, bob, eve } = workspace
  await ann.call('create_label', { name: 'Mine' })
  const call_id = lastCall(ann)
  assert.equal((await bob.refused('undo_api_call', { call_id })).code, 'not_found')
  assert.equal((await eve.refused('undo_api_call', { call_id })).code, 'not_found')
  await ann.call('list_labels')
  const read = workspace.app.store.raw.read.prepare("SELECT id FROM calls WHERE actor_id = ? AND tool = 'list_labels' ORDER BY seq DESC LIMIT 1").pluck().get(ann.id) as string
  const refusal = await ann.refused('undo_api_call', { call_id: read })
  assert.equal(refusal.code, 'conflict')
  assert.match(refusal.message, /changed nothing/)
})

test('what is older than the trash keeps cannot be undone', async () => {
  const { ann, clock } = workspace
  await ann.call('create_label', { name: 'Long ago' })
  const call_id = lastCall(ann)
  clock.pass(31 * dayLong)
  const late = await ann.call('undo_api_call', { call_id })
  assert.deepEqual([late.undone, late.refused.map((one: any) => one.reason)], [false, ['expired']])
})

test('undo acts with the rights of now: who may no longer change an item leaves it as it is', async () => {
  const { ann } = workspace
  const dora = await workspace.person('Dora')
  const made = await ann.call('create_label', { name: 'Not a guest thing' })
  await dora.call('update_label', { label_id: made.id, color: '#666666' })
  const call_id = lastCall(dora)
  const guest: Actor = { ...dora.actor, role: 'guest' }
  const { call } = await import('../../core/call.ts')
  const answer = await call(workspace.app, guest, { tool: 'undo_api_call', args: { call_id }, transport: 'web', requestId: 'r', route: 'test', ip: '' })
  assert.deepEqual((answer.value as any).refused.map((one: any) => one.reason), ['not_reversible'])
})

test('a key for some modules undoes nothing of others', async () => {
  const { ann } = workspace
  await ann.call('create_label', { name: 'Of another module' })
  const call_id = lastCall(ann)
  const { issueKey } = await import('../../keys/issue.ts')
  const issued = await issueKey(workspace.app.store, workspace.clock, { owner: ann.id, name: 'narrow', via: 'cli', toolsets: ['activity'], modules: ['activity', 'labels'] })
  await assert.rejects(ann.call('undo_api_call', { call_id }, { via: 'mcp', key: keyOf({ id: issued.id, toolsets: ['activity'] }) }), /belongs to labels/)
})

test('members and what hangs on them go back as one: leaving, and being made lead', async () => {
  const { ann, bob, clock } = workspace
  const project = await ann.call('create_project', { name: 'Undo members', key: 'UNM', member_ids: [bob.id] })
  await ann.call('remove_project_member', { project_id: project.id, person_id: bob.id })
  const removal = lastCall(ann)
  assert.equal((await bob.refused('get_project', { project_id: 'UNM' })).code, 'not_found')
  assert.equal((await ann.call('undo_api_call', { call_id: removal })).undone, true)
  assert.equal((await bob.call('get_project', { project_id: 'UNM' })).members.length, 2)
  clock.pass(minute)
  const gained = (await bob.call('list_changes', { types: ['project'] })).items.filter((one: any) => one.item.id === project.id).map((one: any) => one.op)
  assert.ok(gained.includes('access_lost') && gained.at(-1) !== 'access_lost')
  await ann.call('add_project_member', { project_id: 'UNM', person_id: bob.id, role: 'lead' })
  const handOver = lastCall(ann)
  assert.equal((await ann.call('undo_api_call', { call_id: handOver })).refused[0].reason, 'not_reversible')
})

test('undoing the creation of a project takes it away, but not once there is work in it', async () => {
  const { ann } = workspace
  const empty = await ann.call('create_project', { name: 'Short lived', key: 'SHORT' })
  assert.equal((await undoLast(ann)).undone, true)
  assert.equal((await ann.refused('get_project', { project_id: empty.id })).code, 'not_found')
  const busy = await ann.call('create_project', { name: 'Busy', key: 'BUSY' })
  const call_id = lastCall(ann)
  await ann.call('create_milestone', { project_id: busy.id, name: 'First' })
  assert.deepEqual((await ann.call('undo_api_call', { call_id })).refused.map((one: any) => one.reason), ['changed_since'])
})

test('undoing what is erased and not trashed erases it, and undoing that puts the row back', async () => {
  const { ann } = workspace
  await ann.call('create_project', { name: 'Stones', key: 'STN' })
  const made = await ann.call('create_milestone', { project_id: 'STN', name: 'Stone' })
  assert.equal((await undoLast(ann)).undone, true)
  assert.deepEqual((await ann.call('list_milestones', { project_id: 'STN' })).items, [])
  const changes = (await ann.call('list_changes', { types: ['milestone'] })).items.filter((one: any) => one.item.id === made.id)
  assert.deepEqual(changes.map((one: any) => [one.op, one.item.title]), [['deleted', 'Stone']])
  assert.equal((await undoLast(ann)).undone, true)
  assert.deepEqual((await ann.call('list_milestones', { project_id: 'STN' })).items.map((one: any) => one.id), [made.id])
})
