import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { requireApproval, listApprovals } from '../src/operations/approvals/list.ts'
import { releaseApproval } from '../src/operations/approvals/release.ts'
import { makeFetch } from '../src/http/server.ts'
import { runAutomations } from '../src/modules/automations/testing.ts'
import { makeWorkspace, minute } from '../src/testing/harness.ts'
import { scratch, serve, workspaceJson, type Served } from '../src/testing/process.ts'
import { untilTrue } from '../src/testing/limits.ts'

// The whole system at work: a stranger reports a problem with a public form, without scripts; an automation opens an
// incident, which pages the people on call, notifies the channel, starts the runbook, publishes a status update once
// its owner has approved it, resolves and drafts the postmortem. Interrupted between any two steps, it ends the same,
// with everything done once.

type Call = (tool: string, args?: Record<string, unknown>) => Promise<any>

const actions = [
  {
    type: 'create_incident',
    id: 'incident',
    params: {
      title: '{{ item.values.what }}',
      severity: 'sev2',
      service_ids: ['Website'],
      summary_markdown: '{{ item.values.details | default: "" | quote }}',
    },
  },
  {
    type: 'send_message',
    params: { channel_id: '#ops', body_markdown: 'Open: {{ steps.incident.title | plain_text }}' },
  },
  { type: 'list_runbooks', id: 'runbooks', params: { query: 'Website' } },
  {
    type: 'start_runbook',
    params: {
      incident_id: '{{ steps.incident.id }}',
      runbook_id: '{{ steps.runbooks.items.first.id }}',
    },
  },
  {
    type: 'publish_status_update',
    params: {
      incident_id: '{{ steps.incident.id }}',
      title: 'Trouble with the website',
      body_markdown: 'We look into it.',
      state: 'investigating',
      service_states: { Website: 'partial_outage' },
    },
  },
  {
    type: 'resolve_incident',
    params: { incident_id: '{{ steps.incident.id }}', resolution: 'Restarted.' },
  },
  { type: 'create_postmortem', params: { incident_id: '{{ steps.incident.id }}' } },
]
const heldStep = 4

/** Everything needed before the first report. Returns the address of the form. */
async function prepare(call: Call, onCall: string): Promise<string> {
  await call('create_channel', { name: 'ops' })
  const team = await call('create_team', { name: 'Web', member_ids: [onCall] })
  const schedule = await call('create_on_call_schedule', {
    name: 'Web',
    timezone: 'Europe/Berlin',
    team_id: team.id,
    layers: [{ people: [onCall], starts_on: '2020-01-06' }],
  })
  const service = await call('create_service', {
    name: 'Website',
    team_id: team.id,
    schedule_id: schedule.id,
    public: true,
  })
  await call('create_runbook', {
    name: 'Website is down',
    service_ids: [service.id],
    steps: [{ title: 'Look at the load' }, { title: 'Restart it' }],
  })
  const form = await call('create_form', {
    title: 'Report trouble',
    settings: { audience: 'public' },
    fields: [
      { id: 'what', label: 'What', type: 'short_text', required: true },
      { id: 'details', label: 'Details', type: 'long_text' },
    ],
  })
  const rule = await call('create_automation', {
    name: 'Reports',
    trigger: { type: 'event', params: { event: 'form.response_received' } },
    conditions: [{ expression: `item.form.id == "${form.id}"` }],
    actions,
  })
  await call('enable_automation', { automation_id: rule.id })
  return new URL((await call('publish_form', { form_id: form.id })).public_url).pathname
}

/** Acts like a browser without scripts: loads the page, fills in the form and submits it. */
async function report(
  ask: (path: string, init?: RequestInit) => Promise<Response>,
  path: string,
  what: string,
  waited: () => unknown,
): Promise<void> {
  const page = await (await ask(path)).text()
  await waited() // no one fills in a form within a moment
  const body = new URLSearchParams({
    _token: /name="_token" value="([^"]+)"/.exec(page)![1]!,
    _do: 'send',
    what,
    details: 'On <b>every</b> page.',
  })
  const sent = await ask(path, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(sent.status, 303, await sent.text())
}

