import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { makeWorkspace, type TestWorkspace } from '../testing/harness.ts'
import {
  leading,
  program,
  scratch,
  serve,
  workspace as command,
  workspaceJson,
} from '../testing/process.ts'
import { MasterKeys, mintMaster } from './master.ts'
import { secretLocation, rotationProblem, countSealedByKey } from './rotate.ts'
import { unsealSecret, type SecretLocation } from './seal.ts'

let workspace: TestWorkspace
const folder = mkdtempSync(join(tmpdir(), 'secrets-test-'))
before(async () => {
  workspace = await makeWorkspace()
})
after(async () => {
  await workspace.close()
  rmSync(folder, { recursive: true })
})

test('a rotation killed at any point loses nothing, and resumes', async () => {
  const workspaceToRotate = await makeWorkspace()
  const { app, dataDir, ann } = workspaceToRotate
  const file = app.settings.master_key_file
  const args = ['--data', dataDir, '--master-key-file', file]
  const locationOf = (i: number): SecretLocation => ({
    org_id: ann.actor.org_id,
    table: 'webhooks',
    row_id: `whk_${i}`,
    column: 'secret',
  })
  await app.store.writer.run(async () => {
    for (let i = 0; i < 2000; i++)
      await app.secrets.put(app.store.write, 1, locationOf(i), `text ${i}`)
  })
  let interruptedRotations = 0
  const rounds = Number(process.env.ROTATION_ROUNDS ?? 8)
  for (let round = 0; round < rounds; round++) {
    const child = spawn(program, [...leading, 'secrets', 'rotate', ...args], { stdio: 'ignore' })
    const exit = new Promise((go) => child.once('exit', go))
    const startedAt = Date.now()
    const before = JSON.stringify(await countSealedByKey(app.store))
    while (
      JSON.stringify(await countSealedByKey(app.store)) === before &&
      Date.now() - startedAt < 10_000
    )
      await pause(1)
    await pause((round * 5) % 40)
    child.kill('SIGKILL')
    await exit
    if ((await countSealedByKey(app.store)).length > 1) interruptedRotations++
    for (const i of [0, 999, 1999])
      assert.equal(
        await app.secrets.read(app.store.read, locationOf(i)),
        `text ${i}`,
        `round ${round}`,
      )
    assert.equal(await rotationProblem(app.store, new MasterKeys({ file })), undefined)
  }
  assert.ok(interruptedRotations > 0, 'no kill interrupted a rotation')
  const finalRun = await command(['secrets', 'rotate', ...args, '--json'])
  assert.equal(finalRun.code, 0, finalRun.stderr)
  assert.equal((await countSealedByKey(app.store)).length, 1)
  const rows = await app.store.read.selectFrom('secrets').selectAll().execute()
  const master = new MasterKeys({ file })
  assert.equal(rows.length, 2000)
  for (const row of rows)
    assert.equal(
      unsealSecret(master.current!.key, secretLocation(row), row.value_sealed),
      `text ${row.row_id.slice(4)}`,
    )
  await workspaceToRotate.close()
})

test('a server does not start if encrypted rows lack their key, or if the key is in the data folder', async () => {
  const { dir, remove } = scratch()
  const file = `${dir}.key`
  const options = ['--data', dir, '--master-key-file', file]
  await workspaceJson('orgs', 'create', '--name', 'Acme', '--data', dir)
  await workspaceJson(
    'users',
    'create',
    '--email',
    'ann@acme.test',
    '--name',
    'Ann',
    '--admin',
    '--data',
    dir,
  )
  assert.match(
    (await command(['secrets', 'status', ...options])).stdout,
    /No master key yet.*\nNothing is sealed\./,
  )
  process.env.WORKSPACE_MASTER_KEY_FILE = file
  const webhook = await command([
    'call',
    'create_webhook',
    '--as',
    'ann@acme.test',
    '--data',
    dir,
    '--url',
    'https://93.184.216.34/',
    '--events',
    'task.created',
  ])
  delete process.env.WORKSPACE_MASTER_KEY_FILE
  assert.equal(webhook.code, 0, webhook.stderr)
  assert.match(
    (await command(['secrets', 'status', ...options])).stdout,
    /^Master key [0-9a-f]{12}, from .*\n.*\n.* 1 +present/,
  )
  const keyInDataFolder = await command([
    'serve',
    '--data',
    dir,
    '--port',
    '0',
    '--master-key-file',
    join(dir, 'master.key'),
  ])
  assert.deepEqual(
    [keyInDataFolder.code, /must not be in the data folder/.test(keyInDataFolder.stderr)],
    [78, true],
  )
  const missingKey = await command([
    'serve',
    '--data',
    dir,
    '--port',
    '0',
    '--master-key-file',
    `${file}.gone`,
  ])
  assert.deepEqual(
    [missingKey.code, /1 secret is encrypted, but there is no master key/.test(missingKey.stderr)],
    [78, true],
  )
  writeFileSync(`${file}.gone`, `${mintMaster()}\n`, { mode: 0o600 })
  const wrongKey = await command([
    'serve',
    '--data',
    dir,
    '--port',
    '0',
    '--master-key-file',
    `${file}.gone`,
  ])
  assert.deepEqual([wrongKey.code, /Restore the right one/.test(wrongKey.stderr)], [78, true])
  assert.equal(
    (await command(['secrets', 'status', '--data', dir, '--master-key-file', `${file}.gone`])).code,
    78,
  )
  const server = await serve(dir, '--master-key-file', file)
  assert.equal(await server.end(), 0)
  for (const path of [file, `${file}.gone`]) rmSync(path)
  remove()
})
