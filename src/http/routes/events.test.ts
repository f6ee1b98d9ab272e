import assert from 'node:assert/strict'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { readWithoutLogging } from '../../operations/call/index.ts'
import { revokeKey } from '../../keys/issue.ts'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { EventReader, type StreamEvent } from '../../testing/events.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { makeCertificate } from '../../testing/certificates.ts'
import { EventStream, defaultTimes } from './event-stream.ts'
import { untilTrue } from '../../testing/limits.ts'

let served: ServedWorkspace
let bob: { id: string; key: string }
let openReaders: EventReader[] = []
const from = {
  tool: 'follow_events',
  args: undefined,
  transport: 'rest' as const,
  requestId: 'test',
  route: 'GET /api/events',
  ip: '127.0.0.1',
}

before(async () => {
  served = await serveWorkspace()
  bob = await served.keyFor(served.bob)
  await served.ann.call('create_project', {
    name: 'Engine',
    key: 'ENG',
    member_ids: [served.bob.id],
  })
  await served.ann.call('create_project', { name: 'Secret', key: 'SEC' })
})
beforeEach(
  async () => void (await Promise.all(openReaders.splice(0).map((reader) => reader.cancel()))),
)
after(() => served.close())

const headersFor = (key: string, lastEventId?: string) => ({
  accept: 'text/event-stream',
  authorization: `Bearer ${key}`,
  ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
})

/** Opens a stream and reads its first event, the start position. */
async function follow({
  key = served.bearer,
  query = '',
  last,
}: {
  key?: string
  query?: string
  last?: string
} = {}): Promise<{ reader: EventReader; first: StreamEvent }> {
  const response = await fetch(`${served.url}/api/events${query}`, {
    headers: headersFor(key, last),
  })
  assert.equal(response.status, 200, await (response.ok ? '' : response.text()))
  const reader = new EventReader(response)
  openReaders.push(reader)
  return { reader, first: (await reader.next())! }
}

async function take(reader: EventReader, count: number): Promise<StreamEvent[]> {
  const all: StreamEvent[] = []
  while (all.length < count) all.push((await reader.next())!)
  return all
}

const summariesOf = (events: readonly StreamEvent[]) =>
  events.map((event) => `${event.event} ${event.json.item.title ?? event.json.item.id}`)
const assertSilent = (reader: EventReader) => assert.rejects(reader.next(80), /Nothing came/)
const createTask = (title: string, project_id = 'ENG') =>
  served.ann.call('create_task', { project_id, title })

test('an event follows its commit with the webhook payload and the change position as id, also for own changes', async () => {
  const { reader, first } = await follow()
  assert.deepEqual([first.event, first.retry], ['ready', '2000'])
  assert.equal(first.json.since_cursor, first.id)
  const oilTask = await createTask('Oil')
  const [event] = await take(reader, 1)
  const { items } = await served.ann.call('list_changes', { since_cursor: first.id })
  assert.equal(event!.id, items[0].seq)
  const { actor, item, changes, call_id, ...rest } = event!.json
  assert.deepEqual(rest, {
    event: 'task.created',
    at: items[0].at,
    via: 'web',
    seq: items[0].seq,
    revision: oilTask.revision,
  })
  const undone = await served.ann.call('undo_api_call', { call_id, dry_run: true })
  assert.deepEqual(undone.removed[0].id, oilTask.id)
  assert.deepEqual(
    [actor.id, item],
    [
      served.ann.id,
      { type: 'task', id: oilTask.id, key: oilTask.key, title: 'Oil', url: oilTask.url },
    ],
  )
  assert.deepEqual(changes, [{ field: 'watchers', from: null, to: 'Ann' }])
})

