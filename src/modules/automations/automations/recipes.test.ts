import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { runTicks } from '../../../jobs/scheduler.ts'
import { makeFetch } from '../../../http/server.ts'
import { dayLong, hour, makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'
import { runAutomations } from '../testing.ts'

// The automations of docs/cookbook.md: each is created as written there, checked by a dry run, and executed.

const text = readFileSync(new URL('../../../../docs/cookbook.md', import.meta.url), 'utf8')
const recipes = [...text.matchAll(/### (.+)\n\n```json\n([^]*?)\n```/g)].map(([, title, json]) => ({
  title: title!,
  plan: JSON.parse(json!) as Record<string, unknown> & { name: string },
}))

let workspace: TestWorkspace
let project: string
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  project = (
    await ann.call('create_project', { name: 'Engineering', key: 'ENG', member_ids: [bob.id] })
  ).id
  await ann.call('create_channel', { name: 'ops', member_ids: [bob.id] })
  await ann.call('create_service', { name: 'Website' })
})
after(() => workspace.close())

const taskTitles = async () =>
  (await workspace.ann.call('list_tasks', { project_id: project, limit: 100 })).items
    .map((item: any) => item.title)
    .sort()
const opsMessages = async () =>
  (await workspace.ann.call('list_messages', { channel_id: '#ops', limit: 100 })).items.map(
    (item: any) => item.content.text,
  )
const incidents = async () => (await workspace.ann.call('list_incidents', { limit: 100 })).items
const createTask = (more: object = {}) =>
  workspace.bob.call('create_task', { project_id: 'ENG', title: 'A task', ...more })

