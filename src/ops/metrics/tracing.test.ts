import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { serveWorkspace } from '../../testing/server.ts'
import { OpenTelemetry } from './tracing.ts'

interface Span {
  name: string
  traceId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string } }[]
}

test('calls are exported as spans to the endpoint from the environment, within the trace of their caller', async (t) => {
  const sent: any[] = []
  const collector = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    sent.push(JSON.parse(text))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  process.env.OTEL_RESOURCE_ATTRIBUTES = 'deployment.environment.name=test'
  const served = await serveWorkspace()
  t.after(async () => {
    await served.close()
    collector.close()
  })
  served.app.tracer = new OpenTelemetry('1.2.3')
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  await served.ask('GET', '/api/labels', {
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  })
  await served.ask('POST', '/api/labels', { body: { name: 'canarybird' } })
  await served.app.tracer.end()
  const text = JSON.stringify(sent)
  const spans = sent.flatMap((item) =>
    item.resourceSpans.flatMap((all: any) =>
      all.scopeSpans.flatMap((scope: any) => scope.spans as Span[]),
    ),
  ) as Span[]
  assert.deepEqual(spans.map((span) => span.name).sort(), ['create_label', 'list_labels'])
  const listed = spans.find((span) => span.name === 'list_labels')!
  assert.deepEqual([listed.traceId, listed.parentSpanId], [traceId, '00f067aa0ba902b7'])
  assert.equal(
    listed.attributes.find((attribute) => attribute.key === 'workspace.code')?.value.stringValue,
    'ok',
  )
  assert.match(text, /"service\.version","value":\{"stringValue":"1\.2\.3"/)
  assert.match(text, /deployment\.environment\.name/)
  assert.ok(!text.includes('canarybird'))
})
