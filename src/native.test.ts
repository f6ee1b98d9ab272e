import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { dropUnused, laidAt, layOut, NoAddon, stillThere } from './native.ts'

// Tests the path at which the executable unpacks its native add-ons; test/release.test.ts covers loading them from
// there.

const content = Buffer.from('code')
const path = `${createHash('sha256').update(content).digest('hex')}/some.node`
const posix = {
  skip: process.platform === 'win32' && 'Windows has neither owners nor modes as numbers',
}

function place(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-native-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('an add-on is extracted once, with access for its owner only', posix, (t) => {
  const folder = place(t)
  const file = layOut(join(folder, 'native'), path, content)
  assert.deepEqual(readFileSync(file), content)
  const stats = statSync(file)
  assert.deepEqual(
    [join(folder, 'native'), join(file, '..'), file].map((name) =>
      (statSync(name).mode & 0o777).toString(8),
    ),
    ['700', '700', '500'],
  )
  assert.equal(layOut(join(folder, 'native'), path, content), file)
  assert.equal(statSync(file).ino, stats.ino, 'what is there and whole is not written again')
  assert.deepEqual(readdirSync(join(file, '..')), ['some.node'])
})

test('a modified add-on file is replaced before it is loaded', posix, (t) => {
  const folder = place(t)
  const file = layOut(folder, path, content)
  const spoil: Record<string, () => void> = {
    'other content': () => {
      chmodSync(file, 0o700)
      writeFileSync(file, 'evil')
    },
    'nothing in it': () => {
      chmodSync(file, 0o700)
      writeFileSync(file, '')
    },
    'others may write to it': () => chmodSync(file, 0o722),
    'a link': () => {
      writeFileSync(join(folder, 'evil'), content)
      rmSync(file)
      symlinkSync(join(folder, 'evil'), file)
    },
  }
  for (const [name, work] of Object.entries(spoil)) {
    work()
    assert.deepEqual(readFileSync(layOut(folder, path, content)), content, name)
    assert.equal((statSync(file).mode & 0o777).toString(8), '500', name)
  }
  assert.ok(existsSync(join(folder, 'evil')))
})

test('a folder writable by others is not used, neither itself nor any parent', posix, (t) => {
  const folder = place(t)
  const file = layOut(join(folder, 'cache', 'native'), path, content)
  for (const [open, mode] of [
    [join(file, '..'), 0o770],
    [join(folder, 'cache'), 0o777],
  ] as const) {
    chmodSync(open, mode)
    assert.throws(
      () => layOut(join(folder, 'cache', 'native'), path, content),
      new Error(`${open} can be changed by others.`),
    )
    chmodSync(open, 0o700)
  }
  const shared = join(folder, 'shared')
  mkdirSync(shared)
  chmodSync(shared, 0o1777) // as /tmp is
  assert.ok(layOut(join(shared, 'own'), path, content).startsWith(shared))
})

test('a folder owned by another user is not used', {
  skip: process.geteuid?.() !== 0 && 'only root can make one',
}, (t) => {
  const folder = place(t)
  layOut(join(folder, 'native'), path, content)
  chownSync(join(folder, 'native'), 12345, 12345)
  assert.throws(
    () => layOut(join(folder, 'native'), path, content),
    /native can be changed by others/,
  )
  const team = join(folder, 'team')
  mkdirSync(team)
  chmodSync(team, 0o770)
  assert.ok(layOut(join(team, 'native'), path, content), 'the own group')
  chownSync(team, 0, 12345)
  assert.throws(() => layOut(join(team, 'native'), path, content), /team can be changed by others/)
  const home = join(folder, 'home')
  mkdirSync(home)
  chownSync(home, 12345, 12345)
  assert.throws(
    () => layOut(join(home, '.cache', 'native'), path, content),
    /home can be changed by others/,
  )
  assert.deepEqual(readdirSync(home), [], 'nothing was made there')
})

test('only add-ons unused for 30 days are removed', posix, (t) => {
  const folder = place(t)
  const nameOf = (text: string) => createHash('sha256').update(text).digest('hex')
  const now = Date.now()
  const aged = (name: string, days: number) => {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'some.node'), name, { mode: 0o500 })
    utimesSync(join(folder, name), now / 1000, now / 1000 - days * 86_400)
  }
  aged(nameOf('old'), 31)
  aged(nameOf('recent'), 29)
  aged('of somebody', 400)
  dropUnused(folder, now)
  assert.deepEqual(readdirSync(folder).sort(), [nameOf('recent'), 'of somebody'].sort())
})

test('a thread loads the same file as the first one, or fails', (t) => {
  const folder = place(t)
  const file = layOut(folder, path, content)
  const laid = laidAt(file)
  assert.equal(stillThere(laid), file)
  writeFileSync(`${file}.2`, content)
  renameSync(`${file}.2`, file)
  assert.throws(() => stillThere(laid), NoAddon)
  rmSync(file)
  assert.throws(() => stillThere(laid), /Start it again/)
})
