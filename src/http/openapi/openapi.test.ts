import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { JsonSchema } from '../../operations/schemas.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

let served: ServedWorkspace
let document: any
before(async () => {
  served = await serveWorkspace()
  document = (await served.ask('GET', '/api/openapi.json', { key: undefined })).json
})
after(() => served.close())

interface DocumentedOperation {
  operationId: string
  tags: string[]
  summary: string
  parameters?: { $ref?: string; name: string; in: string; required: boolean }[]
  requestBody?: {
    required: boolean
    content: Record<string, { schema: JsonSchema; example?: unknown }>
  }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: JsonSchema }> }>
}

/** All operations except the stream of events, which is not one. */
function* operations(): Generator<{
  method: string
  path: string
  documented: DocumentedOperation
}> {
  for (const [path, methods] of Object.entries(
    document.paths as Record<string, Record<string, DocumentedOperation>>,
  ))
    for (const [method, documented] of Object.entries(methods))
      if (!('x-stream' in documented)) yield { method, path, documented }
}

/** Every schema, and every other object, inside a part of the document. */
function* objectsIn(part: unknown): Generator<Record<string, unknown>> {
  if (part === null || typeof part !== 'object') return
  if (!Array.isArray(part)) yield part as Record<string, unknown>
  for (const item of Object.values(part)) yield* objectsIn(item)
}

test('every listed operation appears once, under its route, with its module as tag', () => {
  const listed = [...operations()]
  const { entries } = served.app.catalogue
  assert.equal(listed.length, entries.length)
  for (const { method, path, documented } of listed) {
    const entry = served.app.catalogue.requireEntry(documented.operationId)
    assert.equal(`${method.toUpperCase()} ${path}`, entry.operation.rest)
    assert.deepEqual(documented.tags, [entry.module])
    assert.ok(documented.summary.length <= 120)
  }
})

test('the event stream is documented with its query parameters', () => {
  const { get } = document.paths['/api/events']
  assert.equal(get.operationId, 'list_events') // which the calendar has at the same address
  const stream = get['x-event-stream']
  assert.deepEqual(
    stream.parameters.map((parameter: { name: string }) => parameter.name),
    ['types', 'events', 'items', 'project_id', 'since_cursor', 'Last-Event-ID'],
  )
  for (const item of [get, stream]) assert.ok(item.responses['200'].content['text/event-stream'])
  assert.ok(get.responses['200'].content['application/json'])
  assert.deepEqual(stream.parameters[0].schema.type, 'array')
})

test('every argument is a parameter or in the body, and there are no others', () => {
  for (const { documented } of operations()) {
    const { names, path } = served.app.catalogue.requireEntry(documented.operationId).schemas
    const parameters = (documented.parameters ?? []).filter((parameter) => !parameter.$ref)
    const body = documented.requestBody?.content['application/json']!.schema
    const inBody = Object.keys((body?.properties ?? {}) as object)
    assert.deepEqual(
      [...parameters.map((parameter) => parameter.name), ...inBody].sort(),
      [...names].sort(),
      documented.operationId,
    )
    assert.deepEqual(
      parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name),
      path,
      documented.operationId,
    )
    if (body) assert.equal(body.additionalProperties, false, documented.operationId)
  }
})

test('every response has a schema, and every operation its errors', () => {
  for (const { documented } of operations()) {
    const successes = Object.entries(documented.responses).filter(([status]) =>
      status.startsWith('2'),
    )
    assert.ok(successes.length > 0, documented.operationId)
    for (const [, response] of successes)
      assert.ok(response.content?.['application/json']?.schema, documented.operationId)
    for (const status of ['400', '401', '403', '404', '429'])
      assert.equal(
        documented.responses[status]?.$ref,
        `#/components/responses/Problem${status}`,
        documented.operationId,
      )
  }
})

