// Maximum number of SQL statements for the most frequent calls. A change that exceeds a limit must be examined; do not
// raise it: every call pays for an additional statement.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { DefaultQueryCompiler } from 'kysely'
import { Queue } from '../src/jobs/queue.ts'
import { makeWorkspace, type TestWorkspace } from '../src/testing/harness.ts'
import { recordRuns } from '../src/testing/runs.ts'

/** The text of each statement that this thread runs during `work`. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await recordRuns(work)).statements
}

let workspace: TestWorkspace
let tasks: { id: string }[]

before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Pumps', key: 'PMP', member_ids: [bob.id] })
  tasks = []
  for (let i = 0; i < 30; i++)
    tasks.push(
      await ann.call('create_task', { project_id: 'PMP', title: `Valve ${i} of the pump` }),
    )
  await workspace.app.searchEngine.maintain()
})

after(() => workspace.close())

const bounds: Record<string, { args: () => Record<string, unknown>; most: number }> = {
  list_tasks: { args: () => ({ limit: 20 }), most: 7 },
  get_task: { args: () => ({ task_id: tasks[0]?.id }), most: 9 },
  create_task: { args: () => ({ project_id: 'PMP', title: 'Another valve' }), most: 23 },
  update_task: { args: () => ({ task_id: tasks[1]?.id, title: 'A third valve' }), most: 21 },
  search_workspace: { args: () => ({ query: 'valve of the pump', limit: 20 }), most: 22 },
}

for (const [tool, { args, most }] of Object.entries(bounds))
  test(`${tool} takes at most ${most} statements, including those of its call log entry`, async () => {
    const { ann } = workspace
    await ann.call(tool, tool === 'update_task' ? { ...args(), title: 'Two' } : args()) // what is kept from the first call on
    await workspace.app.searchEngine.maintain()
    let noted = await statementsOf(() => ann.call(tool, args()))
    for (let i = 0; i < 2 && noted.length > most; i++)
      noted = await statementsOf(() => ann.call(tool, args())) // the zone and the plan are read again every few seconds
    assert.ok(noted.length <= most, `${noted.length}:\n${noted.join('\n')}`)
    assert.ok(noted.length > 0)
  })

test('no operation but a search compiles a query again', async (t) => {
  const { ann } = workspace
  const compile = t.mock.method(DefaultQueryCompiler.prototype, 'compileQuery')
  for (const [tool, { args }] of Object.entries(bounds)) {
    if (tool === 'search_workspace') continue
    for (let i = 0; i < 2; i++)
      await ann.call(tool, tool === 'update_task' ? { ...args(), title: `Run ${i}` } : args())
    compile.mock.resetCalls()
    await ann.call(tool, args())
    const built = compile.mock.calls.map((call) => call.result?.sql)
    assert.deepEqual(built, [], tool)
  }
})

const idleTime = 300

/** Statements that run while idle; the commit marker of other processes is a pragma and not counted. */
async function idleStatements(): Promise<string[]> {
  const statements = await statementsOf(() => pause(idleTime))
  return statements.filter((statement) => !statement.startsWith('PRAGMA'))
}

test('an idle queue runs no statement until something is committed', async () => {
  const { app, ann } = workspace
  const queue = new Queue(app, { poll: 10, lease: 60_000 })
  queue.start()
  try {
    let idle = await idleStatements()
    for (let i = 0; i < 20 && idle.length > 0; i++) idle = await idleStatements() // its first passes
    assert.deepEqual(idle, [])
    const awake = await statementsOf(async () => {
      await ann.call('create_task', { project_id: 'PMP', title: 'Something to find' })
      await pause(idleTime)
    })
    assert.ok(awake.some((statement) => statement.includes('from "jobs"')))
  } finally {
    await queue.stop()
  }
})
