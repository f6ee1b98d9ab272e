import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test, type TestContext } from 'node:test'
import { notifyAlive, createNotifier, notifySystemd } from './systemd.ts'
import { makeCertificate } from '../../testing/certificates.ts'
import { makeWorkspace } from '../../testing/harness.ts'
import { scratch, serve } from '../../testing/process.ts'
import { serveWorkspace } from '../../testing/server.ts'

const missingProgram = ['python3', 'systemd-notify'].find(
  (program) => spawnSync(program, ['--version']).status !== 0,
)
const skip = missingProgram !== undefined && `there is no ${missingProgram}`

/** Listener that stands in for systemd: a datagram socket. Node has none, Python does. */
const listener = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('listening', flush=True)
while True:
    for line in s.recv(4096).decode().split('\\n'):
        print(line, flush=True)
`

/** Listens like systemd. `waitFor(fact)` waits for the next such fact; all earlier ones are in `facts`. */
async function listen(t: TestContext) {
  const { dir, remove } = scratch()
  const socket = join(dir, 'notify')
  const child = spawn('python3', ['-c', listener, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => {
    child.kill('SIGKILL')
    remove()
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const facts: string[] = []
  const waitForFact = async (fact: string) => {
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      facts.push(line.value)
      if (line.value === fact) return
    }
    throw new Error(`the listener ended before ${fact}`)
  }
  await waitForFact('listening')
  return { socket, facts, waitFor: waitForFact }
}

test('systemd is notified when the server is ready, alive and stopping', {
  skip,
}, async (t) => {
  const { socket, facts, waitFor } = await listen(t)
  const { dir, remove } = scratch()
  process.env.NOTIFY_SOCKET = socket
  process.env.WATCHDOG_USEC = '600000'
  const server = await serve(dir)
  t.after(async () => {
    if (server.child.exitCode === null) await server.end('SIGKILL')
    delete process.env.NOTIFY_SOCKET
    delete process.env.WATCHDOG_USEC
    remove()
  })
  await waitFor('READY=1')
  assert.equal(
    (await fetch(`${server.url}/readyz`)).status,
    200,
    'the server answers once it is ready',
  )
  for (let i = 0; i < 3; i++) await waitFor('WATCHDOG=1')
  const ended = server.end()
  await waitFor('STOPPING=1')
  assert.equal(await ended, 0)
  assert.deepEqual(
    [...new Set(facts)].filter((fact) => fact.includes('=') && fact !== 'BARRIER=1'),
    ['READY=1', 'WATCHDOG=1', 'STOPPING=1'],
  )
  assert.doesNotMatch(server.output(), /could not be notified/)
})

test('a server not started by systemd sends no notification, and a failed notification is logged', async () => {
  const logged: unknown[] = []
  const log = { error: (...entry: unknown[]) => void logged.push(entry) }
  await (
    await notifySystemd(
      {},
      {
        writer: { append: () => assert.fail('the writer was not needed') },
        url: 'http://127.0.0.1:1',
      },
      { ...log, warn: log.error },
    )
  )()
  assert.deepEqual(logged, [])
  await createNotifier({ NOTIFY_SOCKET: '/nowhere/notify', PATH: process.env.PATH }, log)('READY=1')
  assert.match(JSON.stringify(logged), /could not be notified.*READY=1/)
})

test('no watchdog ping is sent while the writer is stuck; one is sent once it proceeds', async (t) => {
  const served = await serveWorkspace()
  t.after(() => served.close())
  const received: string[] = []
  const tell = async (fact: string) => void received.push(fact)
  const stuck = Promise.withResolvers<void>()
  const running = Promise.withResolvers<void>()
  const job = served.app.store.writer.run(async () => {
    running.resolve()
    await stuck.promise
  })
  await running.promise
  const ping = notifyAlive(
    tell,
    'WATCHDOG=1',
    { writer: served.app.store.writer, url: served.url },
    10_000,
  )
  for (let i = 0; i < 5; i++)
    assert.equal((await served.ask('GET', '/healthz')).status, 200, 'the port still answers')
  assert.deepEqual(received, [])
  stuck.resolve()
  await job.catch(() => {}) // a job that waits for something else is refused
  await ping
  assert.deepEqual(received, ['WATCHDOG=1'])
})

test('no watchdog ping is sent when the server’s own port does not respond or is closed', async (t) => {
  const { app, close } = await makeWorkspace()
  const silent = createServer((socket) => socket.resume())
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const url = `http://127.0.0.1:${(silent.address() as { port: number }).port}`
  t.after(close)
  const received: string[] = []
  const tell = async (fact: string) => void received.push(fact)
  await assert.rejects(
    notifyAlive(tell, 'WATCHDOG=1', { writer: app.store.writer, url }, 50),
    /nothing within 0\.05 seconds/,
  )
  silent.close()
  await once(silent, 'close')
  await assert.rejects(notifyAlive(tell, 'WATCHDOG=1', { writer: app.store.writer, url }, 10_000), {
    code: 'ECONNREFUSED',
  })
  assert.deepEqual(received, [])
})

test('the watchdog ping is sent with a self-signed TLS certificate and also when the disk fails', async (t) => {
  const certificate = makeCertificate({ names: ['work.example.org'] })
  const served = await serveWorkspace({ listen: { certificate } })
  t.after(async () => {
    await served.close()
    certificate.remove()
  })
  const received: string[] = []
  const tell = async (fact: string) => void received.push(fact)
  await notifyAlive(
    tell,
    'WATCHDOG=1',
    { writer: served.app.store.writer, url: served.url },
    10_000,
  )
  await notifyAlive(
    tell,
    'WATCHDOG=1',
    { writer: { append: () => Promise.reject(new Error('disk I/O error')) }, url: served.url },
    10_000,
  )
  assert.deepEqual(received, ['WATCHDOG=1', 'WATCHDOG=1'])
})
