// Sends writes until the server has answered. Writes of one item are sent in sequence; after a failure all wait, and
// are then sent in the order in which they were made.

import { ApiError } from '../../api/problem.ts'
import {
  dependenciesOf,
  createdRowIn,
  rememberCreatedId,
  temporaryIdOf,
  withCreatedRow,
} from './made-rows.ts'
import { deleteWrite, storeWrite } from './outbox.ts'
import { removeWrite, laneOf, applyWrite, type PendingWrite } from './pending-writes.ts'
import { isTemporary, neverCreated, sendOnce, type WriteOutcome } from './sending.ts'
import { tryWithLock } from '../stream/tabs.ts'

/** A finished write, as it was sent. */
export interface FinishedWrite {
  pending: PendingWrite
  outcome: WriteOutcome
}

interface Entry {
  pending: PendingWrite
  persisted: Promise<void>
  readonly settle: (write: FinishedWrite) => void
  readonly settled: Promise<FinishedWrite>
  /** Resolves once it is settled and removed from disk. */
  readonly deleted: PromiseWithResolvers<void>
  attempts: number
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
let activeResumes = 0

export function outboxState(): Outbox {
  return outbox
}

export function onOutbox(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Sends a write. Resolves when it is settled, which may take until the connection is restored. */
export async function enqueue(write: PendingWrite): Promise<FinishedWrite> {
  const temporaryIds = [...entries.values()].flatMap(({ pending }) => temporaryIdOf(pending) ?? [])
  const pending = { ...write, follows: dependenciesOf(write, new Set(temporaryIds)) }
  const stored = storeWrite(pending)
  const { settled, deleted } = queueWrite(pending, stored, 0)
  updateOutboxCount()
  void tryWithLock(lockOf(pending.id), () => deleted.promise)
  void stored.then(pump)
  return settled
}

const lockOf = (id: string) => `write ${id}`

function queueWrite(pending: PendingWrite, persisted: Promise<void>, attempts: number): Entry {
  const { promise: settled, resolve: settle } = Promise.withResolvers<FinishedWrite>()
  const deleted = Promise.withResolvers<void>()
  const entry = { pending, persisted, settle, settled, deleted, attempts, isSending: false }
  entries.set(pending.id, entry)
  return entry
}

interface ResumeListener {
  onAccepted: (pending: PendingWrite) => void
  onFinished: (write: FinishedWrite) => void
}

/**
 * Sends writes left by closed tabs, in order; skips those that another tab is sending. Returns the name that this tab
 * holds until the first of them is settled, or the tab is closed; undefined if there were none.
 */
export async function resumeWrites(
  writes: readonly PendingWrite[],
  listener: ResumeListener,
): Promise<string | undefined> {
  let resumedCount = 0
  let blockingWrite: PendingWrite | undefined
  activeResumes++ // nothing is sent until dependent writes are queued, too
  for (const pending of writes) {
    if (entries.has(pending.id)) continue
    if (!dependsOnOtherTab(pending, writes) && (await resume(pending, listener))) resumedCount++
    else blockingWrite ??= pending
  }
  activeResumes--
  if (resumedCount > 0) {
    updateOutboxCount()
    setWaiting(true) // sends them one by one, in their order
    retryQueue()
  } else pump()
  return blockingWrite && lockOf(blockingWrite.id)
}

/** True if the write that it follows belongs to another tab, which will send it the ids. */
function dependsOnOtherTab(
  { follows = [] }: PendingWrite,
  writes: readonly PendingWrite[],
): boolean {
  return writes.some((write) => {
    const temporaryId = temporaryIdOf(write)
    return temporaryId !== undefined && follows.includes(temporaryId) && !entries.has(write.id)
  })
}

function resume(pending: PendingWrite, listener: ResumeListener): Promise<boolean> {
  return new Promise((resolve) => {
    const hold = async () => {
      const { settled, deleted } = queueWrite(pending, Promise.resolve(), 1)
      listener.onAccepted(pending)
      resolve(true)
      listener.onFinished(await settled)
      await deleted.promise
    }
    void tryWithLock(lockOf(pending.id), hold).then(resolve)
  })
}

/** Resolves once the newest write and its group were answered, if they are being sent and the connection works. */
export async function waitForNewest(): Promise<void> {
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
  const newestGroup = newestEntries()
  if (newestGroup.some((entry) => entry.attempts > 0)) return undefined
  for (const entry of newestGroup) finishEntry(entry, { state: 'withdrawn' })
  return newestGroup[0]?.pending
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
  if (timer !== undefined || activeResumes > 0) return
  const waiting = [...entries.values()].sort((a, b) => a.pending.order - b.pending.order)
  const temporaryIds = new Set(waiting.map(({ pending }) => temporaryIdOf(pending)))
  const isReady = ({ pending }: Entry) => !pending.follows?.some((id) => temporaryIds.has(id))
  if (outbox.isWaiting) {
    const firstReady = waiting.find(isReady)
    if (firstReady && !waiting.some((entry) => entry.isSending)) void attempt(firstReady)
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
  entry.attempts++
  try {
    const isOrphaned = (entry.pending.follows ?? []).length > 0
    const outcome = isOrphaned ? neverCreated : await sendOnce(entry.pending)
    failures = 0
    finishEntry(entry, outcome)
  } catch (error) {
    entry.isSending = false
    if (!(error instanceof ApiError)) throw error
    if (!isTemporary(error)) return finishEntry(entry, { state: 'refused', error })
    const delayMs = retryDelaysMs[Math.min(failures++, retryDelaysMs.length - 1)] ?? 60_000
    setWaiting(true)
    timer ??= setTimeout(retryQueue, Math.max(delayMs, (error.retryAfter ?? 0) * 1000))
  }
}

function finishEntry(entry: Entry, outcome: WriteOutcome): void {
  const { pending, persisted } = entry
  entries.delete(pending.id)
  if (outcome.state === 'done') rememberCreatedId(pending, createdRowIn(outcome.answer?.value))
  const releases = dependentsOf(pending).map((dependent) => release(dependent, pending, outcome))
  if (entries.size === 0) setWaiting(false)
  entry.deleted.resolve(Promise.all([persisted, ...releases]).then(() => deleteWrite(pending.id)))
  updateOutboxCount()
  entry.settle({ pending, outcome })
  pump()
}

/** Writes that wait for the row created by a write. */
function dependentsOf(pending: PendingWrite): Entry[] {
  const temporaryId = temporaryIdOf(pending)
  if (temporaryId === undefined) return []
  return [...entries.values()].filter((entry) => entry.pending.follows?.includes(temporaryId))
}

/**
 * Continues a write that depends on another with the created row, and stores it before the first is deleted from
 * disk; if no row was created, it ends in the same way.
 */
async function release(
  dependent: Entry,
  creation: PendingWrite,
  outcome: WriteOutcome,
): Promise<void> {
  if (outcome.state !== 'done') return finishEntry(dependent, outcome)
  const created = createdRowIn(outcome.answer?.value)
  if (!created) return finishEntry(dependent, neverCreated)
  removeWrite(dependent.pending)
  dependent.pending = withCreatedRow(dependent.pending, creation, created)
  applyWrite(dependent.pending)
  dependent.persisted = storeWrite(dependent.pending)
  await dependent.persisted
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