test('a change with several events delivers each, and reconnecting between them delivers only the rest', async () => {
  const createdTask = await createTask('Done soon')
  const { reader } = await follow()
  await served.ann.call('complete_task', { task_id: createdTask.id })
  const all = await take(reader, 3)
  assert.deepEqual(all.map((streamEvent) => streamEvent.event).sort(), [
    'task.completed',
    'task.status_changed',
    'task.updated',
  ])
  for (const [i, { id }] of all.entries()) {
    const again = await follow({ last: id! })
    assert.equal(again.first.id, id)
    assert.deepEqual(
      (await take(again.reader, all.length - 1 - i)).map((streamEvent) => streamEvent.event),
      all.slice(i + 1).map((streamEvent) => streamEvent.event),
    )
    await assertSilent(again.reader)
  }
  const { items } = await served.ann.call('list_changes', { since_cursor: all[0]!.id })
  assert.equal(
    items[0].item.id,
    createdTask.id,
    'list_changes returns the partly delivered change again',
  )
})

test('the query filters by type, event, item and project, and an invalid one is refused', async () => {
  const [taskOne, taskTwo] = [await createTask('One'), await createTask('Two', 'SEC')]
  const [ofTypes, ofEvents, ofItems, ofProject] = [
    await follow({ query: '?types=label,project' }),
    await follow({ query: '?events=task.completed&events=label.*' }),
    await follow({ query: `?items=${taskOne.key}` }),
    await follow({ query: '?project_id=SEC' }),
  ]
  await served.ann.call('update_task', { task_id: taskOne.id, title: 'One more' })
  await served.ann.call('complete_task', { task_id: taskTwo.id })
  await served.ann.call('create_label', { name: 'hot' })
  assert.deepEqual(summariesOf(await take(ofTypes.reader, 1)), ['label.created hot'])
  assert.deepEqual(summariesOf(await take(ofEvents.reader, 2)), [
    'task.completed Two',
    'label.created hot',
  ])
  assert.deepEqual(summariesOf(await take(ofItems.reader, 1)), ['task.updated One more'])
  assert.equal(
    (await take(ofProject.reader, 3)).every((event) => event.json.item.id === taskTwo.id),
    true,
  )
  for (const { reader } of [ofTypes, ofEvents, ofItems, ofProject]) await assertSilent(reader)
  for (const [query, pattern] of [
    ['?types=nonsense', /nonsense/],
    ['?events=task.complete', /task\.completed/],
    ['?items=ENG-9999', /items\[0\]/],
    ['?project_id=NO', /project/],
    ['?color=red', /color/],
    ['?since_cursor=abc', /since_cursor/],
  ] as const) {
    const got = await served.ask('GET', `/api/events${query}`, {
      headers: { accept: 'text/event-stream' },
    })
    assert.ok(got.status === 400 || got.status === 404, query)
    assert.match(`${got.json.field} ${got.json.message} ${got.json.hint}`, pattern)
  }
})

test('events are limited to visible items; a removed member is notified of the removal and nothing more', async () => {
  const [ofBob, ofEve] = [
    await follow({ key: bob.key }),
    await follow({ key: (await served.keyFor(served.eve)).key }),
  ]
  await createTask('Hidden', 'SEC')
  await createTask('Shown')
  assert.deepEqual(summariesOf(await take(ofBob.reader, 1)), ['task.created Shown'])
  await served.ann.call('remove_project_member', { project_id: 'ENG', person_id: served.bob.id })
  await createTask('After')
  const [lost] = await take(ofBob.reader, 1)
  assert.equal(lost!.event, 'access.lost')
  assert.deepEqual(Object.keys(lost!.json.item), ['type', 'id'])
  await assertSilent(ofBob.reader)
  await assertSilent(ofEve.reader)
  const reopened = await follow({ key: bob.key })
  await served.ann.call('add_project_member', { project_id: 'ENG', person_id: served.bob.id })
  assert.ok(
    (await take(reopened.reader, 1)).every((streamEvent) =>
      /^(access\.gained|project\.)/.test(streamEvent.event!),
    ),
  )
})

test('events missed while disconnected are checked against current access on reconnect', async () => {
  const { first } = await follow({ key: bob.key })
  await createTask('Away')
  await served.ann.call('remove_project_member', { project_id: 'ENG', person_id: served.bob.id })
  const { reader } = await follow({ key: bob.key, last: first.id! })
  assert.deepEqual(
    (await take(reader, 1)).map((streamEvent) => streamEvent.event),
    ['access.lost'],
  )
  await assertSilent(reader)
  await served.ann.call('add_project_member', { project_id: 'ENG', person_id: served.bob.id })
})