/** Outcome of a report, without the parts that differ between reports. */
async function endOf(call: Call, what: string): Promise<unknown> {
  const all = async (tool: string, args: object = {}): Promise<any[]> =>
    (await call(tool, { limit: 100, ...args })).items
  const incidents = (await all('list_incidents')).filter((item) => item.title === what)
  assert.equal(incidents.length, 1, what)
  const [{ key }] = incidents // lists omit the id of what its key addresses
  const whole = await call('get_incident', {
    incident_id: key,
    include: ['timeline', 'updates', 'postmortem', 'tasks'],
  })
  const timeline = await all('list_incident_timeline', { incident_id: key })
  return {
    status: whole.status,
    summary: whole.summary_markdown,
    said: (await all('list_messages', { channel_id: '#ops' })).filter((item) =>
      item.content.text.endsWith(what),
    ).length,
    runbooks: whole.runbooks.map((runbook: any) => [runbook.runbook.title, runbook.progress.total]),
    updates: whole.status_updates.map((statusUpdate: any) => [
      statusUpdate.title,
      statusUpdate.state,
    ]),
    postmortem: whole.postmortem?.status,
    timeline: timeline.map((item) => item.kind).sort(),
  }
}

const expected = (end: any) => {
  assert.deepEqual(
    [end.status, end.said, end.runbooks, end.updates, end.postmortem],
    [
      'resolved',
      1,
      [['Website is down', 2]],
      [['Trouble with the website', 'investigating']],
      'draft',
    ],
  )
  assert.ok(end.timeline.includes('escalation'), 'the person on call was paged')
  assert.match(end.summary, /^> On \\<b\\>every/)
}

test('a report travels through the company, and ends the same when interrupted at any step', async (t) => {
  const workspace = await makeWorkspace()
  t.after(() => workspace.close())
  const { ann, bob, app, clock } = workspace
  const path = await prepare(ann.call.bind(ann), bob.id)
  const fetch = makeFetch(app)
  const ask = (to: string, { headers, ...init }: RequestInit = {}) =>
    fetch(
      new Request(`http://workspace.test${to}`, {
        ...init,
        headers: { host: 'workspace.test', ...(headers as Record<string, string>) },
      }),
    )
  const release = async () => {
    const [approval] = await listApprovals(app.store, clock.now(), { pending: true, limit: 10 })
    assert.equal(approval!.tool, 'publish_status_update')
    await releaseApproval(app, await requireApproval(app.store, approval!.id), {
      transport: 'cli',
      requestId: randomUUID(),
      route: 'test',
      ip: '',
    })
  }
  const run = async () =>
    ann.call('get_automation_run', { run_id: (await ann.call('list_automation_runs')).items[0].id })
  const ends: unknown[] = []
  for (const broken of [undefined, ...actions.keys()]) {
    const what = `Down ${broken ?? 'never'} broken`
    const breaks =
      broken === undefined
        ? []
        : ['UPDATE', 'INSERT'].map(
            (how) =>
              `CREATE TRIGGER broken_${how} BEFORE ${how} ON automation_steps WHEN NEW.path = '${broken}' AND NEW.status = 'succeeded' BEGIN SELECT RAISE(ABORT, 'broken'); END;`,
          )
    const repair = async () => {
      if (breaks.length === 0) return
      app.store.raw.write.exec('DROP TRIGGER broken_UPDATE; DROP TRIGGER broken_INSERT;')
      clock.pass(10 * minute)
      await runAutomations(workspace)
    }
    app.store.raw.write.exec(breaks.join('\n'))
    await report(ask, path, what, () => clock.pass(minute))
    await runAutomations(workspace)
    if (broken !== undefined && broken < heldStep) await repair()
    const waiting = await run()
    assert.deepEqual(
      [waiting.status, waiting.held, waiting.steps.at(-1).status],
      ['running', true, 'waiting'],
      `${what}: ${waiting.reason}`,
    )
    if (broken === undefined)
      assert.equal(
        JSON.stringify(await ann.call('get_status_page')).includes('We look into it'),
        false,
        'nothing is outside before it is released',
      )
    assert.ok(
      (await bob.call('list_notifications', { kind: ['incident'], limit: 100 })).items.some(
        (item: any) => JSON.stringify(item).includes(what),
      ),
      'who is on call was told',
    )
    await release()
    const go = runAutomations(workspace)
      .then(() => clock.pass(2 * minute))
      .then(() => runAutomations(workspace))
    if (broken === heldStep)
      await assert.rejects(go, /broken/) // noting what was released is no job of its own: it breaks off what asks for it
    else await go
    if (broken !== undefined && broken >= heldStep) await repair()
    assert.equal((await run()).status, 'succeeded', `${what}: ${(await run()).reason}`)
    ends.push(await endOf(ann.call.bind(ann), what))
  }
  expected(ends[0])
  for (const [i, end] of ends.entries()) assert.deepEqual(end, ends[0], `broken at ${i - 1}`)
})

