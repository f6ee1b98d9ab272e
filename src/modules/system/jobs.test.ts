import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Queue } from '../../jobs/queue.ts'
import { dayLong } from '../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

let workspace: ServedWorkspace
before(async () => {
  workspace = await serveWorkspace()
})
after(() => workspace.close())

/** Requests a job on behalf of a person. */
function requestJob(who = workspace.ann): Promise<string> {
  const { store, jobs, clock } = workspace.app
  const requester = { org_id: who.actor.org_id, owner_id: who.id, key_id: null }
  return store.writer.run(() => jobs.add(store.write, clock.now(), 'prune_jobs', {}, requester))
}

test('only its requester can follow a job by id over REST', async () => {
  const { ann, bob, eve, app } = workspace
  const job_id = await requestJob()
  const first = await workspace.ask('GET', `/api/jobs/${job_id}`)
  assert.deepEqual(
    [first.status, first.json.state, first.json.attempts, first.json.finished_at],
    [200, 'waiting', 0, undefined],
  )
  await new Queue(app).drain()
  const finishedJob = await ann.call('get_job', { job_id })
  assert.deepEqual(
    [finishedJob.state, finishedJob.result, finishedJob.kind],
    ['done', { forgotten: 0 }, 'prune_jobs'],
  )
  for (const other of [bob, eve])
    assert.equal((await other.refused('get_job', { job_id })).code, 'not_found')
  assert.equal(
    (await ann.refused('get_job', { job_id: 'job_00000000000000000000000000' })).code,
    'not_found',
  )
  assert.equal((await workspace.ask('GET', `/api/jobs/${job_id}`, { key: undefined })).status, 401)
})

test('an assistant reads a job by address, finds it in the list, and learns that jobs send no change notifications', async () => {
  const { ann, bob, app } = workspace
  const id = await requestJob()
  await new Queue(app).drain()
  const client = await assistant(workspace.bearer)
  const uri = `workspace://jobs/${id}`
  const { contents } = await client.readResource({ uri })
  assert.match(
    (contents[0] as { text: string }).text,
    /^# prune jobs\n\n- State: done\n[^]*- Attempts: 1\n[^]*- Id: job_\w+\n\nResult:\n\n```json\n\{\n {2}"forgotten": 0/,
  )
  assert.ok(
    (await client.listResources()).resources.some(
      (resource) => resource.uri === uri && resource.title === 'prune_jobs',
    ),
  )
  const completion = await client.complete({
    ref: { type: 'ref/resource', uri: 'workspace://jobs/{id}' },
    argument: { name: 'id', value: 'prune' },
  })
  assert.ok(completion.completion.values.includes(id))
  await assert.rejects(client.subscribeResource({ uri }), /jobs has no change notifications/)
  const other = await assistant((await workspace.keyFor(bob)).key)
  await assert.rejects(other.readResource({ uri }), { code: -32602 })
  assert.equal(
    (await other.listResources()).resources.some((resource) => resource.uri === uri),
    false,
  )
  for (const item of [client, other]) await item.close()
  assert.equal((await ann.call('get_job', { job_id: id })).state, 'done')
})

/** The official client, using the older protocol. */
async function assistant(key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${workspace.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  )
  return client
}

test('a key limited to some modules can follow only the jobs it requested', async () => {
  const { ann, app, clock } = workspace
  const key = await workspace.key(ann, { toolsets: ['labels'], read_only: true })
  const requester = { org_id: ann.actor.org_id, owner_id: ann.id, key_id: key.id }
  const keyJobId = await app.store.writer.run(() =>
    app.jobs.add(app.store.write, clock.now(), 'prune_jobs', {}, requester),
  )
  assert.equal((await ann.call('get_job', { job_id: keyJobId }, { key })).id, keyJobId)
  await assert.rejects(ann.call('get_job', { job_id: await requestJob() }, { key }), {
    code: 'not_found',
  })
  await assert.rejects(ann.call('search_tools', {}, { key }), { code: 'permission_denied' })
})

test('finished jobs are deleted after their retention; unfinished ones are kept', async () => {
  const { app, clock } = workspace
  const count = () =>
    app.store.raw.read.prepare("SELECT count(*) FROM jobs WHERE kind = 'prune_jobs'").pluck().get()
  const queue = new Queue(app)
  await queue.drain()
  await app.store.writer.run(async () => {
    for (let n = 0; n < 450; n++)
      await app.jobs.add(app.store.write, clock.now(), 'prune_jobs', {}, undefined, {
        uniqueKey: `${n}`,
      })
    await app.store.write
      .updateTable('jobs')
      .set({ state: 'dead', finished_at: clock.now() })
      .where('unique_key', '<>', '7')
      .execute()
    await app.store.write
      .updateTable('jobs')
      .set({ run_at: Number.MAX_SAFE_INTEGER })
      .where('unique_key', '=', '7')
      .execute()
  })
  const before = Number(count())
  clock.pass(29 * dayLong)
  await queue.drain()
  assert.equal(Number(count()), before + 1, 'the pruning itself')
  clock.pass(2 * dayLong)
  app.mayErase = () => false
  await queue.drain()
  assert.ok(Number(count()) > before, 'not while the clock may be wrong')
  app.mayErase = () => true
  clock.pass(dayLong)
  await queue.drain()
  const remaining = app.store.raw.read
    .prepare("SELECT unique_key, state FROM jobs WHERE kind = 'prune_jobs' ORDER BY id")
    .all() as { unique_key: string; state: string }[]
  assert.deepEqual(
    remaining.filter((item) => !item.unique_key?.startsWith('schedule')),
    [{ unique_key: '7', state: 'waiting' }],
  )
  assert.ok(remaining.length <= 4)
})