test('each of over a thousand changes is delivered once and in order while readers come and go', async () => {
  const { first } = await follow({ query: '?types=label' })
  const received: StreamEvent[] = []
  const writing = (async () => {
    for (let i = 0; i < 1000; i += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, j) =>
          served.ann.call('create_label', { name: `n${i + j}` }),
        ),
      )
  })()
  let last = first.id!
  for (let cuts = 0; received.length < 1000; cuts++) {
    const { reader } = await follow({ query: '?types=label', last })
    for (let n = 0; n < 37 + (cuts % 5) * 31 && received.length < 1000; n++)
      received.push((await reader.next())!)
    last = received.at(-1)!.id!
    await reader.cancel()
  }
  await writing
  const { items, has_more } = await served.ann.call('list_changes', {
    since_cursor: first.id,
    types: ['label'],
    limit: 100,
  })
  assert.equal(has_more, true)
  assert.deepEqual(
    received.slice(0, 100).map((streamEvent) => streamEvent.id),
    items.map((item: { seq: string }) => item.seq),
  )
  assert.equal(new Set(received.map((streamEvent) => streamEvent.id)).size, 1000)
  assert.deepEqual(
    received.map((streamEvent) => streamEvent.json.item.title).sort(),
    Array.from({ length: 1000 }, (_, i) => `n${i}`).sort(),
  )
  const { reader } = await follow({ query: '?types=label', last })
  await assertSilent(reader)
})

test('a position too far back, or unknown to this workspace, restarts the stream with a notice', async () => {
  const { first } = await follow()
  const ahead = Buffer.from(JSON.stringify(['changes', 999_999])).toString('base64url')
  const unknown = await follow({ last: ahead })
  assert.deepEqual(
    [unknown.first.event, unknown.first.json.reason, unknown.first.id],
    ['reset', 'unknown', first.id],
  )
  await createTask('After the reset')
  assert.deepEqual(summariesOf(await take(unknown.reader, 1)), ['task.created After the reset'])
  const { raw } = served.app.store
  const { seq } = raw.read.prepare('SELECT max(seq) AS seq FROM changes').get() as { seq: number }
  raw.write
    .prepare(
      `INSERT INTO changes (seq, org_id, call_id, at, actor_id, key_id, via, op, events_json, item_type, item_id, project_id, for_person_id, fields_json, images_json) SELECT ? + key + 1, org_id, call_id, at, actor_id, key_id, via, op, events_json, item_type, item_id, project_id, for_person_id, fields_json, images_json FROM changes, json_each('[' || rtrim(replace(hex(zeroblob(20001)), '00', '1,'), ',') || ']') WHERE seq = ?`,
    )
    .run(seq, seq)
  const tooOld = await follow({ query: '?types=label', last: first.id! })
  assert.deepEqual([tooOld.first.event, tooOld.first.json.reason], ['reset', 'too_old'])
  const olderPosition = await follow({ query: '?types=label', last: unknown.first.id! })
  assert.equal(olderPosition.first.event, 'reset')
  const newest = await follow({ last: tooOld.first.id! })
  assert.equal(newest.first.event, 'ready')
})

test('the stream ends when its key is revoked and when its person is deactivated', async () => {
  const [other, dave] = [await served.keyFor(served.bob), await served.person('Dave')]
  const ofBob = await follow({ key: other.key })
  const ofDave = await follow({ key: (await served.keyFor(dave)).key })
  await revokeKey(served.app.store, served.clock, served.dataDir, { key: other.id })
  served.app.store.raw.write
    .prepare("UPDATE users SET status = 'deactivated' WHERE id = ?")
    .run(dave.id)
  await served.ann.call('create_label', { name: 'after the key' })
  assert.deepEqual(await Promise.all([ofBob, ofDave].map(({ reader }) => reader.next())), [
    undefined,
    undefined,
  ])
})