/** Triggers each recipe and checks its effect. */
const scenarios: Record<string, (automation: any) => Promise<void>> = {
  'Urgent tasks go to the channel': async () => {
    await createTask({ title: 'Fire @bob', priority: 'urgent' })
    await runAutomations(workspace)
    assert.match((await opsMessages())[0], /^Urgent: \[Fire \\@bob\]\(http.*\), by Bob$/)
  },
  'Ask for the report': async () => {
    const { id } = await createTask({ title: 'Outage of the shop' })
    await workspace.bob.call('complete_task', { task_id: id })
    await runAutomations(workspace)
    const [report] = (await workspace.bob.call('list_tasks', { assignee: 'me' })).items
    assert.equal(report.title, 'Report on Outage of the shop')
  },
  'Urgent is today': async () => {
    const { id } = await createTask()
    await workspace.bob.call('update_task', { task_id: id, priority: 'urgent' })
    await runAutomations(workspace)
    assert.match((await workspace.ann.call('get_task', { task_id: id })).due_at, /^2026-11-/)
  },
  'What is late': async () => {
    await createTask({ title: 'Late one', due_at: '2026-11-18' })
    workspace.clock.pass(4 * dayLong)
    await runTicks(workspace.app)
    await runAutomations(workspace)
    assert.match((await opsMessages())[0], /^Late:\n[^]*- ENG-\d+ Late one/)
  },
  Alarms: async ({ webhook_url }) => {
    const fetch = makeFetch(workspace.app)
    const send = (body: object) =>
      fetch(
        new Request(webhook_url, {
          method: 'POST',
          headers: { host: 'workspace.test', 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
    assert.equal((await send({ level: 'info', title: 'Nothing' })).status, 202)
    assert.equal(
      (await send({ level: 'critical', title: 'Disk full', text: 'on *db1*' })).status,
      202,
    )
    await runAutomations(workspace)
    assert.deepEqual(
      (await incidents()).map((incident: any) => [incident.title, incident.severity]),
      [['Disk full', 'sev1']],
    )
    assert.match((await opsMessages())[0], /^INC-1 is open\.$/)
    assert.match(
      (await workspace.ann.call('get_incident', { incident_id: 'INC-1' })).summary_markdown,
      /^> on \\\*db1\\\*$/,
    )
  },
  Reports: async () => {
    const form = await workspace.ann.call('create_form', {
      title: 'Report trouble',
      fields: [{ id: 'what', label: 'What', type: 'short_text', required: true }],
      settings: { audience: 'organization' },
    })
    await workspace.ann.call('publish_form', { form_id: form.id })
    await workspace.bob.call('submit_form_response', {
      form_id: form.id,
      answers: { what: 'Shop is down' },
    })
    await runAutomations(workspace)
    assert.equal((await incidents())[0].title, 'Shop is down')
  },
  Postmortems: async () => {
    const { id, key } = await workspace.bob.call('create_incident', {
      title: 'Slow',
      severity: 'sev2',
    })
    await workspace.bob.call('resolve_incident', { incident_id: id, resolution: 'Restarted.' })
    await runAutomations(workspace)
    assert.ok(
      (await workspace.ann.call('get_incident', { incident_id: id, include: ['postmortem'] }))
        .postmortem,
    )
    assert.notEqual((await opsMessages())[0], `How far is the postmortem of ${key}?`)
    workspace.clock.pass(2 * dayLong + hour)
    await runAutomations(workspace)
    assert.equal((await opsMessages())[0], `How far is the postmortem of ${key}?`)
  },
  'Begin with a new customer': async () => {
    const { id } = await workspace.ann.call('create_deal', { name: 'Big Corp' })
    await workspace.ann.call('update_deal', { deal_id: id, status: 'won' })
    await runAutomations(workspace)
    const parent = (
      await workspace.ann.call('list_tasks', { project_id: 'ENG', limit: 100 })
    ).items.find((item: any) => item.title === 'Begin with Big Corp')
    assert.equal((await workspace.ann.call('list_tasks', { parent_id: parent.id })).items.length, 3)
  },
  Deploys: async () => {
    await workspace.bob.call('join_channel', { channel_id: '#ops' })
    await workspace.bob.call('send_message', {
      channel_id: '#ops',
      body_markdown: 'Deploy the shop',
    })
    await workspace.bob.call('send_message', {
      channel_id: '#ops',
      body_markdown: 'No deploy today',
    })
    await runAutomations(workspace)
    assert.deepEqual(
      (await taskTitles()).filter((title: string) => /deploy/i.test(title)),
      ['Deploy the shop'],
    )
  },
  Checklist: async ({ id }) => {
    await workspace.ann.call('run_automation', {
      automation_id: id,
      input: { steps: ['Lock', '', 'Lights'] },
    })
    await runAutomations(workspace)
    assert.deepEqual(
      (await taskTitles()).filter((title: string) => /^\d\. /.test(title)),
      ['1. Lock', '2. Lights'],
    )
  },
  'How far we are': async () => {
    workspace.clock.pass(7 * dayLong)
    await runTicks(workspace.app)
    await runAutomations(workspace)
    assert.match((await opsMessages())[0], /^Engineering: \d+ of \d+ done, \d+ late\.$/)
  },
  'Welcome to the project': async () => {
    await workspace.ann.call('add_project_member', {
      project_id: 'ENG',
      person_id: workspace.carol.id,
    })
    await runAutomations(workspace)
    assert.match((await opsMessages())[0], /^Someone joined Engineering\. Read first: http.*ENG$/)
  },
  'Decisions are told': async () => {
    await workspace.bob.call('record_decision', {
      title: 'We take SQLite',
      decision_markdown: 'One file.',
    })
    await runAutomations(workspace)
    assert.equal((await opsMessages())[0], 'Decided: We take SQLite')
  },
  'Goals at risk': async () => {
    const goal = await workspace.ann.call('create_goal', {
      title: 'Faster',
      period: '2026-Q4',
      level: 'organization',
      key_results: [{ title: 'Seconds', metric: 'number', start_value: 4, target_value: 1 }],
    })
    await workspace.ann.call('update_goal', { goal_id: goal.id, status: 'active' })
    await workspace.ann.call('record_goal_checkin', {
      goal_id: goal.id,
      values: {},
      confidence: 'low',
      note_markdown: 'It does not get faster.',
    })
    await runTicks(workspace.app)
    await runAutomations(workspace)
    assert.ok((await taskTitles()).includes('Say why "Faster" is at risk'))
  },
}

test('every recipe has a scenario', () => {
  assert.deepEqual(
    recipes.map((recipe) => recipe.plan.name),
    Object.keys(scenarios),
  )
})

for (const { title, plan } of recipes) {
  test(`recipe: ${title}`, async () => {
    const { ann } = workspace
    const automation = await ann.call('create_automation', plan)
    const dryRun = await ann.call('test_automation', {
      automation_id: automation.id,
      replay_days: 7,
    })
    assert.equal(dryRun.conditions.length, ((plan.conditions as object[] | undefined) ?? []).length)
    await ann.call('enable_automation', { automation_id: automation.id })
    await scenarios[plan.name]!(automation)
    const runs = (
      await ann.call('list_automation_runs', {
        automation_id: automation.id,
        status: ['succeeded', 'failed'],
      })
    ).items
    assert.deepEqual(
      [...new Set(runs.map((run: any) => `${run.status} ${run.reason ?? ''}`))],
      ['succeeded '],
    )
    await ann.call('disable_automation', { automation_id: automation.id })
  })
}
