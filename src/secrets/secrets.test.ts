import assert from 'node:assert/strict'
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
import type { Refusal } from '../kernel/refusal.ts'
import { makeWorkspace, type TestWorkspace } from '../testing/harness.ts'
import { MasterKeys, mintMaster, MasterKeyUnavailable } from './master.ts'
import { rotationProblem, rotate, countSealedByKey } from './rotate.ts'
import { kidOf, unsealSecret, seal, UnsealError, type SecretLocation } from './seal.ts'
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
const location: SecretLocation = {
  org_id: 'org_a',
  table: 'webhooks',
  row_id: 'whk_1',
  column: 'secret',
}
const locationOf = (column: string): SecretLocation => ({
  org_id: workspace.ann.actor.org_id,
  table: 'webhooks',
  row_id: 'whk_1',
  column,
})

test('an encrypted value decrypts only at its location with its key', () => {
  const sealed = seal(key, location, 'whsec_ä')
  assert.equal(unsealSecret(key, location, sealed), 'whsec_ä')
  assert.notEqual(seal(key, location, 'whsec_ä'), sealed, 'each has a different nonce')
  for (const [name, other] of Object.entries({
    org_id: 'org_b',
    table: 'accounts',
    row_id: 'whk_2',
    column: 'password',
  }))
    assert.throws(
      () => unsealSecret(key, { ...location, [name]: other }, sealed),
      UnsealError,
      name,
    )
  assert.throws(() => unsealSecret(Buffer.alloc(32, 8), location, sealed), UnsealError)
  const bytes = Buffer.from(sealed, 'base64')
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes)
    changed[i]! ^= 1
    assert.throws(
      () => unsealSecret(key, location, changed.toString('base64')),
      UnsealError,
      `byte ${i}`,
    )
  }
  for (const wrong of ['', 'AQ', 'x'.repeat(100)])
    assert.throws(() => unsealSecret(key, location, wrong), UnsealError)
  assert.match(kidOf(key), /^[0-9a-f]{12}$/)
})

test('a key provided by systemd may be readable through an access list, and its file is never written', (t) => {
  const file = join(folder, 'handed.key')
  writeFileSync(file, `${mintMaster()}\n`)
  chmodSync(file, 0o440) // as set by systemd: the group bits are the mask of the access list
  const master = new MasterKeys({ file })
  assert.throws(() => master.keys(), /chmod 600/)
  process.env.CREDENTIALS_DIRECTORY = folder
  t.after(() => delete process.env.CREDENTIALS_DIRECTORY)
  const before = readFileSync(file, 'utf8')
  assert.equal(master.keys().length, 1)
  assert.throws(() => master.add(), {
    message: /LoadCredential.*restart the server, and rotate again/,
  })
  assert.throws(() => master.retainOnly(new Set()), MasterKeyUnavailable)
  assert.equal(readFileSync(file, 'utf8'), before)
})

test('only the first secret creates the master key, readable by its owner only, outside of the data folder', async () => {
  const { app, dataDir } = workspace
  const file = app.settings.master_key_file
  assert.equal(existsSync(file), false)
  await app.store.writer.run(() =>
    app.secrets.put(app.store.write, 1, locationOf('secret'), 'open sesame'),
  )
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(await app.secrets.read(app.store.read, locationOf('secret')), 'open sesame')
  assert.equal(await app.secrets.read(app.store.read, locationOf('other')), undefined)
  await app.store.writer.run(() =>
    app.secrets.put(app.store.write, 2, locationOf('secret'), 'plugh xyzzy'),
  )
  assert.equal(await app.secrets.read(app.store.read, locationOf('secret')), 'plugh xyzzy')
  for (const name of globSync('**/*', { cwd: dataDir, nodir: true } as object)) {
    const text = readFileSync(join(dataDir, name)).toString('latin1')
    for (const secret of [
      'open sesame',
      'plugh xyzzy',
      app.secrets.master.current!.key.toString('base64'),
      app.secrets.master.current!.key.toString('latin1'),
    ])
      assert.ok(!text.includes(secret), name)
  }
  await app.store.writer.run(() => app.secrets.drop(app.store.write, locationOf('')))
  assert.deepEqual(await countSealedByKey(app.store), [])
})

