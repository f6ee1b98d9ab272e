import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { parse } from 'yaml'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { Prometheus, type MetricSources } from './prometheus.ts'

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace({ settings: { metrics: 'loopback', access_log: false } })
  served.app.meter = meterOf(served)
})
after(() => served.close())

function meterOf({ app, server }: ServedWorkspace): Prometheus {
  const sources: MetricSources = {
    version: '1.2.3',
    store: app.store,
    jobs: () => app.jobs.countUnfinished(app.store.read),
    streams: () => app.live.streams,
    connections: () => server.connections,
    unsent: () => server.unsentBytes,
    certificateUntil: () => undefined,
  }
  return new Prometheus(sources)
}

async function readMetrics(): Promise<Map<string, number>> {
  const response = await served.ask('GET', '/metrics', { key: undefined })
  assert.equal(response.status, 200, response.text)
  assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/)
  const lines = response.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  )
}

test('calls are counted by operation, transport and outcome, and timed', async () => {
  await served.ask('POST', '/api/labels', { body: { name: 'Counted' } })
  await served.ask('GET', '/api/tasks/no-such')
  await served.ask('POST', '/api/labels', { body: {} })
  await served.ask('GET', '/api/labels')
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'list_labels', arguments: {} },
  }
  await served.ask('POST', '/mcp', {
    body: call,
    headers: { accept: 'application/json, text/event-stream' },
  })
  const all = await readMetrics()
  assert.equal(
    all.get('workspace_calls_total{operation="create_label",transport="rest",code="ok"}'),
    1,
  )
  assert.equal(
    all.get('workspace_calls_total{operation="get_task",transport="rest",code="not_found"}'),
    1,
  )
  assert.equal(
    all.get(
      'workspace_calls_total{operation="create_label",transport="rest",code="invalid_argument"}',
    ),
    1,
  )
  assert.equal(
    all.get('workspace_calls_total{operation="list_labels",transport="mcp",code="ok"}'),
    1,
  )
  assert.equal(all.get('workspace_call_seconds_count{operation="list_labels"}'), 2)
  assert.equal(
    all.get('workspace_http_requests_total{surface="api",method="POST",status="201"}'),
    1,
  )
  assert.ok(all.get('workspace_committed_jobs_total')! >= all.get('workspace_commits_total')!)
  assert.ok(all.get('workspace_commits_total')! > 0)
  assert.ok(all.get('workspace_wal_bytes')! > 0)
  assert.ok(all.get('workspace_disk_free_bytes')! > 0)
  assert.ok(all.get('workspace_connections')! > 0)
  assert.equal(all.get('workspace_info{version="1.2.3"}'), 1)
})

test('no caller input becomes a label', async () => {
  const canary = 'canarybird'
  await served.ask('GET', `/api/${canary}`)
  await served.ask('GET', `/${canary}`)
  await served.ask('GET', `/api/labels?${canary}=1`)
  await served.ask(canary.toUpperCase(), '/api/labels')
  for (const name of [canary, 'call_tool']) {
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: { tool_name: canary, name: canary } },
    }
    await served.ask('POST', '/mcp', {
      body: call,
      headers: { accept: 'application/json, text/event-stream', 'user-agent': `${canary}/1.0` },
    })
    await served.ask('POST', '/mcp/x/tasks', {
      body: call,
      headers: { accept: 'application/json, text/event-stream' },
    })
  }
  await served.ask('POST', '/mcp', {
    body: { jsonrpc: '2.0', id: 1, method: canary },
    headers: { accept: 'application/json, text/event-stream' },
  })
  const { text } = await served.app.meter!.text()
  assert.doesNotMatch(text, new RegExp(canary, 'i'))
})

test('unknown operation names have bounded cardinality', async () => {
  const meter = meterOf(served)
  for (let i = 0; i < 3000; i++) meter.recordCall(`made_up_${i}`, 'rest', 'ok', 0.001)
  const { text } = await meter.text()
  assert.ok(
    text.split('\n').filter((line) => line.startsWith('workspace_calls_total{')).length <= 1001,
  )
})

test('metrics are served only to this machine; a possibly proxied request gets nothing', async () => {
  const status = async (headers: Record<string, string>) =>
    (await served.ask('GET', '/metrics', { key: undefined, headers })).status
  assert.equal(await status({}), 200)
  for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'via', 'x-real-ip'])
    assert.equal(await status({ [name]: '127.0.0.1' }), 404, name)
  const answer = await served.wire('GET /metrics HTTP/1.1\r\nHost: work.test\r\n\r\n')
  assert.match(answer, /^HTTP\/1\.1 404 /)
})

test('with a token metrics require it; without the setting there are none', async (t) => {
  const token = 'a long token for metrics'
  const guarded = await serveWorkspace({ settings: { metrics: 'token', metrics_token: token } })
  t.after(() => guarded.close())
  guarded.app.meter = meterOf(guarded)
  const status = async (key: string | undefined) =>
    (await guarded.ask('GET', '/metrics', { key })).status
  assert.equal(await status(token), 200)
  for (const invalidKey of [undefined, 'x', `${token} `.trim().slice(1), guarded.bearer])
    assert.equal(await status(invalidKey), 401, String(invalidKey))
  const off = await serveWorkspace()
  t.after(() => off.close())
  assert.equal((await off.ask('GET', '/metrics')).status, 404)
})

const docs = new URL('../../../docs/', import.meta.url)

test('every metric used by the dashboard and the alerts exists', async () => {
  const { text } = await served.app.meter!.text()
  const types = new Map(
    Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name, type]) => [name!, type!]),
  )
  const isKnown = (name: string) =>
    types.has(name) || types.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram'
  const dashboard = JSON.parse(readFileSync(new URL('grafana-dashboard.json', docs), 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  const alerts = parse(readFileSync(new URL('alerts.yml', docs), 'utf8')) as {
    groups: {
      rules: { alert: string; expr: string; annotations: { summary: string; action: string } }[]
    }[]
  }
  const rules = alerts.groups.flatMap((group) => group.rules)
  assert.ok(rules.length >= 10 && dashboard.panels.length >= 12)
  for (const { alert, annotations } of rules)
    assert.ok(annotations.summary && annotations.action, alert)
  const expressions = [
    ...dashboard.panels.flatMap((panel) => panel.targets.map((target) => target.expr)),
    ...rules.map((rule) => rule.expr),
  ]
  const names = expressions.flatMap(
    (expression) => expression.match(/\b(?:workspace|nodejs|process)_\w+/g) ?? [],
  )
  assert.ok(names.length > 25)
  assert.deepEqual(
    names.filter((name) => !isKnown(name)),
    [],
  )
})
