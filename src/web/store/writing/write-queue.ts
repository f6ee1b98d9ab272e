// Sends writes until the server has answered. Writes of one item are sent in sequence; after a failure all wait, and
// are then sent in the order in which they were made.

import { ApiError } from '../../api/problem.ts'
import { followsOf, madeIn, rememberMade, temporaryIdOf, withMadeRow } from './made-rows.ts'
import { deleteWrite, storeWrite } from './outbox.ts'
import { hideWrite, laneOf, applyWrite, type PendingWrite } from './pending-writes.ts'
import { isPassing, neverMade, sendOnce, type WriteOutcome } from './sending.ts'
import { ifFree } from '../stream/tabs.ts'

/** A settled write, as sent. */
export interface SettledWrite {
  pending: PendingWrite
  how: WriteOutcome
}

interface Entry {
  pending: PendingWrite
  persisted: Promise<void>
  readonly settle: (write: SettledWrite) => void
  readonly settled: Promise<SettledWrite>
  /** Resolves once it is settled and removed from disk. */
  readonly deleted: PromiseWithResolvers<void>
  tries: number
  isSending: boolean
}

/** State of the unsettled writes. */
export interface Outbox {
  readonly count: number
  /** True if they wait for the connection, or for a new sign-in. */
  readonly isWaiting: boolean
}

const retryDelaysMs = [1000, 2000, 5000, 15_000, 30_000, 60_000]

const entries = new Map<string, Entry>()
const listeners = new Set<() => void>()
let outbox: Outbox = { count: 0, isWaiting: false }
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined
let resuming = 0

export function outboxState(): Outbox {
  return outbox
}