test('if rows are encrypted, a missing, wrong or exposed master key is reported with a fix, and no key is created', async () => {
  const { app } = workspace
  await app.store.writer.run(() => app.secrets.put(app.store.write, 1, locationOf('secret'), 'x'))
  assert.equal(await rotationProblem(app.store, app.secrets.master), undefined)
  const missing = new Secrets(new MasterKeys({ file: join(folder, 'none.key') }))
  assert.match(
    (await rotationProblem(app.store, missing.master))!,
    /1 secret is encrypted, but there is no master key in .*none\.key/,
  )
  await assert.rejects(
    app.store.writer.run(() => missing.put(app.store.write, 1, locationOf('b'), 'x')),
    (error: Refusal) => error.code === 'unavailable' && !/none\.key/.test(error.message),
  )
  assert.equal(existsSync(join(folder, 'none.key')), false)
  const wrong = new Secrets(new MasterKeys({ file: '', env: mintMaster() }))
  assert.match(
    (await rotationProblem(app.store, wrong.master))!,
    /encrypted with the master key [0-9a-f]{12}, and WORKSPACE_MASTER_KEY has/,
  )
  await assert.rejects(
    wrong.read(app.store.read, locationOf('secret')),
    (error: Refusal) => error.code === 'unavailable',
  )
  const readableByAll = join(folder, 'lax.key')
  writeFileSync(readableByAll, readFileSync(app.settings.master_key_file))
  chmodSync(readableByAll, 0o644)
  assert.match(
    (await rotationProblem(app.store, new MasterKeys({ file: readableByAll })))!,
    /chmod 600/,
  )
  for (const [text, why] of [
    ['', /key is missing from/],
    ['c2hvcnQ=\n', /not 32 bytes/],
  ] as const) {
    const file = join(folder, 'bad.key')
    writeFileSync(file, text, { mode: 0o600 })
    assert.match((await rotationProblem(app.store, new MasterKeys({ file })))!, why)
    assert.throws(
      () => new MasterKeys({ file }).keys(),
      (error: Error) => error instanceof MasterKeyUnavailable && why.test(error.message),
    )
  }
  await app.store.writer.run(() => app.secrets.drop(app.store.write, locationOf('')))
})

test('two processes that create the first key at once end up with the same one', () => {
  const file = join(folder, 'both', 'master.key')
  assert.equal(new MasterKeys({ file }).create().kid, new MasterKeys({ file }).create().kid)
  assert.deepEqual(globSync('both/*', { cwd: folder }), ['both/master.key'])
})

test('a rotation reseals everything, and a process with the older keys keeps working', async () => {
  const { app } = workspace
  const master = new MasterKeys({ file: app.settings.master_key_file })
  await app.store.writer.run(async () => {
    for (let i = 0; i < 250; i++)
      await app.secrets.put(app.store.write, 1, locationOf(`s${i}`), `text ${i}`)
  })
  const [old] = await countSealedByKey(app.store)
  const batches: number[] = []
  const done = await rotate(
    app.store,
    master,
    () => 5,
    (n) => batches.push(n),
  )
  assert.deepEqual([done.isNew, done.resealed, batches], [true, 250, [100, 200, 250, 250]])
  assert.notEqual(done.kid, old!.kid)
  assert.deepEqual(await countSealedByKey(app.store), [{ kid: done.kid, rows: 250 }])
  assert.equal(await app.secrets.read(app.store.read, locationOf('s249')), 'text 249')
  await app.store.writer.run(() => app.secrets.put(app.store.write, 6, locationOf('late'), 'x'))
  assert.deepEqual(
    await countSealedByKey(app.store),
    [{ kid: done.kid, rows: 251 }],
    'a running server seals with the new key',
  )
  assert.deepEqual(
    master.keys().map((masterKey) => masterKey.kid),
    [done.kid, old!.kid],
  )
  master.retainOnly(new Set([done.kid]))
  assert.equal(await app.secrets.read(app.store.read, locationOf('s0')), 'text 0')
  await app.store.writer.run(() => app.secrets.drop(app.store.write, locationOf('')))
})

test('keys from the environment are rotated by prepending a new one', async () => {
  const { app } = workspace
  const [first, second] = [mintMaster(), mintMaster()]
  const before = new Secrets(new MasterKeys({ file: '', env: first }))
  await app.store.writer.run(() => before.put(app.store.write, 1, locationOf('a'), 'x'))
  await assert.rejects(
    rotate(app.store, before.master, () => 1),
    /add a new one before it/,
  )
  const both = new Secrets(new MasterKeys({ file: '', env: `${second},${first}` }))
  assert.deepEqual(await rotate(app.store, both.master, () => 1), {
    kid: both.master.current!.kid,
    isNew: false,
    resealed: 1,
  })
  assert.equal(
    await new Secrets(new MasterKeys({ file: '', env: second })).read(
      app.store.read,
      locationOf('a'),
    ),
    'x',
  )
  await app.store.writer.run(() => app.secrets.drop(app.store.write, locationOf('')))
})
