import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Refusal } from '../kernel/refusal.ts'
import { makeWorkspace, type TestWorkspace } from '../testing/harness.ts'
import {
  leading,
  program,
  scratch,
  serve,
  workspace as command,
  workspaceJson,
} from '../testing/process.ts'
import { Master, mintMaster, NoMaster } from './master.ts'
import { secretLocation, rotationProblem, rotate, sealedBy } from './rotate.ts'
import { kidOf, open, seal, Unsealable, type SecretLocation } from './seal.ts'
import { Secrets } from './secrets.ts'

let workspace: TestWorkspace
const folder = mkdtempSync(join(tmpdir(), 'secrets-test-'))
before(async () => {
  workspace = await makeWorkspace()
})
after(async () => {
  await workspace.close()
  rmSync(folder, { recursive: true })
})

const key = Buffer.alloc(32, 7)
const here: SecretLocation = {
  org_id: 'org_a',
  table: 'webhooks',
  row_id: 'whk_1',
  column: 'secret',
}
const placeIn = (column: string): SecretLocation => ({
  org_id: workspace.ann.actor.org_id,
  table: 'webhooks',
  row_id: 'whk_1',
  column,
})

test('what is sealed opens at its place with its key, and nowhere else', () => {
  const sealed = seal(key, here, 'whsec_ä')
  assert.equal(open(key, here, sealed), 'whsec_ä')
  assert.notEqual(seal(key, here, 'whsec_ä'), sealed, 'a nonce of its own each time')
  for (const [name, other] of Object.entries({
    org_id: 'org_b',
    table: 'accounts',
    row_id: 'whk_2',
    column: 'password',
  }))
    assert.throws(() => open(key, { ...here, [name]: other }, sealed), Unsealable, name)
  assert.throws(() => open(Buffer.alloc(32, 8), here, sealed), Unsealable)
  const bytes = Buffer.from(sealed, 'base64')
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes)
    changed[i]! ^= 1
    assert.throws(() => open(key, here, changed.toString('base64')), Unsealable, `byte ${i}`)
  }
  for (const wrong of ['', 'AQ', 'x'.repeat(100)])
    assert.throws(() => open(key, here, wrong), Unsealable)
  assert.match(kidOf(key), /^[0-9a-f]{12}$/)
})

test('a key that systemd hands over may be read by an access list, and is not written by us', (t) => {
  const file = join(folder, 'handed.key')
  writeFileSync(file, `${mintMaster()}\n`)
  chmodSync(file, 0o440) // as systemd has it: the bits of the group are the mask of the list
  const master = new Master({ file })
  assert.throws(() => master.keys(), /chmod 600/)
  process.env.CREDENTIALS_DIRECTORY = folder
  t.after(() => delete process.env.CREDENTIALS_DIRECTORY)
  const before = readFileSync(file, 'utf8')
  assert.equal(master.keys().length, 1)
  assert.throws(() => master.add(), {
    message: /LoadCredential.*restart the server, and rotate again/,
  })
  assert.throws(() => master.keep(new Set()), NoMaster)
  assert.equal(readFileSync(file, 'utf8'), before)
})

test('a first secret makes the master key, for its owner alone, outside of the data folder; and only then', async () => {
  const { app, dataDir } = workspace
  const file = app.settings.master_key_file
  assert.equal(existsSync(file), false)
  await app.store.writer.run(() =>
    app.secrets.put(app.store.write, 1, placeIn('secret'), 'open sesame'),
  )
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(await app.secrets.read(app.store.read, placeIn('secret')), 'open sesame')
  assert.equal(await app.secrets.read(app.store.read, placeIn('other')), undefined)
  await app.store.writer.run(() =>
    app.secrets.put(app.store.write, 2, placeIn('secret'), 'plugh xyzzy'),
  )
  assert.equal(await app.secrets.read(app.store.read, placeIn('secret')), 'plugh xyzzy')
  for (const name of globSync('**/*', { cwd: dataDir, nodir: true } as object)) {
    const text = readFileSync(join(dataDir, name)).toString('latin1')
    for (const secret of [
      'open sesame',
      'plugh xyzzy',
      app.secrets.master.present!.key.toString('base64'),
      app.secrets.master.present!.key.toString('latin1'),
    ])
      assert.ok(!text.includes(secret), name)
  }
  await app.store.writer.run(() => app.secrets.drop(app.store.write, placeIn('')))
  assert.deepEqual(sealedBy(app.store), [])
})

