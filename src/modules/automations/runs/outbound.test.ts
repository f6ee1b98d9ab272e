import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeFetch } from '../../../http/server.ts'
import { runTicks } from '../../../jobs/scheduler.ts'
import { makeWorkspace, minute, type TestWorkspace } from '../../../testing/harness.ts'
import { runAutomations } from '../testing.ts'

let workspace: TestWorkspace
let fetch: (request: Request) => Promise<Response>
before(async () => {
  workspace = await makeWorkspace()
  fetch = makeFetch(workspace.app)
  await workspace.ann.call('create_project', { name: 'Desk', key: 'DESK' })
})
after(() => workspace.close())

const sendingAction = (on: string) => ({
  type: 'create_webhook',
  params: { url: `https://93.184.216.34/${on}`, events: ['label.created'] },
})

async function enableAutomation(event: string): Promise<string> {
  const { ann } = workspace
  const { id } = await ann.call('create_automation', {
    name: event,
    trigger: { type: 'event', params: { event } },
    actions: [sendingAction(event)],
  })
  await ann.call('enable_automation', { automation_id: id })
  return id
}

async function submitResponse(path: string, subject: string): Promise<void> {
  const url = `http://workspace.test${path}`
  const page = await (await fetch(new Request(url, { headers: { host: 'workspace.test' } }))).text()
  workspace.clock.pass(minute)
  const body = new URLSearchParams({
    _token: /name="_token" value="([^"]+)"/.exec(page)![1]!,
    _do: 'send',
    subject,
  })
  const sent = await fetch(
    new Request(url, {
      method: 'POST',
      body,
      headers: { host: 'workspace.test', 'content-type': 'application/x-www-form-urlencoded' },
    }),
  )
  assert.equal(sent.status, 303, await sent.text())
}

test('a response to a public form triggers internal actions, while outbound ones wait, both for the response and for items created from it', async () => {
  const { ann } = workspace
  const draft = await ann.call('create_form', {
    title: 'Help',
    fields: [{ id: 'subject', label: 'Subject', type: 'short_text', required: true }],
    settings: { audience: 'public' },
    destination: { kind: 'task', mapping: { project_id: 'DESK', title: '{{subject}}' } },
  })
  const form = await ann.call('publish_form', { form_id: draft.id })
  const ids = [
    await enableAutomation('form.response_received'),
    await enableAutomation('task.created'),
  ]
  await submitResponse(new URL(form.public_url).pathname, 'It burns')
  await runTicks(workspace.app) // creates tasks from form responses
  await runAutomations(workspace)
  for (const id of ids) {
    const [head] = (await ann.call('list_automation_runs', { automation_id: id })).items
    const run = await ann.call('get_automation_run', { run_id: head.id })
    assert.deepEqual(
      [run.held, run.status, run.steps[0].status],
      [true, 'running', 'waiting'],
      run.trigger.event,
    )
  }
  assert.equal((await ann.call('list_webhooks')).items.length, 0)
  await ann.call('create_task', { project_id: 'DESK', title: 'By Ann' })
  await runAutomations(workspace)
  assert.equal(
    (await ann.call('list_webhooks')).items.length,
    1,
    'a run triggered by Ann herself needs no approval',
  )
})
