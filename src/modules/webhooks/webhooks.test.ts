import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, test, type TestContext } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { requirePerson, setStatus } from '../../identity/people.ts'
import { Queue } from '../../jobs/queue.ts'
import { runTicks } from '../../jobs/scheduler.ts'
import {
  startReceiver,
  type Receiver,
  type Received,
  type Reply,
} from '../../testing/servers/receiver.ts'
import {
  dayLong,
  hour,
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../testing/harness.ts'

let workspace: TestWorkspace
let queue: Queue
let receiver: Receiver
let reply: (request: Received, n: number) => Reply | 'never' = () => ({})

before(async () => {
  receiver = await startReceiver((request, n) => reply(request, n))
  workspace = await makeWorkspace({ settings: { outbound_allow: receiver.opening } })
  workspace.clock.at = Date.now() // receivers compare the time of a signature with their own clock
  queue = new Queue(workspace.app, { random: () => 0.5 })
  await workspace.ann.call('create_project', { name: 'Engine room', key: 'ENG' })
})
after(async () => {
  await queue.stop()
  await receiver.close()
  await workspace.close()
})

/** Runs everything that is due now, as the server would. */
async function runPendingWork(): Promise<void> {
  await runTicks(workspace.app)
  await queue.drain()
}

async function createWebhook(
  t: TestContext,
  more: Record<string, unknown> = {},
  who: Someone = workspace.ann,
) {
  const created = await who.call('create_webhook', {
    url: `${receiver.url}/hook`,
    events: ['task.*'],
    ...more,
  })
  t.after(async () => {
    reply = () => ({})
    await who.call('delete_webhook', { webhook_id: created.id }).catch(() => undefined)
    await runPendingWork()
    receiver.received.length = 0
  })
  return created
}

const newTask = (title: string, who = workspace.ann) =>
  who.call('create_task', { project_id: 'ENG', title })
const bodies = () => receiver.received.map((received) => JSON.parse(received.body))
const webhookById = async (id: string) =>
  (await workspace.ann.call('list_webhooks')).items.find((item: { id: string }) => item.id === id)
const deliveries = async (id: string, more = {}) =>
  (await workspace.ann.call('list_webhook_deliveries', { webhook_id: id, ...more })).items

test('an event is sent once, signed, with a thin payload, and in order of occurrence', async (t) => {
  const { id, secret } = await createWebhook(t)
  const task = await newTask('Oil the valves')
  for (let i = 0; i < 12; i++)
    await workspace.ann.call('update_task', { task_id: task.id, title: `Oil ${i}` })
  await workspace.ann.call('delete_task', { task_id: task.id })
  await runPendingWork()
  const [first] = receiver.received
  assert.deepEqual(
    [
      first!.method,
      first!.path,
      first!.headers['content-type'],
      first!.headers['workspace-webhook'],
    ],
    ['POST', '/hook', 'application/json', id],
  )
  for (const received of receiver.received)
    new Webhook(secret).verify(received.body, received.headers as Record<string, string>)
  assert.throws(() =>
    new Webhook(secret).verify(
      first!.body.replace('ENG', 'XXX'),
      first!.headers as Record<string, string>,
    ),
  )
  const payloads = bodies()
  assert.deepEqual(
    payloads.map((item) => item.event),
    ['task.created', ...Array(12).fill('task.updated'), 'task.deleted'],
  )
  assert.deepEqual(
    payloads
      .slice(1, 13)
      .map((item) => item.changes.find((change: { field: string }) => change.field === 'title').to),
    Array.from({ length: 12 }, (_, i) => `Oil ${i}`),
  )
  assert.deepEqual(Object.keys(payloads[0]).sort(), [
    'actor',
    'at',
    'changes',
    'event',
    'item',
    'seq',
    'via',
  ])
  assert.deepEqual(
    [payloads[0].item.id, payloads[0].item.key, payloads[0].actor.title, payloads[0].via],
    [task.id, task.key, 'Ann', 'web'],
  )
  assert.equal(
    new Set(receiver.received.map((received) => received.headers['webhook-id'])).size,
    14,
  )
  assert.equal(
    (await workspace.ann.call('list_changes', { since_cursor: payloads[12].seq })).items[0].op,
    'deleted',
    'seq continues from there',
  )
  await runPendingWork()
  assert.equal(receiver.received.length, 14)
  const list = await deliveries(id)
  assert.deepEqual(
    list.map((item: { status: string }) => item.status),
    Array(14).fill('delivered'),
  )
  assert.deepEqual(
    [list[0].event, list[0].attempts, list[0].response_code, list[0].payload, list[0].webhook.id],
    ['task.deleted', 1, 200, payloads[13], id],
  )
  const current = await webhookById(id)
  assert.deepEqual(
    [current.health, current.active, current.url, current.secret],
    ['ok', true, `${receiver.url}/hook`, undefined],
  )
  assert.ok(current.last_delivery_at)
})

test('an endpoint that is down is retried, and later events wait their turn', async (t) => {
  const { id } = await createWebhook(t)
  reply = () => ({ status: 503 })
  const task = await newTask('One')
  await workspace.ann.call('update_task', { task_id: task.id, title: 'Two' })
  await runPendingWork()
  assert.deepEqual(
    bodies().map((body) => body.event),
    ['task.created'],
  )
  assert.equal((await webhookById(id)).health, 'failing')
  const [, waiting] = await deliveries(id)
  assert.deepEqual([waiting.status, waiting.attempts, waiting.response_code], ['pending', 1, 503])
  workspace.clock.pass(2000)
  await runPendingWork()
  assert.equal(receiver.received.length, 1, 'not before its time')
  workspace.clock.pass(5000)
  await runPendingWork()
  assert.equal(receiver.received.length, 2)
  reply = () => ({})
  workspace.clock.pass(2 * minute)
  await runPendingWork()
  assert.deepEqual(
    bodies().map((body) => body.event),
    ['task.created', 'task.created', 'task.created', 'task.updated'],
  )
  assert.equal(
    new Set(receiver.received.slice(0, 3).map((received) => received.headers['webhook-id'])).size,
    1,
    'the same message has the same id',
  )
  assert.equal((await webhookById(id)).health, 'ok')
})

test('an attempt interrupted by process exit is repeated at once by the next process', async (t) => {
  const { id } = await createWebhook(t)
  await newTask('Cut off')
  reply = () => 'never'
  await runTicks(workspace.app)
  const other = new Queue(workspace.app)
  other.start()
  while (receiver.received.length === 0) await new Promise((go) => setTimeout(go, 5))
  await other.stop(0)
  reply = () => ({})
  await runPendingWork()
  assert.deepEqual(
    receiver.received.map((received) => received.headers['webhook-id']),
    Array(2).fill(receiver.received[0]!.headers['webhook-id']),
  )
  const [interrupted] = await deliveries(id)
  assert.deepEqual([interrupted.status, interrupted.attempts], ['delivered', 2])
})

test('a rejected delivery does not block others, and fails after eight attempts over three days', async (t) => {
  const { id } = await createWebhook(t)
  reply = ({ body }) => (body.includes('"task.created"') ? { status: 422 } : {})
  const task = await newTask('Nobody wants me')
  await workspace.ann.call('update_task', { task_id: task.id, title: 'But me' })
  await runPendingWork()
  assert.deepEqual(
    bodies().map((body) => body.event),
    ['task.created', 'task.updated'],
  )
  const from = workspace.clock.now()
  for (let i = 0; i < 200; i++, workspace.clock.pass(30 * minute)) await runPendingWork()
  assert.equal(bodies().filter((body) => body.event === 'task.created').length, 8)
  const [, failed] = await deliveries(id)
  assert.deepEqual(
    [failed.status, failed.attempts, failed.response_code, failed.next_attempt_at],
    ['failed', 8, 422, undefined],
  )
  assert.deepEqual((await deliveries(id, { status: 'failed' })).length, 1)
  assert.ok(workspace.clock.now() - from >= 3 * dayLong)
  const runs = workspace.app.store.raw.read
    .prepare("SELECT count(*) FROM jobs WHERE kind LIKE '%_webhook' AND state = 'done'")
    .pluck()
    .get()
  assert.ok(Number(runs) < 10, `${String(runs)} finished jobs are kept`)
  assert.equal((await webhookById(id)).active, true)
})

test('a response later than five seconds counts as none, and Retry-After is honored', async (t) => {
  const { id } = await createWebhook(t)
  reply = () => 'never'
  await newTask('Slow')
  const from = performance.now()
  await runPendingWork()
  assert.ok(performance.now() - from > 4500, 'the endpoint has five seconds')
  assert.equal((await deliveries(id))[0].response_code, undefined)
  reply = () => ({ status: 429, headers: { 'retry-after': '3600' } })
  workspace.clock.pass(minute)
  await runPendingWork()
  assert.ok(
    Date.parse((await deliveries(id))[0].next_attempt_at) - workspace.clock.now() > 59 * minute,
  )
})

test('after five failing days a webhook is paused, which its owner sees in the changes; resumed, it sends only later events', async (t) => {
  const { id } = await createWebhook(t)
  reply = () => ({ status: 500 })
  await newTask('Down')
  const cursor = (await workspace.ann.call('list_changes')).since_cursor
  for (let i = 0; i < 130 && (await webhookById(id)).active; i++, workspace.clock.pass(hour)) {
    if (i % 20 === 0) await newTask(`Still down ${i}`)
    await runPendingWork()
  }
  const current = await webhookById(id)
  assert.deepEqual([current.active, current.health], [false, 'paused'])
  const webhookChanges = await workspace.ann.call('list_changes', {
    since_cursor: cursor,
    types: ['webhook'],
  })
  const last = webhookChanges.items.at(-1)
  assert.deepEqual([last.item.id, last.op, last.fields], [id, 'updated', ['active', 'pause']])
  const before = receiver.received.length
  await newTask('Meanwhile')
  workspace.clock.pass(dayLong)
  await runPendingWork()
  assert.equal(receiver.received.length, before)
  reply = () => ({})
  await workspace.ann.call('update_webhook', { webhook_id: id, active: true })
  await newTask('Back')
  workspace.clock.pass(3 * dayLong)
  await runPendingWork()
  const after = bodies()
    .slice(before)
    .map((body) => body.item.title)
  assert.ok(after.includes('Back') && !after.includes('Meanwhile'), after.join())
  assert.equal((await webhookById(id)).health, 'ok')
})

test('a 410 response pauses the webhook at once', async (t) => {
  const { id } = await createWebhook(t)
  reply = () => ({ status: 410 })
  await newTask('Gone')
  await runPendingWork()
  assert.equal((await webhookById(id)).health, 'paused')
  assert.equal((await deliveries(id))[0].status, 'failed')
})

test('only events visible to the owner at the time of sending are sent', async (t) => {
  const { ann, bob, carol } = workspace
  await ann.call('add_project_member', { project_id: 'ENG', person_id: bob.id, role: 'member' })
  const bobsWebhook = await createWebhook(t, {}, bob)
  await createWebhook(t, {}, carol)
  await newTask('For members')
  await runPendingWork()
  assert.deepEqual(
    receiver.received.map((received) => received.headers['workspace-webhook']),
    [bobsWebhook.id],
  )
  reply = () => ({ status: 503 })
  await newTask('Seen and lost')
  await runPendingWork()
  await ann.call('remove_project_member', { project_id: 'ENG', person_id: bob.id })
  reply = () => ({})
  const before = receiver.received.length
  await newTask('Never seen')
  workspace.clock.pass(hour)
  await runPendingWork()
  assert.equal(receiver.received.length, before)
  const bobsDeliveries = (await bob.call('list_webhook_deliveries', { webhook_id: bobsWebhook.id }))
    .items
  assert.deepEqual(
    bobsDeliveries.map((item: { status: string; payload: object }) => [item.status, item.payload]),
    [['delivered', { event: 'task.created' }]],
    'no details of items no longer visible',
  )
})

test('a webhook stops as soon as its owner is deactivated, and continues after reactivation', async (t) => {
  const { ann, bob, app, clock } = workspace
  await ann.call('add_project_member', { project_id: 'ENG', person_id: bob.id, role: 'member' })
  const { id } = await createWebhook(t, {}, bob)
  reply = () => ({ status: 503 })
  await newTask('Before')
  await runPendingWork()
  reply = () => ({})
  await setStatus(app.store, clock, await requirePerson(app.store, bob.id), 'deactivated')
  await newTask('Meanwhile')
  clock.pass(hour)
  await runPendingWork()
  assert.equal(receiver.received.length, 1)
  await setStatus(app.store, clock, await requirePerson(app.store, bob.id), 'active')
  clock.pass(2 * minute)
  await runPendingWork()
  await newTask('After')
  await runPendingWork()
  assert.deepEqual(
    bodies().map((body) => body.item.title),
    ['Before', 'Before', 'After'],
  )
  assert.ok(id)
})

test('filters narrow events, null clears them, and their project ids must be visible to the owner', async (t) => {
  const { ann, bob, eve } = workspace
  const other = await ann.call('create_project', { name: 'Other', key: 'OTH' })
  const { id, filter } = await createWebhook(t, {
    filter: { project_ids: ['OTH'], fields: ['title'] },
  })
  assert.deepEqual(filter, { project_ids: [other.id], fields: ['title'] })
  await newTask('Elsewhere')
  const task = await ann.call('create_task', { project_id: 'OTH', title: 'Here' })
  await ann.call('update_task', { task_id: task.id, priority: 'high' })
  await ann.call('update_task', { task_id: task.id, title: 'Here too' })
  await runPendingWork()
  assert.deepEqual(
    bodies().map((body) => [body.event, body.item.title]),
    [
      ['task.created', 'Here too'],
      ['task.updated', 'Here too'],
    ],
  )
  const cleared = await ann.call('update_webhook', {
    webhook_id: id,
    filter: null,
    events: ['project.created'],
    name: 'Mine',
  })
  assert.deepEqual(
    [cleared.filter, cleared.events, cleared.name],
    [undefined, ['project.created'], 'Mine'],
  )
  for (const who of [bob, eve]) {
    const refused = await who.refused('create_webhook', {
      url: 'https://93.184.216.34/',
      events: ['task.*'],
      filter: { project_ids: ['OTH'] },
    })
    assert.deepEqual([refused.code, refused.more.field], ['not_found', 'filter.project_ids[0]'])
  }
})

test('the secret is shown once, stored sealed, and not returned again by a retry of the call', async (t) => {
  const { ann, app } = workspace
  const args = { url: `${receiver.url}/once`, events: ['task.created'], idempotency_key: 'once' }
  const first = await createWebhook(t, args)
  assert.match(first.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const again = await ann.call('create_webhook', args)
  assert.deepEqual([again.id, again.secret], [first.id, undefined])
  assert.equal(
    (await ann.call('list_webhooks')).items.filter((item: { id: string }) => item.id === first.id)
      .length,
    1,
  )
  const raw = first.secret.slice(6)
  for (const name of ['', '-wal', '-shm']) {
    const path = app.store.path + name
    if (existsSync(path)) assert.ok(!readFileSync(path).toString('latin1').includes(raw), name)
  }
})

test('a rotated secret signs alongside the previous one for a day', async (t) => {
  const { ann, clock } = workspace
  const { id, secret } = await createWebhook(t)
  const rotated = await ann.call('rotate_webhook_secret', { webhook_id: id })
  assert.notEqual(rotated.secret, secret)
  const check = (received: Received) =>
    [secret, rotated.secret].map((each) => {
      try {
        return (
          Boolean(
            new Webhook(each).sign(
              String(received.headers['webhook-id']),
              new Date(Number(received.headers['webhook-timestamp']) * 1000),
              received.body,
            ),
          ) &&
          String(received.headers['webhook-signature'])
            .split(' ')
            .includes(
              new Webhook(each).sign(
                String(received.headers['webhook-id']),
                new Date(Number(received.headers['webhook-timestamp']) * 1000),
                received.body,
              ),
            )
        )
      } catch {
        return false
      }
    })
  await newTask('Both')
  await runPendingWork()
  assert.deepEqual(check(receiver.received.at(-1)!), [true, true])
  clock.pass(25 * hour)
  await newTask('New alone')
  await runPendingWork()
  assert.deepEqual(check(receiver.received.at(-1)!), [false, true])
})

test('creating or rotating a secret with a hold_outbound key needs approval', async (t) => {
  const { ann } = workspace
  const { id } = await createWebhook(t)
  const key = await workspace.key(ann, { hold_outbound: true })
  await assert.rejects(ann.call('rotate_webhook_secret', { webhook_id: id }, { key }), {
    code: 'approval_required',
  })
  await assert.rejects(
    ann.call('create_webhook', { url: receiver.url, events: ['task.created'] }, { key }),
    { code: 'approval_required' },
  )
})

test('internal addresses, other schemes and unknown events are refused; nothing is stored', async () => {
  const { ann } = workspace
  const before = (await ann.call('list_webhooks')).items.length
  for (const url of [
    'http://127.0.0.1/',
    'http://localhost:8443/',
    'https://169.254.169.254/latest',
    'http://[::1]/',
    'http://2130706433/',
    'https://printer.local/',
    'https://intranet/',
    'https://8.8.8.8:25/',
  ]) {
    const refused = await ann.refused('create_webhook', { url, events: ['task.created'] })
    assert.deepEqual(
      [refused.code, refused.status, refused.more.field],
      ['blocked_address', 400, 'url'],
      url,
    )
  }
  const { details_json } = workspace.app.store.raw.read
    .prepare(
      "SELECT details_json FROM calls WHERE error_code = 'blocked_address' ORDER BY seq DESC",
    )
    .get() as { details_json: string }
  assert.equal(
    JSON.parse(details_json).arguments.url.host,
    '8.8.8.8:25',
    'the call log has the address',
  )
  for (const url of ['ftp://example.org', 'https://user:pw@93.184.216.34/', 'nonsense'])
    assert.equal(
      (await ann.refused('create_webhook', { url, events: ['task.created'] })).code,
      'invalid_argument',
      url,
    )
  assert.equal(
    (await ann.refused('create_webhook', { url: receiver.url, events: ['task.done'] })).more.field,
    'events',
  )
  assert.equal(
    (await ann.refused('create_webhook', { url: receiver.url, events: [] })).code,
    'invalid_argument',
  )
  assert.match(
    (await ann.refused('update_webhook', { webhook_id: 'whk_x', url: receiver.url })).body()
      .message,
    /create another one/,
  )
  assert.equal((await ann.call('list_webhooks')).items.length, before)
})

test('a webhook is private to its owner, can be trashed, and is restored without missed events', async (t) => {
  const { ann, bob, eve } = workspace
  const { id } = await createWebhook(t)
  for (const who of [bob, eve]) {
    assert.deepEqual(
      (await who.call('list_webhooks')).items.filter((item: { id: string }) => item.id === id),
      [],
    )
    for (const tool of [
      'update_webhook',
      'delete_webhook',
      'list_webhook_deliveries',
      'rotate_webhook_secret',
    ])
      assert.equal((await who.refused(tool, { webhook_id: id })).code, 'not_found', tool)
  }
  const deletion = await ann.call('delete_webhook', { webhook_id: id })
  assert.deepEqual([deletion.item.id, Boolean(deletion.restorable_until)], [id, true])
  await newTask('Missed')
  await runPendingWork()
  await ann.call('restore_item', { item_id: id })
  await newTask('Heard')
  await runPendingWork()
  assert.deepEqual(
    bodies().map((body) => body.item.title),
    ['Heard'],
  )
})

test('lists are paginated and filtered', async (t) => {
  const { ann } = workspace
  const createdIds = [await createWebhook(t), await createWebhook(t), await createWebhook(t)].map(
    (item) => item.id,
  )
  await ann.call('update_webhook', { webhook_id: createdIds[1], active: false })
  const ids = (page: { items: { id: string }[] }) =>
    page.items.map((item) => item.id).filter((id) => createdIds.includes(id))
  assert.deepEqual(ids(await ann.call('list_webhooks', { active: false })), [createdIds[1]])
  const first = await ann.call('list_webhooks', { limit: 2 })
  const second = await ann.call('list_webhooks', { limit: 100, cursor: first.next_cursor })
  assert.deepEqual([...ids(first), ...ids(second)], createdIds.toReversed())
  for (let i = 0; i < 3; i++) await newTask(`Page ${i}`)
  await runPendingWork()
  const page = await ann.call('list_webhook_deliveries', { webhook_id: createdIds[0], limit: 2 })
  const rest = await ann.call('list_webhook_deliveries', {
    webhook_id: createdIds[0],
    limit: 2,
    cursor: page.next_cursor,
  })
  assert.deepEqual(
    [...page.items, ...rest.items].map((item) => item.payload.item.title),
    ['Page 2', 'Page 1', 'Page 0'],
  )
  assert.equal(rest.has_more, false)
})

test('deliveries are deleted after their retention, and secrets along with erased webhooks', async (t) => {
  const { app, clock } = workspace
  const { id } = await createWebhook(t)
  await newTask('Old')
  await runPendingWork()
  assert.equal((await deliveries(id)).length, 1)
  clock.pass(31 * dayLong)
  await queue.add('prune_webhooks', {})
  await queue.drain()
  assert.equal((await deliveries(id)).length, 0)
  const secrets = () =>
    app.store.raw.read.prepare('SELECT count(*) FROM secrets WHERE row_id = ?').pluck().get(id)
  assert.equal(secrets(), 1)
  await workspace.ann.call('delete_webhook', { webhook_id: id })
  clock.pass(31 * dayLong)
  await runPendingWork()
  assert.equal(
    app.store.raw.read.prepare('SELECT count(*) FROM webhooks WHERE id = ?').pluck().get(id),
    0,
  )
  await queue.add('prune_webhooks', {})
  await queue.drain()
  assert.equal(secrets(), 0)
})
