import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../testing/harness.ts'
import { label } from '../modules/labels/access.ts'
import { project } from '../modules/portfolio/access.ts'
import { task } from '../modules/tasks/access.ts'
import { person } from '../modules/directory/access.ts'
import { newId } from '../kernel/ids.ts'
import { findItem } from './items.ts'
import { refsOf } from './item-refs.ts'
import { Refusal } from '../kernel/refusal.ts'
import { accessScope, withTrash, type AccessScope } from './access-scope.ts'

let workspace: TestWorkspace
let task1: any
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Seen', key: 'SEEN', member_ids: [bob.id] })
  task1 = await ann.call('create_task', { project_id: 'SEEN', title: 'Look' })
})
after(() => workspace.close())

const look = (who: Someone): AccessScope =>
  accessScope({ all: workspace.app.store.read, actor: who.actor, now: workspace.clock.now() })
const refused = async (work: Promise<unknown>): Promise<Refusal> =>
  work.then(
    () => assert.fail('was not refused'),
    (error: unknown) => (error instanceof Refusal ? error : assert.fail(String(error))),
  )

test('the same rule applies to finding one row and listing many', async () => {
  const { bob, carol } = workspace
  assert.equal((await task.find(look(bob), task1.id))?.title, 'Look')
  assert.equal((await task.find(look(bob), 'seen-1'))?.id, task1.id)
  assert.deepEqual([...(await task.among(look(bob), [task1.id, task1.id])).keys()], [task1.id])
  assert.equal(await task.find(look(carol), task1.id), undefined)
  assert.equal((await task.among(look(carol), [task1.id])).size, 0)
  assert.deepEqual(await task.visibleTo(look(carol)).selectAll('tasks').execute(), [])
  assert.equal((await task.among(look(bob), [])).size, 0)
})

test('an invisible row is not_found by argument name; a visible one without permission is permission_denied with the rule', async () => {
  const { bob, carol } = workspace
  const absent = await refused(project.demand(look(carol), 'SEEN', 'own', 'project_id'))
  const never = await refused(project.demand(look(carol), 'NEVER', 'own', 'project_id'))
  assert.deepEqual(
    [absent.code, absent.message, absent.more],
    [never.code, never.message, never.more],
  )
  assert.deepEqual([absent.code, absent.more.field], ['not_found', 'project_id'])
  const denied = await refused(project.demand(look(bob), 'SEEN', 'own', 'project_id'))
  assert.deepEqual(
    [denied.code, denied.message],
    ['permission_denied', 'Only the project lead may do this.'],
  )
})

test('aliases of a row follow its rule too, and an id of another kind matches nothing', async () => {
  const { ann, eve } = workspace
  assert.equal((await person.find(look(ann), 'me'))?.id, ann.id)
  assert.equal((await person.find(look(ann), 'BOB@acme.test'))?.display_name, 'Bob')
  assert.equal(await person.find(look(eve), 'bob@acme.test'), undefined)
  for (const text of [
    '',
    ' ',
    'SEEN-999',
    'SEEN-',
    newId('tsk', 0),
    task1.id.toUpperCase(),
    task1.id.slice(0, -1),
    `${task1.id}'`,
  ])
    assert.equal(await task.find(look(ann), text), undefined, text)
  assert.equal(await project.find(look(ann), task1.id), undefined)
})

test('a name that matches two rows is refused with both', async () => {
  const { ann } = workspace
  for (let i = 0; i < 2; i++)
    await ann.call('delete_label', {
      label_id: (await ann.call('create_label', { name: 'Double' })).id,
    })
  const refusal = await refused(label.find(withTrash(look(ann)), 'double'))
  assert.equal(refusal.code, 'invalid_argument')
  assert.equal((refusal.more.context as any).candidates.length, 2)
})

test('trashed rows are visible only when requested, and restored only with permission', async () => {
  const { ann, bob } = workspace
  const trashedProject = await ann.call('create_project', {
    name: 'Gone',
    key: 'GONE',
    member_ids: [bob.id],
  })
  await ann.call('delete_project', { project_id: 'GONE', confirm_key: 'GONE' })
  assert.equal(await project.find(look(ann), trashedProject.id), undefined)
  assert.equal((await project.find(withTrash(look(bob)), trashedProject.id))?.name, 'Gone')
  assert.deepEqual(
    [
      await project.mayRestore(look(ann), trashedProject.id),
      await project.mayRestore(look(bob), trashedProject.id),
    ],
    [true, false],
  )
  assert.deepEqual(
    (await project.restorable(look(ann)).select('projects.key').execute()).map((row) => row.key),
    ['GONE'],
  )
})

test('a column is checked against visible rows, row by row or by a list', async () => {
  const { bob, carol, app } = workspace
  for (const [who, expected] of [
    [bob, 1],
    [carol, 0],
  ] as const) {
    for (const rule of [
      project.holds(look(who), 'tasks.project_id'),
      project.lists(look(who), 'tasks.project_id'),
    ]) {
      const rows = await app.store.read.selectFrom('tasks').select('tasks.id').where(rule).execute()
      assert.equal(rows.length, expected)
    }
  }
})

test('an id reveals its kind, a key is looked up among all kinds', async () => {
  const { ann, carol } = workspace
  assert.equal((await findItem(look(ann), 'SEEN-1', 'see', 'item_id')).row.id, task1.id)
  assert.equal(
    (await findItem(look(ann), task1.id, 'see', 'item_id')).resource.definition.type,
    'task',
  )
  const refusal = await refused(findItem(look(carol), task1.id, 'anywhere', 'item_id'))
  assert.deepEqual([refusal.code, refusal.more.field], ['not_found', 'item_id'])
})

test('references to items of mixed kinds omit invisible ones', async () => {
  const { ann, carol } = workspace
  const wanted = [
    { type: 'task', id: task1.id },
    { type: 'person', id: ann.id },
    { type: 'nothing', id: 'x' },
  ]
  assert.deepEqual(
    [...(await refsOf(look(ann), wanted, 'http://x')).values()]
      .map((ref) => [ref.type, ref.key, ref.url])
      .sort(),
    [
      ['person', undefined, `http://x/people/${ann.id}`],
      ['task', 'SEEN-1', 'http://x/tasks/SEEN-1'],
    ],
  )
  assert.deepEqual([...(await refsOf(look(carol), wanted, '')).keys()], [ann.id])
})
