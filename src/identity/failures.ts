import { BoundedMap } from '../kernel/bounded-map.ts'
import type { Clock } from '../kernel/time/clock.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Store } from '../db/open.ts'
import { networkOf } from '../limits/addresses.ts'
import { tokenHash } from './tokens.ts'
import { afterFailure, freeWindowMs, pauseBefore, type FailedAttempts } from './throttle.ts'
import { quantity } from '../kernel/text/quantity.ts'

const maxPerAddress = 30
const maxAddresses = 50_000
const retentionMs = 24 * 3600_000

/**
 * Subject of sign-in attempts: an account, in a browser that its person signed in with before or elsewhere; a passkey
 * in such a browser; or the password of the signed-in person.
 */
export type Subject = string & { readonly '~subject': true }

export const accountSubject = (email: string) => tokenHash(`account\n${email}`) as Subject
export const deviceSubject = (device: string, person: string) =>
  tokenHash(`device\n${device}\n${person}`) as Subject
export const passkeySubject = (passkey: string) => tokenHash(`passkey\n${passkey}`) as Subject
export const sessionSubject = (session: string) => tokenHash(`session\n${session}`) as Subject

/** An attempt that counts as failed until it succeeds. */
export interface Attempt {
  subject: Subject
  before: FailedAttempts | undefined
}

/**
 * Counts an attempt before the password is verified, so that concurrent ones count too and a crash resets none.
 * @throws Refusal rate_limited if it is too early for another one
 */
export async function beginAttempt(store: Store, clock: Clock, subject: Subject): Promise<Attempt> {
  const { pause, before } = await store.writer.run(async () => {
    const now = clock.now()
    const before = await store.write
      .selectFrom('sign_in_failures')
      .select(['failures', 'last_at', 'next_at'])
      .where('subject', '=', subject)
      .executeTakeFirst()
    const pause = pauseBefore(before, now)
    if (pause === 0) await saveFailures(store, subject, afterFailure(before, now))
    return { pause, before }
  })
  if (pause > 0) throw tooManyAttempts(pause)
  return { subject, before }
}

/** Clears the failures after a success; inside a writer job. */
export async function clearFailures(store: Store, { subject }: Attempt): Promise<void> {
  await store.write.deleteFrom('sign_in_failures').where('subject', '=', subject).execute()
}

/** Clears the attempts against an account's previous password; inside a writer job. */
export async function clearAccountFailures(store: Store, email: string): Promise<void> {
  await store.write
    .deleteFrom('sign_in_failures')
    .where('subject', '=', accountSubject(email))
    .execute()
}

/** Withdraws an attempt whose password was not verified. */
export async function withdrawAttempt(store: Store, { subject, before }: Attempt): Promise<void> {
  await store.writer.run(async () => {
    if (before) await saveFailures(store, subject, before)
    else
      await store.write
        .deleteFrom('sign_in_failures')
        .where('subject', '=', subject)
        .where('failures', '=', 1)
        .execute()
  })
}

async function saveFailures(store: Store, subject: Subject, tries: FailedAttempts): Promise<void> {
  await store.write
    .deleteFrom('sign_in_failures')
    .where('last_at', '<', tries.last_at - retentionMs)
    .execute()
  await store.write
    .insertInto('sign_in_failures')
    .values({ subject, ...tries })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet(tries))
    .execute()
}

/** Failed attempts by address, in memory: 30 in 15 minutes. */
export class AddressAttempts {
  readonly #clock: Clock
  readonly #failedAt = new BoundedMap<string, number[]>(maxAddresses)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts an attempt as failed. @returns a function that withdraws it @throws Refusal rate_limited */
  begin(ip: string): () => void {
    const now = this.#clock.monotonic()
    const network = networkOf(ip)
    const recent = (this.#failedAt.get(network) ?? []).filter((at) => now - at < freeWindowMs)
    if (recent.length >= maxPerAddress) throw tooManyAttempts(recent[0]! + freeWindowMs - now)
    recent.push(now)
    this.#failedAt.set(network, recent)
    return () => {
      const failures = this.#failedAt.get(network)
      const i = failures?.indexOf(now) ?? -1
      if (i >= 0) failures!.splice(i, 1)
    }
  }
}

/** The same text for known and unknown accounts. */
function tooManyAttempts(milliseconds: number): Refusal {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000))
  return new Refusal('rate_limited', 'Too many failed attempts.', {
    hint: `Try again in ${waitText(seconds)}.`,
    retry_after_seconds: seconds,
  })
}

function waitText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (seconds < 60) return quantity(seconds, 'second')
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
