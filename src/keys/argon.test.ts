import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  Busy,
  concurrencyLimit,
  hashPassword,
  hashSecret,
  verifyUnknown,
  verifyPassword,
  verifySecret,
} from './argon.ts'

/** Work that ends on demand, with a count of concurrent runs. */
function workbench() {
  const ends: ((failure?: Error) => void)[] = []
  const started: number[] = []
  const work = (id: number) => () =>
    new Promise<number>((resolve, reject) => {
      started.push(id)
      ends.push((failure) => (failure ? reject(failure) : resolve(id)))
    })
  const flush = () => new Promise<void>((resolve) => setImmediate(resolve))
  return { started, ends, work, settle: flush }
}

test('a hash is argon2id at the agreed cost and differs for the same secret', async () => {
  const [firstHash, secondHash] = await Promise.all([
    hashSecret('correct horse'),
    hashSecret('correct horse'),
  ])
  assert.match(firstHash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.notEqual(firstHash, secondHash)
})

test('a secret is verified against its own hash only', async () => {
  const phc = await hashSecret('correct horse')
  assert.equal(await verifySecret(phc, 'correct horse'), true)
  assert.equal(await verifySecret(phc, 'correct hors'), false)
  assert.equal(await verifySecret(phc, ''), false)
})

test('a password outside ASCII is verified', async () => {
  const phc = await hashPassword('пароль-パスワード-🔑')
  assert.equal(await verifyPassword(phc, 'пароль-パスワード-🔑'), true)
  assert.equal(await verifyPassword(phc, 'пароль-パスワード-🗝'), false)
})

test('an invalid hash is an error, not a mismatch', async () => {
  await assert.rejects(verifySecret('correct horse', 'correct horse'))
})

test('the allowed number run at once, the others start in order as slots become free', async () => {
  const { started, ends, work, settle } = workbench()
  const limited = concurrencyLimit(2, 3)
  const all = [1, 2, 3, 4, 5].map((id) => limited(work(id)))
  await settle()
  assert.deepEqual(started, [1, 2])
  ends[1]?.()
  await settle()
  assert.deepEqual(started, [1, 2, 3])
  ends[0]?.()
  ends[2]?.()
  await settle()
  assert.deepEqual(started, [1, 2, 3, 4, 5])
  for (const end of ends) end()
  assert.deepEqual(await Promise.all(all), [1, 2, 3, 4, 5])
})

test('a caller is refused at once when the queue is full, and admitted when there is room', async () => {
  const { started, ends, work, settle } = workbench()
  const bounded = concurrencyLimit(1, 1)
  const first = bounded(work(1))
  const second = bounded(work(2))
  await assert.rejects(bounded(work(3)), Busy)
  ends[0]?.()
  await first
  await settle()
  const fourth = bounded(work(4))
  ends[1]?.()
  await second
  await settle()
  ends[2]?.()
  await fourth
  assert.deepEqual(started, [1, 2, 4])
})

test('failed work frees its slot', async () => {
  const { ends, work, settle } = workbench()
  const bounded = concurrencyLimit(1, 0)
  const failing = bounded(work(1))
  ends[0]?.(new Error('broken'))
  await assert.rejects(failing, /broken/)
  const next = bounded(work(2))
  await settle()
  ends[1]?.()
  assert.equal(await next, 2)
})

test('in a burst of verifications two run, 32 wait and the rest are told to retry', async () => {
  const phc = await hashSecret('correct horse')
  const burst = await Promise.allSettled(
    Array.from({ length: 50 }, () => verifySecret(phc, 'wrong')),
  )
  const refused = burst.filter((item) => item.status === 'rejected')
  assert.equal(burst.length - refused.length, 34)
  for (const { reason } of refused)
    assert.ok(reason instanceof Busy && reason.more.retry_after_seconds === 1)
  assert.equal(await verifySecret(phc, 'correct horse'), true)
})

test('hashing, verification and verification for unknown accounts share one queue', async () => {
  const phc = await hashSecret('correct horse')
  const kinds = [() => hashSecret('x'), () => verifySecret(phc, 'x'), () => verifyUnknown()]
  const burst = await Promise.allSettled(Array.from({ length: 36 }, (_, n) => kinds[n % 3]?.()))
  assert.equal(burst.filter((item) => item.status === 'rejected').length, 2)
})

test('an unknown account costs about as much as a wrong password', async () => {
  const phc = await hashSecret('correct horse')
  const durationOf = async (work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  let wrong = Infinity
  let unknown = Infinity
  for (let n = 0; n < 15; n++) {
    wrong = Math.min(wrong, await durationOf(() => verifySecret(phc, 'wrong')))
    unknown = Math.min(unknown, await durationOf(verifyUnknown))
  }
  // Wide margins for busy machines: omitting the work, or a cheaper hash, would be off by far more.
  assert.ok(unknown > wrong / 4 && unknown < wrong * 4, `${unknown} ms against ${wrong} ms`)
})
