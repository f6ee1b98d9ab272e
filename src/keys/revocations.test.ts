import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Revocation, readRevocations, recordRevocation } from './revocations.ts'

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'revoked-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

const revocation = (n: number): Revocation => ({
  key_id: `key_${n}`,
  lookup: `lookup${n}`,
  at: 1_790_000_000_000 + n,
})

test('recorded revocations are read back in order', (t) => {
  const folder = emptyFolder(t)
  for (const n of [1, 2, 3]) recordRevocation(folder, revocation(n))
  assert.deepEqual(readRevocations(folder), [1, 2, 3].map(revocation))
})

test('before the first revocation the list is empty', (t) => {
  assert.deepEqual(readRevocations(emptyFolder(t)), [])
})

test('an unreadable list is an error, not an empty list', (t) => {
  const folder = emptyFolder(t)
  mkdirSync(join(folder, 'revoked.log'))
  assert.throws(() => readRevocations(folder), /EISDIR/)
})

test('the file has one JSON line per revocation, readable only by its owner', (t) => {
  const folder = emptyFolder(t)
  recordRevocation(folder, revocation(1))
  recordRevocation(folder, revocation(2))
  const file = join(folder, 'revoked.log')
  assert.deepEqual(
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [revocation(1), revocation(2)],
  )
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('only the three documented fields are written to the file', (t) => {
  const folder = emptyFolder(t)
  recordRevocation(folder, Object.assign(revocation(1), { secret: 'xyzzy' }))
  assert.doesNotMatch(readFileSync(join(folder, 'revoked.log'), 'utf8'), /xyzzy/)
})

test('wherever a crash truncates the last line, earlier lines and the next one added are readable', (t) => {
  const folder = emptyFolder(t)
  const file = join(folder, 'revoked.log')
  recordRevocation(folder, revocation(1))
  const completeSize = statSync(file).size
  const line = JSON.stringify(revocation(2))
  for (let length = 0; length < line.length; length++) {
    truncateSync(file, completeSize)
    appendFileSync(file, line.slice(0, length))
    assert.deepEqual(readRevocations(folder), [revocation(1)])
    recordRevocation(folder, revocation(3))
    assert.deepEqual(readRevocations(folder), [revocation(1), revocation(3)])
  }
})

test('a last line without a line ending is read and kept', (t) => {
  const folder = emptyFolder(t)
  appendFileSync(join(folder, 'revoked.log'), JSON.stringify(revocation(1)))
  recordRevocation(folder, revocation(2))
  assert.deepEqual(readRevocations(folder), [1, 2].map(revocation))
})

test('processes recording concurrently lose nothing', async (t) => {
  const folder = emptyFolder(t)
  const script = `
    import { recordRevocation } from ${JSON.stringify(new URL('./revocations.ts', import.meta.url).href)}
    for (let n = 0; n < 50; n++) recordRevocation(${JSON.stringify(folder)}, { key_id: process.pid + '-' + n, lookup: 'x', at: n })`
  const processes = [1, 2, 3].map(() =>
    spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' }),
  )
  const codes = await Promise.all(
    processes.map(async (childProcess) => (await once(childProcess, 'exit'))[0]),
  )
  assert.deepEqual(codes, [0, 0, 0])
  assert.equal(new Set(readRevocations(folder).map(({ key_id }) => key_id)).size, 150)
})
