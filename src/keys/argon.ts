// Hashing of secrets and passwords with limited concurrency: argon2 is expensive by design, so a client sending many
// wrong keys must not cause much work. It also shares libuv's four threads with files and name lookups.

import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '../kernel/refusal.ts'

const MAX_RUNNING = 2
const MAX_WAITING = 32
// The second choice of OWASP's password storage cheat sheet: 19 MiB, two passes, one lane; argon2id is the library's default.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Too much hashing at once: the caller should retry in a second. */
export class Busy extends Refusal {
  constructor() {
    super('unavailable', 'Too many keys and passwords are being checked at once.', {
      hint: 'Try again in a second.',
      retry_after_seconds: 1,
    })
  }
}

/** Runs `maxRunning` pieces of work, queues `maxWaiting` more in order, and rejects the rest with `Busy` at once. */
export function concurrencyLimit(
  maxRunning: number,
  maxWaiting: number,
): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running < maxRunning) running++
    else if (queue.length < maxWaiting) await new Promise<void>((admit) => queue.push(admit))
    else throw new Busy()
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next)
        next() // takes over this place, so that no newcomer can slip in before it
      else running--
    }
  }
}

const limited = concurrencyLimit(MAX_RUNNING, MAX_WAITING)

/** The PHC string to store for a key's secret or a password. Throws `Busy`. */
export function hashSecret(secret: string): Promise<string> {
  return limited(() => hash(secret, COST))
}

/**
 * Whether `phc` was made from this secret; compared in constant time. Throws `Busy`, and an Error if `phc` is
 * invalid.
 */
export function verifySecret(phc: string, secret: string): Promise<boolean> {
  return limited(() => verify(phc, secret))
}

/** People's passwords share the same gate and cost. */
export { hashSecret as hashPassword, verifySecret as verifyPassword }

// The hash of 32 discarded random bytes.
const UNUSED_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$fJX1UBL06b7W4x4LlDVYhA$5lQshMY/9r5qX1CxsxbEYL9I6PEaOCMikE6irDV/URM'

/** Takes as long as a verification, so that an unknown account is not faster than a wrong password. Throws `Busy`. */
export async function verifyUnknown(): Promise<void> {
  await verifySecret(UNUSED_HASH, '')
}
