// Sends writes until the server has answered. Those of one item go one after the other; after a failure all wait, and then go
// in the order in which they were done.

import { answerOf, type CallResponse } from '../../api/client.ts'
import { ApiError } from '../../api/problem.ts'
import { t } from '../../texts/index.ts'
import { maxWriteAgeMs, needsLook, compareRows, type PendingWrite } from './pending-writes.ts'
import { deleteWrite, storeWrite } from './outbox.ts'
import { readRowsNow } from '../row-reads.ts'
import { ifFree } from '../stream/tabs.ts'

/** How a write ended. */
export type WriteOutcome =
  | { state: 'done'; answer: CallResponse<unknown> | undefined }
  | { state: 'refused'; error: ApiError }
  /** Someone else changed the same fields meanwhile: nothing was sent. */
  | { state: 'conflict' }
  /** Taken back before it was sent. */
  | { state: 'withdrawn' }

interface Entry {
  readonly pending: PendingWrite
  readonly kept: Promise<void>
  readonly settle: (how: WriteOutcome) => void
  readonly settled: Promise<WriteOutcome>
  tries: number
  isSending: boolean
}

/** How writes stand that are not settled. */
export interface Outbox {
  /** How many there are. */
  readonly count: number
  /** Whether they wait for the connection, or for someone to sign in again. */
  readonly isWaiting: boolean
}

const retryDelaysMs = [1000, 2000, 5000, 15_000, 30_000, 60_000]

const entries = new Map<string, Entry>()
const listeners = new Set<() => void>()
let outbox: Outbox = { count: 0, isWaiting: false }
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined

export function outboxState(): Outbox {
  return outbox
}

export function onOutbox(heard: () => void): () => void {
  listeners.add(heard)
  return () => void listeners.delete(heard)
}

/** Sends a write. Resolves when it is settled, which may take until the connection is back. */
export async function enqueue(pending: PendingWrite): Promise<WriteOutcome> {
  const { promise, resolve } = Promise.withResolvers<WriteOutcome>()
  const kept = storeWrite(pending)
  entries.set(pending.id, {
    pending,
    kept,
    settle: resolve,
    settled: promise,
    tries: 0,
    isSending: false,
  })
  changed()
  void ifFree(`write ${pending.id}`, async () => void (await promise))
  void kept.then(pump)
  return promise
}

/** Sends writes that closed tabs left behind, in their order; those that another tab is at are left to it. */
export async function resumeWrites(
  writes: readonly PendingWrite[],
  on: {
    taken: (pending: PendingWrite) => void
    settled: (pending: PendingWrite, how: WriteOutcome) => void
  },
): Promise<void> {
  const free = writes.filter((pending) => !entries.has(pending.id))
  const taken = await Promise.all(
    free.map(
      (pending) =>
        new Promise<boolean>((resolve) => {
          const hold = async () => {
            const { promise, resolve: settle } = Promise.withResolvers<WriteOutcome>()
            entries.set(pending.id, {
              pending,
              kept: Promise.resolve(),
              settle,
              settled: promise,
              tries: 1,
              isSending: false,
            })
            on.taken(pending)
            resolve(true)
            on.settled(pending, await promise)
          }
          void ifFree(`write ${pending.id}`, hold).then(resolve)
        }),
    ),
  )
  if (!taken.includes(true)) return
  changed()
  setWaiting(true) // one after the other, as they were done
  retryQueue()
}

/** Resolves once the newest write, with those of its group, has been answered, where it is on its way and the connection is there. */
export async function newestAnswered(): Promise<void> {
  if (outbox.isWaiting) return
  await Promise.all(newestEntries().map((entry) => entry.settled))
}

/** The newest write, with those of its group. */
function newestEntries(): Entry[] {
  const [newest] = [...entries.values()].sort((a, b) => b.pending.order - a.pending.order)
  if (!newest) return []
  const { group } = newest.pending
  if (group === undefined) return [newest]
  return [...entries.values()].filter((entry) => entry.pending.group === group)
}

/**
 * Takes the newest write back, with those of its group, if no try was made for any of them; undefined where everything may
 * have reached the server.
 */
export function withdrawNewest(): PendingWrite | undefined {
  const together = newestEntries()
  if (together.some((entry) => entry.tries > 0)) return undefined
  for (const entry of together) end(entry, { state: 'withdrawn' })
  return together[0]?.pending
}

/** Tries at once what waits: the connection is back, or someone came back to the tab. */
export function retryQueue(): void {
  clearTimeout(timer)
  timer = undefined
  pump()
}

/** Forgets what waits in memory; what is on the disk stays. */
export function clearQueue(): void {
  clearTimeout(timer)
  timer = undefined
  failures = 0
  entries.clear()
  changed()
}

function pump(): void {
  if (timer !== undefined) return
  const waiting = [...entries.values()].sort((a, b) => a.pending.order - b.pending.order)
  if (outbox.isWaiting) {
    const [first] = waiting
    if (first && !waiting.some((entry) => entry.isSending)) void attempt(first)
    return
  }
  const lanes = new Set<string>()
  for (const entry of waiting) {
    const lane = laneOf(entry.pending)
    if (!entry.isSending && !lanes.has(lane)) void attempt(entry)
    lanes.add(lane)
  }
}

/** What has to go one after the other: the changes of one item, and all that are made of nothing. */
function laneOf({ changes, operation, lane }: PendingWrite): string {
  return (
    lane ??
    (changes
      .map((change) => change.id)
      .sort()
      .join() ||
      operation)
  )
}

async function attempt(entry: Entry): Promise<void> {
  entry.isSending = true
  await entry.kept
  entry.tries++
  try {
    const settled = await tryToSend(entry.pending)
    failures = 0
    end(entry, settled)
  } catch (error) {
    entry.isSending = false
    if (!(error instanceof ApiError)) throw error
    if (!isPassing(error)) return end(entry, { state: 'refused', error })
    const delay = retryDelaysMs[Math.min(failures++, retryDelaysMs.length - 1)] ?? 60_000
    setWaiting(true)
    timer ??= setTimeout(retryQueue, Math.max(delay, (error.retryAfter ?? 0) * 1000))
  }
}

async function tryToSend(pending: PendingWrite): Promise<WriteOutcome> {
  if (Date.now() - pending.at > maxWriteAgeMs)
    return {
      state: 'refused',
      error: new ApiError(0, { code: 'too_old', message: t.app.sync.tooOld }),
    }
  if (needsLook(pending)) {
    const standing = compareRows(pending, await readRowsNow(pending.changes))
    if (standing === 'done') return { state: 'done', answer: undefined }
    if (standing === 'changed') return { state: 'conflict' }
  }
  return {
    state: 'done',
    answer: await answerOf(pending.operation, pending.input, { idempotencyKey: pending.id }),
  }
}

/** Whether the same request may succeed later: no connection, a server that is busy, a session that ended. */
function isPassing({ status, code }: ApiError): boolean {
  return status === 0 || status >= 500 || status === 401 || code === 'rate_limited'
}

function end(entry: Entry, how: WriteOutcome): void {
  const { pending, kept } = entry
  entries.delete(pending.id)
  if (entries.size === 0) setWaiting(false)
  void kept.then(() => deleteWrite(pending.id))
  changed()
  entry.settle(how)
  pump()
}

function setWaiting(isWaiting: boolean): void {
  if (outbox.isWaiting === isWaiting) return
  outbox = { ...outbox, isWaiting }
  for (const heard of [...listeners]) heard()
}

function changed(): void {
  if (outbox.count === entries.size) return
  outbox = { ...outbox, count: entries.size }
  for (const heard of [...listeners]) heard()
}
