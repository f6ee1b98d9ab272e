import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeFetch } from '../../../http/server.ts'
import { makeWorkspace, minute, type TestWorkspace } from '../../../testing/harness.ts'
import { runAutomations } from '../testing.ts'

let workspace: TestWorkspace
let fetch: (request: Request) => Promise<Response>
let url: string
let id: string
before(async () => {
  workspace = await makeWorkspace()
  fetch = makeFetch(workspace.app)
  const { ann } = workspace
  await ann.call('create_project', { name: 'Engineering', key: 'ENG' })
  const automation = await ann.call('create_automation', {
    name: 'Alerts',
    trigger: { type: 'webhook', params: {} },
    conditions: [{ expression: 'trigger.payload.level == "page"' }],
    actions: [
      { type: 'create_task', params: { project_id: 'ENG', title: '{{ trigger.payload.text }}' } },
    ],
  })
  url = automation.webhook_url
  id = automation.id
})
after(() => workspace.close())

function post(body: string, headers: Record<string, string> = {}, to = url): Promise<Response> {
  return fetch(
    new Request(to, {
      method: 'POST',
      body,
      headers: { host: 'workspace.test', 'content-type': 'application/json', ...headers },
    }),
  )
}

const runs = async (): Promise<any[]> =>
  (await workspace.ann.call('list_automation_runs', { automation_id: id, limit: 100 })).items

test('the address is shown once and works once enabled', async () => {
  const { ann } = workspace
  assert.match(url, /^http:\/\/workspace\.test\/hooks\/[\w-]{43}$/)
  assert.equal((await ann.call('get_automation', { automation_id: id })).webhook_url, undefined)
  assert.equal((await post('{}')).status, 404)
  await ann.call('enable_automation', { automation_id: id })
  const answer = await post('{"level":"page","text":"Disk full"}')
  assert.deepEqual([answer.status, await answer.json()], [202, { accepted: true }])
  assert.equal((await post('{"level":"info"}')).status, 202)
  await runAutomations(workspace)
  assert.deepEqual((await runs()).map((run) => run.status).sort(), ['skipped', 'succeeded'])
  assert.deepEqual(
    (await ann.call('list_tasks', { project_id: 'ENG' })).items.map((item: any) => item.title),
    ['Disk full'],
  )
})

test('other addresses and invalid or oversized bodies are refused', async () => {
  assert.equal((await post('{}', {}, url.slice(0, -1))).status, 404)
  assert.equal((await fetch(new Request(url, { headers: { host: 'workspace.test' } }))).status, 404)
  assert.equal(
    (await post('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).status,
    415,
  )
  assert.equal((await post('{"a":')).status, 400)
  assert.equal((await post(`${'['.repeat(5000)}${']'.repeat(5000)}`)).status, 400)
  assert.equal((await post(JSON.stringify({ text: 'x'.repeat(65_536) }))).status, 413)
})

test('a repeated delivery triggers nothing more, nor does a webhook of this instance', async () => {
  const { ann } = workspace
  const before = (await runs()).length
  for (let i = 0; i < 3; i++)
    assert.equal(
      (await post('{"level":"page","text":"Once"}', { 'webhook-id': 'msg_1' })).status,
      202,
    )
  assert.equal((await runs()).length, before + 1)
  const webhook = await ann.call('create_webhook', {
    url: 'https://93.184.216.34/',
    events: ['task.*'],
  })
  assert.equal((await post('{}', { 'workspace-webhook': webhook.id })).status, 202)
  assert.equal((await runs()).length, before + 1)
  assert.equal((await post('{}', { 'workspace-webhook': 'whk_of_another_instance' })).status, 202)
  assert.equal((await runs()).length, before + 2)
})

test('it accepts sixty requests per minute', async () => {
  const statuses: number[] = []
  workspace.clock.wait(2 * minute)
  for (let i = 0; i < 62; i++) statuses.push((await post('{"level":"info"}')).status)
  assert.deepEqual(
    [statuses.slice(0, 60).every((answer) => answer === 202), statuses.slice(60)],
    [true, [429, 429]],
  )
  workspace.clock.wait(minute + 1)
  assert.equal((await post('{"level":"info"}')).status, 202)
})

test('changing the trigger invalidates the address, and changing it back creates a new one', async () => {
  const { ann } = workspace
  workspace.clock.wait(2 * minute)
  await ann.call('update_automation', {
    automation_id: id,
    trigger: { type: 'manual', params: {} },
  })
  const changedBack = await ann.call('update_automation', {
    automation_id: id,
    trigger: { type: 'webhook', params: {} },
  })
  assert.notEqual(changedBack.webhook_url, url)
  await ann.call('enable_automation', { automation_id: id })
  assert.equal((await post('{}')).status, 404)
  assert.equal((await post('{}', {}, changedBack.webhook_url)).status, 202)
})
