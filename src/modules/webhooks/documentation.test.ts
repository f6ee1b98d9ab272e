import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Queue } from '../../jobs/queue.ts'
import { runTicks } from '../../jobs/scheduler.ts'
import { makeWorkspace } from '../../testing/harness.ts'
import { untilTrue } from '../../testing/limits.ts'

const root = new URL('../../../', import.meta.url)

function freePort(): Promise<number> {
  return new Promise((go) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => go(port))
    })
  })
}

test('the receiver in docs/webhooks.md accepts what we sign, and rejects anything modified', async (t) => {
  const [, program] = /```js\n([^]*?)```/.exec(
    readFileSync(new URL('docs/webhooks.md', root), 'utf8'),
  )!
  const folder = mkdtempSync(join(tmpdir(), 'webhook-docs-'))
  const port = await freePort()
  const workspace = await makeWorkspace({ settings: { outbound_allow: `127.0.0.1:${port}` } })
  workspace.clock.at = Date.now()
  const { ann, app } = workspace
  await ann.call('create_project', { name: 'Engine room', key: 'ENG' })
  const webhook = await ann.call('create_webhook', {
    url: `http://127.0.0.1:${port}/`,
    events: ['task.created'],
  })
  writeFileSync(join(folder, 'receiver.mjs'), program!)
  symlinkSync(fileURLToPath(new URL('node_modules', root)), join(folder, 'node_modules'))
  const child = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env: { ...process.env, WEBHOOK_SECRET: webhook.secret, PORT: String(port) },
  })
  const queue = new Queue(app)
  t.after(async () => {
    child.kill()
    await queue.stop()
    await workspace.close()
    rmSync(folder, { recursive: true })
  })
  let printed = ''
  child.stdout.on('data', (part: Buffer) => (printed += part.toString()))
  child.stderr.on('data', (part: Buffer) => (printed += part.toString()))
  const post = (body: string, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers }).then(
      (answer) => answer.status,
      () => undefined,
    )
  await untilTrue(async () => (await post('{}', {})) !== undefined, 'the receiver does not answer')
  await ann.call('create_task', { project_id: 'ENG', title: 'Oil the valves' })
  await runTicks(app)
  await queue.drain()
  const [sent] = (await ann.call('list_webhook_deliveries', { webhook_id: webhook.id })).items
  assert.deepEqual([sent.status, sent.response_code], ['delivered', 204], printed)
  assert.equal(printed.trim(), 'task.created Oil the valves')
  assert.equal(
    await post(JSON.stringify(sent.payload), {
      'webhook-id': sent.id,
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,AAAA',
    }),
    400,
  )
})