test('beside sealed rows a missing, wrong or readable master key is a problem that says what to do, and none is made', async () => {
  const { app } = workspace
  await app.store.writer.run(() => app.secrets.put(app.store.write, 1, placeIn('secret'), 'x'))
  assert.equal(rotationProblem(app.store, app.secrets.master), undefined)
  const missing = new Secrets(new Master({ file: join(folder, 'none.key') }))
  assert.match(
    rotationProblem(app.store, missing.master)!,
    /1 secrets are encrypted, but there is no master key in .*none\.key/,
  )
  await assert.rejects(
    app.store.writer.run(() => missing.put(app.store.write, 1, placeIn('b'), 'x')),
    (error: Refusal) => error.code === 'unavailable' && !/none\.key/.test(error.message),
  )
  assert.equal(existsSync(join(folder, 'none.key')), false)
  const wrong = new Secrets(new Master({ file: '', env: mintMaster() }))
  assert.match(
    rotationProblem(app.store, wrong.master)!,
    /encrypted with the master key [0-9a-f]{12}, and WORKSPACE_MASTER_KEY has/,
  )
  await assert.rejects(
    wrong.read(app.store.read, placeIn('secret')),
    (error: Refusal) => error.code === 'unavailable',
  )
  const lax = join(folder, 'lax.key')
  writeFileSync(lax, readFileSync(app.settings.master_key_file))
  chmodSync(lax, 0o644)
  assert.match(rotationProblem(app.store, new Master({ file: lax }))!, /chmod 600/)
  for (const [text, why] of [
    ['', /key is missing from/],
    ['c2hvcnQ=\n', /not 32 bytes/],
  ] as const) {
    const file = join(folder, 'bad.key')
    writeFileSync(file, text, { mode: 0o600 })
    assert.match(rotationProblem({ raw: app.store.raw }, new Master({ file }))!, why)
    assert.throws(
      () => new Master({ file }).keys(),
      (error: Error) => error instanceof NoMaster && why.test(error.message),
    )
  }
  await app.store.writer.run(() => app.secrets.drop(app.store.write, placeIn('')))
})

test('two processes that make the first key at once have the same one', () => {
  const file = join(folder, 'both', 'master.key')
  assert.equal(new Master({ file }).create().kid, new Master({ file }).create().kid)
  assert.deepEqual(globSync('both/*', { cwd: folder }), ['both/master.key'])
})

test('a rotation seals everything anew, and a process that knew the older keys goes on', async () => {
  const { app } = workspace
  const master = new Master({ file: app.settings.master_key_file })
  await app.store.writer.run(async () => {
    for (let i = 0; i < 250; i++)
      await app.secrets.put(app.store.write, 1, placeIn(`s${i}`), `text ${i}`)
  })
  const [old] = sealedBy(app.store)
  const batches: number[] = []
  const done = await rotate(
    app.store,
    master,
    () => 5,
    (n) => batches.push(n),
  )
  assert.deepEqual([done.isNew, done.resealed, batches], [true, 250, [100, 200, 250, 250]])
  assert.notEqual(done.kid, old!.kid)
  assert.deepEqual(sealedBy(app.store), [{ kid: done.kid, rows: 250 }])
  assert.equal(await app.secrets.read(app.store.read, placeIn('s249')), 'text 249')
  await app.store.writer.run(() => app.secrets.put(app.store.write, 6, placeIn('late'), 'x'))
  assert.deepEqual(
    sealedBy(app.store),
    [{ kid: done.kid, rows: 251 }],
    'a running server seals with the new key',
  )
  assert.deepEqual(
    master.keys().map((masterKey) => masterKey.kid),
    [done.kid, old!.kid],
  )
  master.keep(new Set([done.kid]))
  assert.equal(await app.secrets.read(app.store.read, placeIn('s0')), 'text 0')
  await app.store.writer.run(() => app.secrets.drop(app.store.write, placeIn('')))
})

test('keys of the environment are rotated by a new one in front', async () => {
  const { app } = workspace
  const [first, second] = [mintMaster(), mintMaster()]
  const before = new Secrets(new Master({ file: '', env: first }))
  await app.store.writer.run(() => before.put(app.store.write, 1, placeIn('a'), 'x'))
  await assert.rejects(
    rotate(app.store, before.master, () => 1),
    /add a new one before it/,
  )
  const both = new Secrets(new Master({ file: '', env: `${second},${first}` }))
  assert.deepEqual(await rotate(app.store, both.master, () => 1), {
    kid: both.master.present!.kid,
    isNew: false,
    resealed: 1,
  })
  assert.equal(
    await new Secrets(new Master({ file: '', env: second })).read(app.store.read, placeIn('a')),
    'x',
  )
  await app.store.writer.run(() => app.secrets.drop(app.store.write, placeIn('')))
})

