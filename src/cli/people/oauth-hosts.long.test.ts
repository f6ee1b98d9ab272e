import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'
import { workspaceJson, workspace as run } from '../../testing/process.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace({ role: 'begin' })
})
after(() => workspace.close())

test('hosts are allowed, refused and reset at the command line, and each organization’s log records it', async () => {
  const hosts = (...args: string[]) =>
    workspaceJson('oauth', 'hosts', ...args, '--data', workspace.dataDir)
  assert.deepEqual(await hosts('list'), [])
  assert.deepEqual(await hosts('allow', 'Assistant.example'), {
    host: 'assistant.example',
    policy: 'allow',
  })
  await hosts('refuse', 'assistant.example')
  const [row, ...others] = await hosts('list')
  assert.deepEqual([row.host, row.policy, others.length], ['assistant.example', 'refuse', 0])
  assert.match(row.created_at, /^\d{4}-/)
  await hosts('reset', 'assistant.example')
  assert.deepEqual(await hosts('list'), [])
  const logged = await workspace.app.store.read
    .selectFrom('calls')
    .select('org_id')
    .where('tool', '=', 'set_oauth_callback_host_policy')
    .execute()
  const orgs = new Set(logged.map(({ org_id }) => org_id))
  assert.deepEqual([logged.length, orgs.size], [3 * orgs.size, 2])
  const wrong = await run([
    'oauth',
    'hosts',
    'allow',
    'https://x.example/',
    '--data',
    workspace.dataDir,
  ])
  assert.notEqual(wrong.code, 0)
  assert.match(wrong.stderr, /name of a host alone/)
})