test('a signed-in person follows with their cookie until they sign out', async () => {
  await givePasswords(served, served.ann)
  const ann = await new Browser(served).signIn('ann@acme.test')
  const cookie = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(`${served.url}/web/events?types=label`, {
    headers: { accept: 'text/event-stream', cookie },
  })
  assert.equal(response.status, 200)
  const reader = new EventReader(response)
  assert.equal((await reader.next())!.event, 'ready')
  await served.ann.call('create_label', { name: 'by cookie' })
  assert.deepEqual(summariesOf(await take(reader, 1)), ['label.created by cookie'])
  await ann.post('/web/sign-out', {})
  await served.ann.call('create_label', { name: 'too late' })
  assert.equal(await reader.next(), undefined)
  assert.equal(
    (await fetch(`${served.url}/api/events`, { headers: { accept: 'text/event-stream', cookie } }))
      .status,
    401,
  )
})

test('a paused reader blocks no one: little is buffered, and all events arrive in order once it resumes', async () => {
  const label = await served.ann.call('create_label', { name: 'large' })
  const { first } = await follow()
  const { raw } = served.app.store
  const { seq } = raw.read.prepare('SELECT seq FROM changes WHERE item_id = ?').get(label.id) as {
    seq: number
  }
  const large = JSON.stringify([{ field: 'name', from: 'x'.repeat(100_000), to: '' }])
  const { newest } = raw.read.prepare('SELECT max(seq) AS newest FROM changes').get() as {
    newest: number
  }
  const copy = raw.write.prepare(
    `INSERT INTO changes (seq, org_id, call_id, at, actor_id, key_id, via, op, events_json, item_type, item_id, project_id, for_person_id, fields_json, images_json) SELECT ?, org_id, call_id, at, actor_id, key_id, via, op, events_json, item_type, item_id, project_id, for_person_id, ?, '[]' FROM changes WHERE seq = ?`,
  )
  for (let i = 1; i <= 150; i++) copy.run(newest + i, large, seq)
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
  socket.write(
    `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${served.bearer}\r\nLast-Event-ID: ${first.id}\r\n\r\n`,
  )
  socket.pause()
  await pause(300)
  assert.ok(served.server.unsentBytes < 2 ** 20, `${served.server.unsentBytes} bytes wait`)
  await served.ann.call('create_label', { name: 'behind the large ones' })
  let text = ''
  socket
    .setEncoding('utf8')
    .on('data', (part) => (text += part))
    .resume()
  for (let i = 0; i < 3000 && !text.includes('behind the large ones'); i++) await pause(20)
  socket.destroy()
  const ids = [...text.matchAll(/^id: (\S+)$/gm)].map(
    (match) => (JSON.parse(Buffer.from(match[1]!, 'base64url').toString()) as [string, number])[1],
  )
  assert.deepEqual(
    ids,
    Array.from({ length: 152 }, (_, i) => newest + i),
  )
})

test('a stream is one call in the log; a key without the activity module or a missing key is refused', async () => {
  const { reader } = await follow({ query: '?types=label' })
  await served.ann.call('create_label', { name: 'logged' })
  await take(reader, 1)
  const { items } = await served.ann.call('list_api_calls', { tool: 'follow_events', limit: 1 })
  assert.deepEqual(
    [items[0].status, items[0].route, items[0].kind],
    ['ok', 'GET /api/events', 'read'],
  )
  const narrow = await served.keyFor(served.ann, { toolsets: ['tasks'], modules: ['tasks'] })
  const accept = { headers: { accept: 'text/event-stream' } }
  assert.equal((await served.ask('GET', '/api/events', { key: narrow.key, ...accept })).status, 403)
  assert.equal((await served.ask('GET', '/api/events', { key: undefined, ...accept })).status, 401)
  assert.deepEqual(
    (await served.ask('GET', '/api/events?from=2026-11-20&to=2026-11-21')).json.items,
    [],
    'without a stream in Accept, the events of the calendar are listed',
  )
  assert.equal((await served.ask('PUT', '/api/events', { ...accept, body: {} })).status, 405)
  assert.equal((await served.ask('GET', '/web/events', accept)).status, 401)
})