test('a rotation that is killed at any point loses nothing, and goes on where it was', {
  timeout: 120_000,
}, async () => {
  const place = await makeWorkspace()
  const { app, dataDir, ann } = place
  const file = app.settings.master_key_file
  const args = ['--data', dataDir, '--master-key-file', file]
  const at = (i: number): SecretLocation => ({
    org_id: ann.actor.org_id,
    table: 'webhooks',
    row_id: `whk_${i}`,
    column: 'secret',
  })
  await app.store.writer.run(async () => {
    for (let i = 0; i < 2000; i++) await app.secrets.put(app.store.write, 1, at(i), `text ${i}`)
  })
  let halves = 0
  const rounds = Number(process.env.ROTATION_ROUNDS ?? 8)
  for (let round = 0; round < rounds; round++) {
    const child = spawn(program, [...leading, 'secrets', 'rotate', ...args], { stdio: 'ignore' })
    const gone = new Promise((go) => child.once('exit', go))
    const begun = Date.now()
    const before = JSON.stringify(sealedBy(app.store))
    while (JSON.stringify(sealedBy(app.store)) === before && Date.now() - begun < 10_000)
      await pause(1)
    await pause((round * 5) % 40)
    child.kill('SIGKILL')
    await gone
    if (sealedBy(app.store).length > 1) halves++
    for (const i of [0, 999, 1999])
      assert.equal(await app.secrets.read(app.store.read, at(i)), `text ${i}`, `round ${round}`)
    assert.equal(rotationProblem(app.store, new Master({ file })), undefined)
  }
  assert.ok(halves > 0, 'no kill came in the middle')
  const ended = await command(['secrets', 'rotate', ...args, '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  assert.equal(sealedBy(app.store).length, 1)
  const rows = await app.store.read.selectFrom('secrets').selectAll().execute()
  const master = new Master({ file })
  assert.equal(rows.length, 2000)
  for (const row of rows)
    assert.equal(
      open(master.present!.key, secretLocation(row), row.value_sealed),
      `text ${row.row_id.slice(4)}`,
    )
  await place.close()
})

test('a server does not start beside sealed rows without their key, nor with the key in its data folder', async () => {
  const { dir, remove } = scratch()
  const file = `${dir}.key`
  const own = ['--data', dir, '--master-key-file', file]
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
    (await command(['secrets', 'status', ...own])).stdout,
    /No master key yet.*\nNothing is sealed\./,
  )
  process.env.WORKSPACE_MASTER_KEY_FILE = file
  const made = await command([
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
  assert.equal(made.code, 0, made.stderr)
  assert.match(
    (await command(['secrets', 'status', ...own])).stdout,
    /^Master key [0-9a-f]{12}, from .*\n.*\n.* 1 +present/,
  )
  const inside = await command([
    'serve',
    '--data',
    dir,
    '--port',
    '0',
    '--master-key-file',
    join(dir, 'master.key'),
  ])
  assert.deepEqual([inside.code, /must not be in the data folder/.test(inside.stderr)], [78, true])
  const without = await command([
    'serve',
    '--data',
    dir,
    '--port',
    '0',
    '--master-key-file',
    `${file}.gone`,
  ])
  assert.deepEqual(
    [without.code, /1 secrets are encrypted, but there is no master key/.test(without.stderr)],
    [78, true],
  )
  writeFileSync(`${file}.gone`, `${mintMaster()}\n`, { mode: 0o600 })
  const wrong = await command([
    'serve',
    '--data',
    dir,
    '--port',
    '0',
    '--master-key-file',
    `${file}.gone`,
  ])
  assert.deepEqual([wrong.code, /Restore the right one/.test(wrong.stderr)], [78, true])
  assert.equal(
    (await command(['secrets', 'status', '--data', dir, '--master-key-file', `${file}.gone`])).code,
    78,
  )
  const server = await serve(dir, '--master-key-file', file)
  assert.equal(await server.end(), 0)
  for (const path of [file, `${file}.gone`]) rmSync(path)
  remove()
})