export function onOutbox(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Sends a write. Resolves when it is settled, which may take until the connection is restored. */
export async function enqueue(write: PendingWrite): Promise<SettledWrite> {
  const temporary = [...entries.values()].flatMap(({ pending }) => temporaryIdOf(pending) ?? [])
  const pending = { ...write, follows: followsOf(write, new Set(temporary)) }
  const stored = storeWrite(pending)
  const { settled, deleted } = queueWrite(pending, stored, 0)
  updateOutboxCount()
  void ifFree(lockOf(pending.id), () => deleted.promise)
  void stored.then(pump)
  return settled
}

const lockOf = (id: string) => `write ${id}`

function queueWrite(pending: PendingWrite, persisted: Promise<void>, tries: number): Entry {
  const { promise: settled, resolve: settle } = Promise.withResolvers<SettledWrite>()
  const deleted = Promise.withResolvers<void>()
  const entry = { pending, persisted, settle, settled, deleted, tries, isSending: false }
  entries.set(pending.id, entry)
  return entry
}

interface ResumeListener {
  onAccepted: (pending: PendingWrite) => void
  settled: (write: SettledWrite) => void
}

/**
 * Sends writes left by closed tabs, in order; skips those that another tab is sending. Returns the name that this tab
 * holds until the first of them is settled, or the tab is closed; undefined if there were none.
 */
export async function resumeWrites(
  writes: readonly PendingWrite[],
  on: ResumeListener,
): Promise<string | undefined> {
  let resumedCount = 0
  let left: PendingWrite | undefined
  resuming++ // nothing is sent until what follows it is here too
  for (const pending of writes) {
    if (entries.has(pending.id)) continue
    if (!isLeftTo(pending, writes) && (await resume(pending, on))) resumedCount++
    else left ??= pending
  }
  resuming--
  if (resumedCount > 0) {
    updateOutboxCount()
    setWaiting(true) // one after the other, as they were done
    retryQueue()
  } else pump()
  return left && lockOf(left.id)
}

/** True if the write that it follows belongs to another tab, which will send it the ids. */
function isLeftTo({ follows = [] }: PendingWrite, writes: readonly PendingWrite[]): boolean {
  return writes.some((write) => {
    const temporary = temporaryIdOf(write)
    return temporary !== undefined && follows.includes(temporary) && !entries.has(write.id)
  })
}

function resume(pending: PendingWrite, on: ResumeListener): Promise<boolean> {
  return new Promise((resolve) => {
    const hold = async () => {
      const { settled, deleted } = queueWrite(pending, Promise.resolve(), 1)
      on.onAccepted(pending)
      resolve(true)
      on.settled(await settled)
      await deleted.promise
    }
    void ifFree(lockOf(pending.id), hold).then(resolve)
  })
}

/** Resolves once the newest write and its group were answered, if they are being sent and the connection works. */
export async function newestAnswered(): Promise<void> {
  if (outbox.isWaiting) return
  await Promise.all(newestEntries().map((entry) => entry.settled))
}

/** The newest write, with its group. */
function newestEntries(): Entry[] {
  const [newest] = [...entries.values()].sort((a, b) => b.pending.order - a.pending.order)
  if (!newest) return []
  const { group } = newest.pending
  if (group === undefined) return [newest]
  return [...entries.values()].filter((entry) => entry.pending.group === group)
}

/**
 * Withdraws the newest write with its group, if none of them was attempted; undefined if they may have reached the
 * server.
 */
export function withdrawNewest(): PendingWrite | undefined {
  const together = newestEntries()
  if (together.some((entry) => entry.tries > 0)) return undefined
  for (const entry of together) settleWrite(entry, { state: 'withdrawn' })
  return together[0]?.pending
}

/** Retries pending writes immediately: the connection is restored, or the person returned to the tab. */
export function retryQueue(): void {
  clearTimeout(timer)
  timer = undefined
  pump()
}

/** Clears pending writes in memory; those on disk stay. */
export function clearQueue(): void {
  clearTimeout(timer)
  timer = undefined
  failures = 0
  entries.clear()
  updateOutboxCount()
}

function pump(): void {
  if (timer !== undefined || resuming > 0) return
  const waiting = [...entries.values()].sort((a, b) => a.pending.order - b.pending.order)
  const temporary = new Set(waiting.map(({ pending }) => temporaryIdOf(pending)))
  const isReady = ({ pending }: Entry) => !pending.follows?.some((id) => temporary.has(id))
  if (outbox.isWaiting) {
    const first = waiting.find(isReady)
    if (first && !waiting.some((entry) => entry.isSending)) void attempt(first)
    return
  }
  const lanes = new Set<string>()
  for (const entry of waiting) {
    const lane = laneOf(entry.pending)
    if (!entry.isSending && !lanes.has(lane) && isReady(entry)) void attempt(entry)
    lanes.add(lane)
  }
}

async function attempt(entry: Entry): Promise<void> {
  entry.isSending = true
  await entry.persisted
  entry.tries++
  try {
    const isLost = (entry.pending.follows ?? []).length > 0
    const settled = isLost ? neverMade : await sendOnce(entry.pending)
    failures = 0
    settleWrite(entry, settled)
  } catch (error) {
    entry.isSending = false
    if (!(error instanceof ApiError)) throw error
    if (!isPassing(error)) return settleWrite(entry, { state: 'refused', error })
    const delay = retryDelaysMs[Math.min(failures++, retryDelaysMs.length - 1)] ?? 60_000
    setWaiting(true)
    timer ??= setTimeout(retryQueue, Math.max(delay, (error.retryAfter ?? 0) * 1000))
  }
}

function settleWrite(entry: Entry, how: WriteOutcome): void {
  const { pending, persisted } = entry
  entries.delete(pending.id)
  if (how.state === 'done') rememberMade(pending, madeIn(how.answer?.value))
  const followed = followersOf(pending).map((follower) => release(follower, pending, how))
  if (entries.size === 0) setWaiting(false)
  entry.deleted.resolve(Promise.all([persisted, ...followed]).then(() => deleteWrite(pending.id)))
  updateOutboxCount()
  entry.settle({ pending, how })
  pump()
}

/** Writes that wait for the row created by a write. */
function followersOf(pending: PendingWrite): Entry[] {
  const temporary = temporaryIdOf(pending)
  if (temporary === undefined) return []
  return [...entries.values()].filter((entry) => entry.pending.follows?.includes(temporary))
}

/**
 * Continues a write that depends on another with the created row, and stores it before the first is deleted from
 * disk; if
 * no row was created, it ends in the same way.
 */
async function release(follower: Entry, first: PendingWrite, how: WriteOutcome): Promise<void> {
  if (how.state !== 'done') return settleWrite(follower, how)
  const created = madeIn(how.answer?.value)
  if (!created) return settleWrite(follower, neverMade)
  hideWrite(follower.pending)
  follower.pending = withMadeRow(follower.pending, first, created)
  applyWrite(follower.pending)
  follower.persisted = storeWrite(follower.pending)
  await follower.persisted
}

function setWaiting(isWaiting: boolean): void {
  if (outbox.isWaiting === isWaiting) return
  outbox = { ...outbox, isWaiting }
  for (const listener of [...listeners]) listener()
}

function updateOutboxCount(): void {
  if (outbox.count === entries.size) return
  outbox = { ...outbox, count: entries.size }
  for (const listener of [...listeners]) listener()
}
