import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { makeWorkspace, minute } from '../../../testing/harness.ts'
import { scratch, serve, workspaceJson, type Served } from '../../../testing/process.ts'
import { runAutomations } from '../testing.ts'
import { untilTrue } from '../../../testing/limits.ts'

const rounds = Number(process.env.CRASH_ROUNDS ?? 4)

/**
 * Steps of several kinds: calls whose repetition would be visible (a comment, tasks), an idempotent one, a branch, a
 * list.
 */
const actions = [
  {
    type: 'create_task',
    id: 'first',
    params: { project_id: 'CRASH', title: 'first of {{ item.title }}' },
  },
  {
    type: 'add_task_comment',
    params: { task_id: '{{ item.id }}', body_markdown: 'made {{ steps.first.id }}' },
  },
  {
    type: 'for_each',
    params: {
      items: '["a", "b"]',
      do: [
        {
          type: 'create_task',
          params: { project_id: 'CRASH', title: '{{ each }} of {{ item.title }}' },
        },
      ],
    },
  },
  {
    type: 'branch',
    params: {
      if: 'item.title.startsWith("source")',
      then: [
        {
          type: 'add_task_comment',
          params: { task_id: '{{ steps.first.id }}', body_markdown: 'branch' },
        },
      ],
    },
  },
  { type: 'complete_task', params: { task_id: '{{ item.id }}' } },
]
const automationInput = {
  name: 'Many steps',
  trigger: { type: 'event', params: { event: 'task.created' } },
  conditions: [{ expression: 'item.title.startsWith("source")' }],
  actions,
}
const stepPaths = ['0', '1', '2', '2.0.0', '2.1.0', '3', '3.then.0', '4']

test('a run interrupted after a call, before its step is stored, has the same outcome and repeats nothing', async (t) => {
  const workspace = await makeWorkspace()
  t.after(() => workspace.close())
  const { ann, clock, app } = workspace
  await ann.call('create_project', { name: 'Crash', key: 'CRASH' })
  const { id } = await ann.call('create_automation', automationInput)
  await ann.call('enable_automation', { automation_id: id })
  for (const stepPath of stepPaths) {
    const source = await ann.call('create_task', {
      project_id: 'CRASH',
      title: `source ${stepPath}`,
    })
    const triggers = ['UPDATE', 'INSERT'].map(
      (statement) =>
        `CREATE TRIGGER broken_${statement} BEFORE ${statement} ON automation_steps WHEN NEW.path = '${stepPath}' AND NEW.status = 'succeeded' BEGIN SELECT RAISE(ABORT, 'broken'); END;`,
    )
    app.store.raw.write.exec(triggers.join('\n'))
    await runAutomations(workspace)
    const [broken] = (
      await ann.call('list_automation_runs', { automation_id: id, status: ['running'] })
    ).items
    assert.equal(broken.trigger_item.id, source.id, stepPath)
    app.store.raw.write.exec('DROP TRIGGER broken_UPDATE; DROP TRIGGER broken_INSERT;')
    clock.pass(10 * minute)
    await runAutomations(workspace)
    const run = await ann.call('get_automation_run', { run_id: broken.id })
    assert.deepEqual(
      [run.status, run.steps.map((step: any) => step.path)],
      ['succeeded', stepPaths],
      stepPath,
    )
    const createdTasks = (
      await ann.call('list_tasks', { project_id: 'CRASH', limit: 100 })
    ).items.filter((item: any) => item.title.endsWith(` of source ${stepPath}`))
    assert.deepEqual(
      createdTasks.map((item: any) => item.title.split(' ')[0]).sort(),
      ['a', 'b', 'first'],
      stepPath,
    )
    assert.equal(
      (await ann.call('list_task_comments', { task_id: source.id })).items.length,
      1,
      stepPath,
    )
    assert.equal(run.changed_items.length, 4, stepPath)
  }
})

test(`a server killed ${rounds} times during runs executes every step of each exactly once`, async (t) => {
  const { dir, remove } = scratch()
  let server: Served | undefined
  t.after(async () => {
    if (server && server.child.exitCode === null && server.child.signalCode === null)
      await server.end('SIGKILL')
    rmSync(`${dir}.key`, { force: true })
    remove()
  })
  await workspaceJson('orgs', 'create', '--name', 'Crash', '--data', dir)
  await workspaceJson(
    'users',
    'create',
    '--email',
    'ann@crash.test',
    '--name',
    'Ann',
    '--admin',
    '--data',
    dir,
  )
  const { key } = await workspaceJson(
    'keys',
    'create',
    '--user',
    'ann@crash.test',
    '--name',
    'crash',
    '--data',
    dir,
  )
  const request = async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(`${server!.url}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    assert.ok(
      response.ok,
      `${method} ${path}: ${response.status} ${response.ok ? '' : await response.text()}`,
    )
    return response.json()
  }
  const start = async () =>
    (server = await serve(dir, '--master-key-file', `${dir}.key`, '--limits', 'no'))
  const sources: string[] = []
  for (let round = 0; round < rounds; round++) {
    await start()
    if (round === 0) {
      await request('POST', 'projects', { name: 'Crash', key: 'CRASH' })
      const { id } = await request('POST', 'automations', automationInput)
      await request('POST', `automations/${id}/enable`, {})
    }
    for (let i = 0; i < 3; i++)
      sources.push(
        (await request('POST', 'tasks', { project_id: 'CRASH', title: `source ${round}-${i}` })).id,
      )
    await pause(31 + 23 * round) // to kill the server at another point in each round
    await server!.end('SIGKILL')
  }
  await start()
  const runs = async (): Promise<any[]> => (await request('GET', 'automation-runs?limit=100')).items
  const hasEnded = (item: any) => !['queued', 'running'].includes(item.status)
  let all: any[] = []
  await untilTrue(
    async () => {
      all = await runs()
      const succeeded = all.filter((item) => item.status === 'succeeded')
      return succeeded.length === sources.length && all.every(hasEnded)
    },
    () => JSON.stringify(all.map(({ status }) => status)),
  )
  assert.deepEqual(
    all
      .filter((item) => item.status === 'succeeded')
      .map((item) => item.trigger_item.id)
      .sort(),
    [...sources].sort(),
  )
  assert.deepEqual(
    all.filter((item) => !['succeeded', 'skipped'].includes(item.status)),
    [],
  )
  const tasks: any[] = (await request('GET', 'tasks?project_id=CRASH&limit=100')).items
  for (const source of sources) {
    const { title, status_category } = await request('GET', `tasks/${source}`)
    assert.equal(status_category, 'done')
    assert.deepEqual(
      tasks
        .filter((task) => task.title.endsWith(` of ${title}`))
        .map((task) => task.title.split(' ')[0])
        .sort(),
      ['a', 'b', 'first'],
    )
    assert.equal((await request('GET', `tasks/${source}/comments`)).items.length, 1)
  }
  assert.equal(await server!.end(), 0)
})