test('response objects declare whether they may have additional properties', () => {
  for (const schema of objectsIn(document.components.schemas)) {
    if (
      schema.type === 'object' &&
      schema.properties &&
      schema !== document.components.schemas.Problem
    )
      assert.ok('additionalProperties' in schema, JSON.stringify(schema).slice(0, 200))
  }
})

test('every reference resolves, and every component is used', () => {
  const used = new Set<string>()
  for (const { $ref } of objectsIn(document)) {
    if (typeof $ref !== 'string') continue
    used.add($ref)
    const target = $ref
      .slice(2)
      .split('/')
      .reduce((at: any, key) => at?.[key], document)
    assert.ok(target, $ref)
  }
  for (const kind of ['schemas', 'responses'])
    for (const name of Object.keys(document.components[kind]))
      assert.ok(used.has(`#/components/${kind}/${name}`), `${kind} ${name}`)
})

test('example bodies are accepted by their operations', () => {
  let exampleCount = 0
  for (const { documented } of operations()) {
    const example = documented.requestBody?.content['application/json']!.example as
      | Record<string, unknown>
      | undefined
    if (!example) continue
    exampleCount++
    const { input, inputJson, path } = served.app.catalogue.requireEntry(
      documented.operationId,
    ).schemas
    const properties = inputJson.properties as Record<string, { enum?: string[] }>
    const parsed = input.safeParse({
      ...example,
      ...Object.fromEntries(path.map((name) => [name, properties[name]?.enum?.[0] ?? 'x'])),
    })
    assert.ok(parsed.success, `${documented.operationId}: ${JSON.stringify(example)}`)
  }
  assert.ok(exampleCount > 1)
})

test('creations declare 201, and every operation requires a key', () => {
  assert.ok(document.paths['/api/labels'].post.responses['201'])
  assert.deepEqual(document.security, [{ key: [] }])
  assert.equal(document.servers[0].url, 'http://workspace.test')
})

test('the document is stable, answers a matching ETag with 304, and is compressed on request', async () => {
  const plain = await served.ask('GET', '/api/openapi.json', {
    headers: { 'accept-encoding': 'identity' },
  })
  const compressed = await served.ask('GET', '/api/openapi.json', {
    headers: { 'accept-encoding': 'gzip' },
  })
  assert.equal(plain.headers.get('content-encoding'), null)
  assert.equal(compressed.headers.get('content-encoding'), 'gzip')
  assert.equal(compressed.text, plain.text)
  const etag = plain.headers.get('etag')!
  const again = await served.ask('GET', '/api/openapi.json', { headers: { 'if-none-match': etag } })
  assert.equal(again.status, 304)
  assert.equal(again.text, '')
})

test('the reference page uses only our own files, under a policy that loads nothing external', async () => {
  const page = await served.ask('GET', '/api/docs', { key: undefined })
  assert.equal(page.status, 200)
  assert.match(
    page.headers.get('content-security-policy')!,
    /default-src 'none'; script-src 'self'; style-src 'self'/,
  )
  assert.doesNotMatch(page.text, /https?:|<script>|style=|onload/)
  const files = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]!)
  assert.equal(files.length, 3)
  for (const file of files) {
    const got = await served.ask('GET', file, { key: undefined })
    assert.equal(got.status, 200, file)
    assert.ok(got.text.length > 100, file)
  }
  assert.match((await served.ask('GET', '/api/docs/start.js')).text, /validatorUrl: null/)
})

test('gzip refused with q=0 is not sent', async () => {
  const encoding = async (accepted: string) =>
    (
      await fetch(`${served.url}/api/openapi.json`, { headers: { 'accept-encoding': accepted } })
    ).headers.get('content-encoding')
  for (const accepted of ['gzip', 'deflate, gzip;q=0.5', '*', 'GZIP', 'br, gzip ; q=1.0'])
    assert.equal(await encoding(accepted), 'gzip', accepted)
  for (const accepted of ['identity', 'gzip;q=0', 'br', 'xgzip', 'gzip;q=0.0'])
    assert.equal(await encoding(accepted), null, accepted)
})
