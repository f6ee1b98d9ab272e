// Hashing of secrets and passwords, let through a few at a time: argon2 is made to be expensive, so a client that sends many wrong
// keys must not be able to make it do much work. It also runs on libuv's four threads, which files and name lookups need too.

import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '../kernel/refusal.ts'

const AT_ONCE = 2
const WAITING = 32
// The second choice of OWASP's password storage cheat sheet: 19 MiB, two passes, one lane; argon2id is the library's default.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Too much hashing is asked for at once: the caller is to try again in a second. */
export class Busy extends Refusal {
  constructor() {
    super('unavailable', 'Too many keys and passwords are being checked at once.', {
      hint: 'Try again in a second.',
      retry_after_seconds: 1,
    })
  }
}

/**
 * Lets `atOnce` pieces of work run and `waiting` more wait their turn, first come first served; the rest get `Busy`
 * without a wait.
 */
export function gate(
  maxRunning: number,
  waiting: number,
): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running < maxRunning) running++
    else if (queue.length < waiting) await new Promise<void>((admit) => queue.push(admit))
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

const bounded = gate(AT_ONCE, WAITING)

/** The PHC string to store for a key's secret or a password. Throws `Busy`. */
export function hashSecret(secret: string): Promise<string> {
  return bounded(() => hash(secret, COST))
}

/** Whether this is the secret that `phc` was made from; compared in constant time. Throws `Busy`, and an Error if `phc` is not one. */
export function verifySecret(phc: string, secret: string): Promise<boolean> {
  return bounded(() => verify(phc, secret))
}

/** People's passwords go through the same gate, at the same cost. */
export { hashSecret as hashPassword, verifySecret as verifyPassword }

// The hash of 32 random bytes that were not kept.
const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$fJX1UBL06b7W4x4LlDVYhA$5lQshMY/9r5qX1CxsxbEYL9I6PEaOCMikE6irDV/URM'

/** Costs what a verification costs, so that an unknown account takes no less time than a wrong password. Throws `Busy`. */
export async function spendVerify(): Promise<void> {
  await verifySecret(NOBODYS, '')
}
