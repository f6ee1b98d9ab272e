import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { startReceiver } from '../../testing/servers/receiver.ts'
import { scratch, serve, workspaceJson, type Served } from '../../testing/process.ts'
import { untilTrue } from '../../testing/limits.ts'

const rounds = Number(process.env.CRASH_ROUNDS ?? 2)

/** Creates tasks until the server stops; collects the acknowledged ids. */
async function write(server: Served, key: string, createdIds: string[]): Promise<void> {
  for (;;) {
    try {
      const answer = await fetch(`${server.url}/api/tasks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{"project_id":"CRASH","title":"x"}',
      })
      const task = (await answer.json()) as { id: string }
      assert.equal(answer.status, 201, JSON.stringify(task))
      createdIds.push(task.id)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return // the server was killed
    }
  }
}

test(`a server killed ${rounds} times while writing and sending delivers every acknowledged change, in order and signed`, async (t) => {
  const { dir, remove } = scratch()
  const keyFile = `${dir}.key`
  const receiver = await startReceiver(() => ({ after: 3 }))
  let server: Served | undefined
  t.after(async () => {
    if (server && server.child.exitCode === null && server.child.signalCode === null)
      await server.end('SIGKILL')
    await receiver.close()
    rmSync(keyFile, { force: true })
    remove()
  })
  await workspaceJson('orgs', 'create', '--name', 'Crash', '--data', dir)
  await workspaceJson(
    'users',
    'create',
    '--email',
    'ann@crash.test',
    '--name',
    'Ann',
    '--admin',
    '--data',
    dir,
  )
  const { key } = await workspaceJson(
    'keys',
    'create',
    '--user',
    'ann@crash.test',
    '--name',
    'crash',
    '--data',
    dir,
  )
  const start = () =>
    serve(dir, '--outbound-allow', receiver.opening, '--master-key-file', keyFile, '--limits', 'no')
  const created: string[] = []
  let secret = ''
  for (let round = 0; round < rounds; round++) {
    server = await start()
    const { url } = server
    const post = (path: string, body: object) =>
      fetch(`${url}/api/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    if (round === 0) {
      assert.equal((await post('projects', { name: 'Crash', key: 'CRASH' })).status, 201)
      const webhook = (await (
        await post('webhooks', { url: `${receiver.url}/`, events: ['task.created'] })
      ).json()) as { secret: string }
      secret = webhook.secret
    }
    const [before, receivedBefore] = [created.length, receiver.received.length]
    const writers = [write(server, key, created), write(server, key, created)]
    await untilTrue(
      () => created.length >= before + 30 && receiver.received.length > receivedBefore,
      () => `${created.length - before} written, ${receiver.received.length - receivedBefore} told`,
    )
    await pause(13 * round)
    await server.end('SIGKILL')
    await Promise.all(writers)
    assert.ok(
      created.length >= before + 30 && receiver.received.length > receivedBefore,
      `round ${round}: ${created.length - before} written, ${receiver.received.length - receivedBefore} told`,
    )
  }
  server = await start()
  const delivered = () =>
    new Map(
      receiver.received.map((received) => [
        received.headers['webhook-id'],
        JSON.parse(received.body) as { item: { id: string }; seq: string },
      ]),
    )
  const missing = () =>
    created.filter((id) => ![...delivered().values()].some((item) => item.item.id === id))
  await untilTrue(
    () => missing().length === 0,
    () => `not told: ${missing().join()}`,
  )
  const positions = [...delivered().values()].map(
    (item) => (JSON.parse(Buffer.from(item.seq, 'base64url').toString()) as [string, number])[1],
  )
  assert.deepEqual(
    positions,
    positions.toSorted((a, b) => a - b),
    'first deliveries are in order',
  )
  for (const received of receiver.received)
    new Webhook(secret).verify(received.body, received.headers as Record<string, string>)
  assert.ok(
    receiver.received.length - delivered().size <= rounds,
    'only interrupted deliveries are repeated',
  )
  assert.equal(await server.end(), 0)
})