test('open streams per key are limited until one of them ends', async () => {
  const { key } = await served.keyFor(served.ann)
  const openStream = () => fetch(`${served.url}/api/events`, { headers: headersFor(key) })
  const readers: EventReader[] = []
  let refused: Response | undefined
  while (!refused && readers.length < 100) {
    const response = await openStream()
    if (response.ok) readers.push(new EventReader(response))
    else refused = response
  }
  assert.equal(refused?.status, 429)
  openReaders.push(...readers)
  await readers.pop()!.cancel()
  openReaders = openReaders.filter((eventReader) => readers.includes(eventReader))
  let again = await openStream()
  await untilTrue(
    async () => {
      if (!again.ok) again = await openStream()
      return again.ok
    },
    () => `it answers ${again.status}`,
  )
  openReaders.push(new EventReader(again))
})

test('a stalled reader is dropped with little buffered and resumes where it was', async () => {
  const { app, ann } = served
  const { first } = await follow()
  const count = app.live.streams
  const feed = app.catalogue.feed!
  const following = await readWithoutLogging(app, ann.actor, from, (ctx) =>
    feed.follow(ctx, { types: ['label'], since_cursor: first.id! }),
  )
  let ended = false
  const stream = new EventStream(
    app,
    { actor: ann.actor, request: from },
    following,
    { ...defaultTimes, maxBufferedBytes: 2000, maxStallMs: 100 },
    () => (ended = true),
  )
  for (let i = 0; i < 30; i++) await ann.call('create_label', { name: `slow ${i}` })
  await untilTrue(() => ended, 'The stream did not end')
  assert.equal(app.live.streams, count)
  const received = await new EventReader(new Response(stream.body)).rest()
  assert.ok(received.length > 1 && received.length < 15, `${received.length} events waited`)
  const { reader } = await follow({ query: '?types=label', last: received.at(-1)!.id! })
  const missed = await take(reader, 30 - (received.length - 1))
  assert.deepEqual(
    [...received.slice(1), ...missed].map((streamEvent) => streamEvent.json.item.title),
    Array.from({ length: 30 }, (_, i) => `slow ${i}`),
  )
})

test('while there are no events, the position advances with each heartbeat', async () => {
  const { app, ann } = served
  const feed = app.catalogue.feed!
  const following = await readWithoutLogging(app, ann.actor, from, (ctx) =>
    feed.follow(ctx, { types: ['project'] }),
  )
  const stream = new EventStream(
    app,
    { actor: ann.actor, request: from },
    following,
    { ...defaultTimes, heartbeat: 30 },
    () => {},
  )
  const blocks = stream.body.getReader()
  await blocks.read()
  await ann.call('create_label', { name: 'for others' })
  const { since_cursor } = await ann.call('list_changes', {
    types: ['project'],
    since_cursor: following.cursor(following.start),
  })
  let beat = ''
  for (let i = 0; i < 10 && !beat.includes(since_cursor); i++)
    beat = Buffer.from((await blocks.read()).value!).toString()
  assert.equal(beat, `: keep-alive\nid: ${since_cursor}\n\n`)
  stream.end()
})

test('the stream is also served over HTTP/2 and ends with the server', async () => {
  const certificate = makeCertificate()
  const secure = await serveWorkspace({
    listen: { certificate: { cert: certificate.cert, key: certificate.key } as never },
  })
  const session = connectHttp2(secure.url, { ca: certificate.cert })
  session.on('error', () => {})
  const stream = session.request({
    ':path': '/api/events?types=label',
    accept: 'text/event-stream',
    authorization: `Bearer ${secure.bearer}`,
  })
  let text = ''
  stream.setEncoding('utf8').on('data', (part) => (text += part))
  while (!text.includes('event: ready')) await pause(10)
  await secure.ann.call('create_label', { name: 'over two' })
  while (!text.includes('over two')) await pause(10)
  const ended = new Promise((resolve) => stream.once('end', resolve))
  const closing = secure.close()
  await ended
  session.destroy()
  await closing
  certificate.remove()
})
