import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type Database from 'better-sqlite3'
import { columns } from '../src/db/tables.ts'
import { makeWorkspace, type TestWorkspace } from '../src/testing/harness.ts'

let workspace: TestWorkspace
let raw: { write: Database.Database; read: Database.Database }
before(async () => {
  workspace = await makeWorkspace()
  raw = workspace.app.store.raw
})
after(() => workspace.close())

const live = "t.deleted_at IS NULL AND t.status_category NOT IN ('done', 'cancelled')"

/** Counts maintained by the database, beside the same counted from scratch. */
function counts(): [kept: unknown, counted: unknown][] {
  const rows = (sql: string) => raw.read.prepare(sql).raw().all()
  return [
    [
      rows(
        'SELECT project_id, status_category, org_id, tasks FROM task_counts WHERE tasks <> 0 ORDER BY 1, 2',
      ),
      rows(
        'SELECT project_id, status_category, org_id, count(*) FROM tasks WHERE deleted_at IS NULL GROUP BY 1, 2 ORDER BY 1, 2',
      ),
    ],
    [
      rows(
        'SELECT task_id, person_id, org_id, project_id, due_at FROM open_assignments ORDER BY 1, 2',
      ),
      rows(
        `SELECT t.id, p.person_id, t.org_id, t.project_id, t.due_at FROM tasks AS t JOIN task_people AS p ON p.task_id = t.id AND p.role = 'assignee' WHERE ${live} ORDER BY 1, 2`,
      ),
    ],
    [
      rows(
        'SELECT project_id, person_id, org_id, tasks FROM open_counts WHERE tasks <> 0 ORDER BY 1, 2',
      ),
      rows(
        `SELECT t.project_id, p.person_id, t.org_id, count(*) FROM tasks AS t JOIN task_people AS p ON p.task_id = t.id AND p.role = 'assignee' WHERE ${live} GROUP BY 1, 2 ORDER BY 1, 2`,
      ),
    ],
  ]
}

function same(): void {
  for (const [kept, counted] of counts()) assert.deepEqual(kept, counted)
}

test('task counters match the tasks after any change', async () => {
  const { ann, bob } = workspace
  const { id: projectId } = await ann.call('create_project', {
    name: 'One',
    key: 'ONE',
    member_ids: [bob.actor.id],
  })
  const { id: two } = await ann.call('create_project', {
    name: 'Two',
    key: 'TWO',
    member_ids: [bob.actor.id],
  })
  const make = async (more: Record<string, unknown> = {}) =>
    (
      await ann.call('create_task', {
        project_id: projectId,
        title: 'Task',
        assignee_ids: ['me', bob.actor.id],
        due_at: '2030-01-02T10:00:00Z',
        ...more,
      })
    ).id as string
  const [first, second, third] = [await make(), await make(), await make({ due_at: undefined })]
  assert.equal(raw.read.prepare('SELECT count(*) FROM open_assignments').pluck().get() as number, 6)
  same()
  const steps: [string, Record<string, unknown>][] = [
    ['update_task', { task_id: first, due_at: '2030-02-02T10:00:00Z' }],
    ['update_task', { task_id: first, due_at: null }],
    ['update_task', { task_id: first, status: 'In progress' }],
    ['complete_task', { task_id: first }],
    ['reopen_task', { task_id: first }],
    ['assign_task', { task_id: second, assignee_ids: ['me'] }],
    ['move_task', { task_id: second, project_id: two }],
    ['delete_task', { task_id: third }],
    ['restore_item', { item_id: third }],
    ['delete_task', { task_id: second }],
  ]
  for (const [tool, args] of steps) {
    const before = JSON.stringify(counts())
    await ann.call(tool, args)
    same()
    assert.notEqual(JSON.stringify(counts()), before, `${tool} changes them`)
  }
  const { undo_call_id } = await ann.call('bulk_update_tasks', {
    task_ids: [first, third],
    changes: { status: 'Done' },
  })
  same()
  await ann.call('undo_api_call', { call_id: undo_call_id })
  same()
})

test('a permanently deleted task is no longer counted', () => {
  raw.write.prepare('DELETE FROM tasks').run()
  same()
  assert.equal(raw.read.prepare('SELECT count(*) FROM open_assignments').pluck().get(), 0)
})

/** Query plans of all statements of an operation, one line each. */
async function plansOf(tool: string, args: Record<string, unknown>): Promise<string[]> {
  const fresh = await makeWorkspace() // which has prepared nothing yet
  try {
    const { read, write } = fresh.app.store.raw
    await fresh.ann.call('create_project', { name: 'One', key: 'ONE' })
    const readStatements = new Set<string>()
    for (const connection of [read, write]) {
      const prepare = connection.prepare.bind(connection)
      connection.prepare = ((sql: string) => {
        const statement = prepare(sql)
        if (statement.readonly && statement.reader) readStatements.add(sql)
        return statement
      }) as typeof connection.prepare
    }
    await fresh.ann.call(tool, args)
    const queries = [...readStatements]
    return queries.flatMap((sql) =>
      (
        read
          .prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .all(...Array.from(sql.matchAll(/\?/g), () => null)) as { detail: string }[]
      ).map((row) => row.detail),
    )
  } finally {
    await fresh.close()
  }
}

/** Tables that grow with use. Teams are few, so scanning them is acceptable. */
const growing = Object.keys(columns).filter(
  (name) => !['orgs', 'teams', 'team_members'].includes(name),
)

test('the first screens of a person scan no whole table', async () => {
  const tools: [string, Record<string, unknown>][] = [
    ['get_me', {}],
    ['get_my_agenda', {}],
    ['list_people', {}],
    ['list_projects', {}],
    ['get_project', { project_id: 'ONE' }],
    ['get_project_summary', { project_id: 'ONE' }],
    ['list_labels', {}],
    ['list_unread_messages', {}],
  ]
  for (const [tool, args] of tools) {
    const plans = await plansOf(tool, args)
    assert.ok(plans.length > 0, tool)
    assert.deepEqual(
      plans.filter((plan) => growing.includes(/^SCAN (\w+)/.exec(plan)?.[1] ?? '')),
      [],
      tool,
    )
  }
})

test('task counts are read from counters, not by counting tasks', async () => {
  for (const [tool, args] of [
    ['list_projects', {}],
    ['get_project', { project_id: 'ONE' }],
    ['count_tasks', { group_by: 'status_category' }],
    ['count_tasks', { group_by: 'project' }],
  ] as const) {
    const plans = await plansOf(tool, args)
    assert.ok(
      plans.some((plan) => plan.includes('task_counts')),
      tool,
    )
    assert.deepEqual(
      plans.filter((plan) => /\b(tasks|task_people)\b(?!_)/.test(plan)),
      [],
      tool,
    )
  }
  const due = (await plansOf('get_me', {})).filter((plan) =>
    /\b(open_assignments|tasks)\b/.test(plan),
  )
  assert.deepEqual(due, [
    'SEARCH open_assignments USING INDEX open_assignments_by_person (person_id=? AND due_at<?)',
  ])
})
