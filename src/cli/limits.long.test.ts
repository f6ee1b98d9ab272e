import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../kernel/ids.ts'
import { scratch, serve, workspace, workspaceJson, type Served } from '../testing/process.ts'

const { dir, remove } = scratch()
const command = (...args: string[]) => workspaceJson(...args, '--data', dir)
let server: Served
let key: { id: string; key: string }

before(async () => {
  await command('orgs', 'create', '--name', 'Acme')
  await command('users', 'create', '--email', 'ann@acme.test', '--name', 'Ann')
  key = await command('keys', 'create', '--user', 'ann@acme.test', '--name', 'laptop')
  server = await serve(dir, '--limits', 'yes', '--abuse-enumeration', '2', '--abuse-repeat', '1')
})
after(async () => {
  await server.end('SIGKILL')
  remove()
})

const get = (path: string) =>
  fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${key.key}` } })
const labelsStatus = async () => (await get('/api/labels')).status

test('a suspended key is listed and works again once released from the command line alongside the running server', async () => {
  for (let i = 0; i < 2; i++)
    assert.equal((await get(`/api/tasks/${newId('tsk', Date.now())}`)).status, 404)
  while ((await labelsStatus()) === 429);
  assert.equal(await labelsStatus(), 403)
  assert.deepEqual(
    (await command('keys', 'list')).map((item: any) => item.state),
    ['suspended'],
  )
  const openFindings = await command('abuse', 'list', '--open', '--user', 'ann@acme.test')
  assert.deepEqual(
    openFindings.map((item: any) => [item.rule, item.key_id, item.hold]),
    [
      ['repeat-offender', key.id, 'key'],
      ['enumeration', key.id, 'all'],
    ],
  )
  const listed = await workspace(['abuse', 'list', '--data', dir])
  assert.match(listed.stdout, /repeat-offender .* holds the key\n/)
  assert.match(
    (await workspace(['abuse', 'release', 'abf_nothing', '--data', dir])).stderr,
    /Finding not found/,
  )
  const released = await command('abuse', 'release', openFindings[0].id)
  assert.equal(released.rule, 'repeat-offender')
  assert.equal(await labelsStatus(), 200)
  assert.deepEqual(await command('abuse', 'list', '--open'), [])
})

test('usage shows the counts per person and key, also after a kill, and the limits of the plan', async () => {
  const before = (await command('usage'))[0]
  for (let i = 0; i < 3; i++) assert.equal(await labelsStatus(), 200)
  await server.end('SIGKILL')
  server = await serve(
    dir,
    '--plans',
    JSON.stringify({ small: { calls_per_day: before.today + 4 } }),
    '--default-plan',
    'small',
  )
  assert.deepEqual([await labelsStatus(), await labelsStatus()], [200, 429])
  const checked = await workspace([
    'connect',
    '--check',
    '--json',
    '--url',
    server.url,
    '--key',
    key.key,
  ])
  assert.deepEqual([checked.code, JSON.parse(checked.stdout).code], [1, 'rate_limited'])
  assert.match(JSON.parse(checked.stdout).message, /allows \d+ calls per day, and all are used/)
  const [{ today, plan, lines }] = await command('usage', '--key', key.id)
  assert.deepEqual(
    [today, plan, lines.map((line: any) => [line.email, line.key_name, line.today])],
    [before.today + 4, 'unlimited', [['ann@acme.test', 'laptop', before.today + 4]]],
  )
  assert.match(
    (await workspace(['usage', '--data', dir])).stdout,
    /^Acme: plan unlimited\n {2}calls today/,
  )
})

test('a plan is set by name, and an unknown one is refused', async () => {
  const plans = JSON.stringify({ small: { members: 1 } })
  const refused = await workspace(['orgs', 'plan', 'Acme', 'tiny', '--data', dir])
  assert.deepEqual([refused.code, /[Uu]nknown plan "tiny"/.test(refused.stderr)], [1, true])
  assert.equal((await command('orgs', 'plan', 'Acme', 'small', '--plans', plans)).limits.members, 1)
  assert.match(
    (await workspace(['usage', '--data', dir])).stdout,
    /^Acme: plan unlimited \(it was given small, which WORKSPACE_PLANS does not name here\)\n/,
  )
  assert.equal((await workspace(['serve', '--plans', '{"x": 1}', '--data', dir])).code, 78)
})