const rounds = Number(process.env.CRASH_ROUNDS ?? 2)

test(`a server killed ${2 * rounds} times along the way does everything once`, async (t) => {
  const { dir, remove } = scratch()
  let server: Served | undefined
  t.after(async () => {
    if (server && server.child.exitCode === null && server.child.signalCode === null)
      await server.end('SIGKILL')
    rmSync(`${dir}.key`, { force: true })
    remove()
  })
  const command = (...args: string[]) => workspaceJson(...args, '--data', dir)
  await command('orgs', 'create', '--name', 'Acme')
  for (const [name, ...more] of [['ann', '--admin'], ['bob']])
    await command('users', 'create', '--email', `${name}@acme.test`, '--name', name!, ...more)
  const { key } = await command(
    'keys',
    'create',
    '--user',
    'ann@acme.test',
    '--name',
    'test',
    '--admin',
  )
  const start = async () =>
    (server = await serve(dir, '--master-key-file', `${dir}.key`, '--limits', 'no'))
  const restart = async () => {
    await server!.end('SIGKILL')
    return start()
  }
  const rpc = async (method: string, params: object) => {
    const answer = await fetch(`${server!.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const text = await answer.text()
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
  }
  const call: Call = async (name, args = {}) => {
    const { result, error } = await rpc('tools/call', { name, arguments: args })
    assert.ok(result && !result.isError, `${name}: ${JSON.stringify(error ?? result)}`)
    return result.structuredContent
  }
  const until = async (status: string, count: number, step?: string): Promise<void> => {
    const isThere = async () => {
      const runs = (await call('list_automation_runs', { limit: 100 })).items.filter(
        (item: any) => item.status === status,
      )
      if (runs.length < count || !step) return runs.length >= count
      const last = await call('get_automation_run', { run_id: runs[0].id })
      return last.steps.at(-1)?.status === step
    }
    await untilTrue(isThere, `no ${status}`)
  }
  await start()
  const bob = (await call('list_people', { query: 'bob' })).items[0].id
  const path = await prepare(call, bob)
  for (let round = 0; round < rounds; round++) {
    await report(
      (to, init) => fetch(`${server!.url}${to}`, init),
      path,
      `Down in round ${round}`,
      () => pause(4000),
    )
    await pause(40 * round)
    await restart()
    await until('running', 1, 'waiting')
    const [approval] = await command('approvals', 'list')
    await command('approvals', 'release', approval.id)
    await pause(60 * round)
    await restart()
    await until('succeeded', round + 1)
  }
  for (let round = 0; round < rounds; round++) expected(await endOf(call, `Down in round ${round}`))
  assert.equal(await server!.end(), 0)
})
