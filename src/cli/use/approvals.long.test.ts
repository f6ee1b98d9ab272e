import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { commandsOn, createAnn } from '../testing.ts'
import { serve } from '../../testing/process.ts'

test('calls of a key that requires approval before sending are listed, released and denied at the command line', async (t) => {
  const commands = commandsOn(t)
  Object.assign(process.env, {
    WORKSPACE_OUTBOUND_ALLOW: '127.0.0.1:9',
    WORKSPACE_MASTER_KEY_FILE: join(commands.dataDir, '..', `${basename(commands.dataDir)}.key`),
  }) // for the server and the commands alike
  t.after(() => rmSync(process.env.WORKSPACE_MASTER_KEY_FILE!, { force: true }))
  await createAnn(commands)
  const issued = await commands.json(
    'keys',
    'create',
    '--user',
    'ann@acme.test',
    '--name',
    'helper',
    '--hold-outbound',
  )
  assert.equal(issued.hold_outbound, true)
  assert.match(await commands.runOk('keys', 'list'), /helper .* active +ask before sending/)
  const served = await serve(commands.dataDir)
  t.after(() => served.end())
  const createWebhook = async (name: string) => {
    const answer = await fetch(`${served.url}/api/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${issued.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'http://127.0.0.1:9/', events: ['task.*'], name }),
    })
    return [answer.status, ((await answer.json()) as { approval_id: string }).approval_id] as const
  }
  const [status, first] = await createWebhook('first\u200f')
  const [, second] = await createWebhook('second')
  assert.equal(status, 409)
  const listed = await commands.runOk('approvals', 'list')
  assert.match(listed, /create_webhook +pending +helper/)
  assert.ok(listed.includes('first\\u200f') && !listed.includes('\u200f'))
  const released = await commands.run(['approvals', 'release', first, '--json'])
  assert.deepEqual(
    [released.code, JSON.parse(released.stdout || released.stderr).state],
    [0, 'released'],
    released.stderr,
  )
  assert.equal(JSON.parse(released.stdout).result.url, 'http://127.0.0.1:9/')
  assert.equal((await commands.json('approvals', 'deny', second)).state, 'denied')
  for (const args of [
    ['release', first],
    ['deny', first],
    ['release', second],
  ])
    assert.equal((await commands.run(['approvals', ...args, '--json'])).code, 1, args.join(' '))
  assert.equal(await commands.runOk('approvals', 'list'), 'No calls are waiting.\n')
  assert.deepEqual(
    (await commands.json('approvals', 'list', '--all')).map(
      (item: { state: string }) => item.state,
    ),
    ['denied', 'released'],
  )
})
