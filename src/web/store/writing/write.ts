// Own changes: shown immediately, sent until the server has answered, and reverted if it refuses.

import type { CallResponse, Input, OperationName, Output } from '../../api/client.ts'
import { ApiError } from '../../api/problem.ts'
import { t } from '../../texts/index.ts'
import {
  removeWrite,
  isOutbound,
  newPendingWrite,
  applyWrite,
  type PendingWrite,
} from './pending-writes.ts'
import { withServerIds } from './made-rows.ts'
import { expectEcho, scheduleReload, storeRows } from '../row-sync.ts'
import { notify } from './notices.ts'
import { storedWrites } from './outbox.ts'
import { waitForLock } from '../stream/tabs.ts'
import { readRows } from '../row-reads.ts'
import { table } from '../rows.ts'
import { clearQueue, enqueue, resumeWrites, retryQueue, type FinishedWrite } from './write-queue.ts'
import type { WriteOutcome } from './sending.ts'
import type { AnyRow, RowOf, RowChange, RowType } from '../types.ts'
import { pushUndo, undoLast } from './undo.ts'

/** Optimistic changes of a write, and its description. */
export interface WriteOptions {
  /** Changes shown on the screen before the server has answered. */
  rows?: readonly RowChange[]
  /** Description of the change: "Status of WEB-5: Done". */
  text: string
  /** Writes in the same lane are sent in sequence; default: those that change the same rows. */
  lane?: string | undefined
  /** False if undo_api_call does not support it. */
  undo?: boolean
  /**
   * Seconds for the notification with *Undo*; default: 8, and 20 if several rows change. 0: notifies only of
   * failures.
   */
  noticeSeconds?: number
  /** Writes in the same group are undone together. */
  group?: string | undefined
  /** Refusals that the caller handles without a notification. */
  handles?: (error: ApiError) => boolean
  /** Called after it was undone or redone, if no event reports that. */
  onReversed?: () => void
}

/** Outcome of a write. It may be ignored: errors are shown on the screen. */
export type WriteResult<N extends OperationName> =
  | { state: 'done'; value: Output<N> | undefined; callId: string | undefined }
  | { state: 'refused'; error: ApiError }
  | { state: 'conflict'; author: string | undefined }
  | { state: 'withdrawn' }

interface Writer {
  id: string
  title: string
}

let person: Writer | undefined
let hasEnded = false
/** True while waiting for another tab's writes. */
let isWaitingForTab = false
/** The first writer of this page, which can be used while the store is still loading. */
const firstWriter = Promise.withResolvers<Writer>()

/** Starts writing as a person: shows and sends pending writes from disk. Returns a function that stops it. */
export function startWriting(writer: Writer): () => void {
  person = writer
  hasEnded = false
  firstWriter.resolve(writer)
  const controller = new AbortController()
  const resume = () => {
    if (document.hidden) return
    retryQueue()
    void resumeStored()
  }
  void resumeStored()
  window.addEventListener('online', resume, { signal: controller.signal })
  document.addEventListener('visibilitychange', resume, { signal: controller.signal })
  window.addEventListener('focus', resume, { signal: controller.signal })
  return () => {
    controller.abort()
    person = undefined
    hasEnded = true
    clearQueue()
  }
}

/**
 * Changes something with an operation. The rows are shown by the time this returns its promise, which resolves once
 * the server has answered and never rejects. Offline, operations that send something outside are refused.
 */
export async function write<N extends OperationName>(
  operation: N,
  input: Input<N>,
  { rows = [], text, lane, undo = true, noticeSeconds, group, handles, onReversed }: WriteOptions,
): Promise<WriteResult<N>> {
  if (hasEnded) throw new Error('No one is signed in.')
  const writer = person ?? (await firstWriter.promise)
  if (isOutbound(operation) && !navigator.onLine) return refuseOffline(text)
  const change = { operation, ...withServerIds({ input, changes: rows }) }
  const pending = newPendingWrite({
    ...change,
    person: writer.id,
    text,
    canUndo: undo,
    lane,
    group,
  })
  applyWrite(pending)
  const finished = await enqueue(pending)
  const seconds = noticeSeconds ?? (rows.length > 1 ? 20 : 8)
  return finishWrite<N>(finished.pending, finished.outcome, {
    noticeSeconds: seconds,
    handles,
    onReversed,
  })
}

/** Sends writes left by closed tabs: now, and whenever a tab closes that was sending some of them. */
async function resumeStored(): Promise<void> {
  if (!person) return
  const onFinished = ({ pending, outcome }: FinishedWrite) =>
    void finishWrite(pending, outcome, { noticeSeconds: 0 })
  const lockName = await resumeWrites(await storedWrites(person.id), {
    onAccepted: applyWrite,
    onFinished,
  })
  if (lockName === undefined || isWaitingForTab) return
  isWaitingForTab = true
  await waitForLock(lockName)
  isWaitingForTab = false
  await resumeStored()
}

interface FinishOptions {
  noticeSeconds: number
  handles?: WriteOptions['handles'] | undefined
  onReversed?: WriteOptions['onReversed'] | undefined
}

async function finishWrite<N extends OperationName>(
  pending: PendingWrite,
  outcome: WriteOutcome,
  { noticeSeconds, handles, onReversed }: FinishOptions,
): Promise<WriteResult<N>> {
  if (outcome.state !== 'done') {
    revertWrite(pending)
    if (outcome.state === 'refused' && !handles?.(outcome.error))
      notifyRefused(pending, outcome.error)
    if (outcome.state === 'conflict') notifyConflict(pending, outcome.author)
    return outcome
  }
  const { answer } = outcome
  // before the rows are reloaded, so that an immediate undo finds this write
  if (answer && pending.canUndo)
    pushUndo({ callId: answer.callId, text: pending.text, group: pending.group, onReversed })
  await confirm(pending, answer)
  if (answer && noticeSeconds > 0)
    notify({
      text: pending.text,
      seconds: noticeSeconds,
      actions: pending.canUndo
        ? [{ label: t.app.sync.undo, run: () => void undoLast(answer.callId) }]
        : [],
    })
  return { state: 'done', value: answer?.value as Output<N> | undefined, callId: answer?.callId }
}

/** Replaces the displayed state with the server's. */
async function confirm(
  pending: PendingWrite,
  answer: CallResponse<unknown> | undefined,
): Promise<void> {
  const rowsByType = answer ? rowsIn(pending, answer) : new Map<RowType, AnyRow[]>()
  for (const rows of rowsByType.values())
    for (const row of rows) if (answer?.callId) expectEcho(answer.callId, row.id)
  const missingChanges = pending.changes.filter(
    (change) =>
      !('add' in change) && !rowsByType.get(change.type)?.some((row) => row.id === change.id),
  )
  for (const [type, changes] of Map.groupBy(missingChanges, (change) => change.type)) {
    const ids = [...new Set(changes.map((change) => change.id))]
    try {
      const { rows, removedIds, stamp } = await readRows(type, ids)
      rowsByType.set(type, [...(rowsByType.get(type) ?? []), ...rows])
      table(type).remove(removedIds, { stamp })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      scheduleReload(type, ids)
    }
  }
  const types = new Set([...rowsByType.keys(), ...pending.changes.map((change) => change.type)])
  for (const type of types)
    table(type).batch(() => {
      storeRows(type, (rowsByType.get(type) ?? []) as RowOf<RowType>[])
      table(type).drop(pending.id)
    })
}

/** Rows in an answer that the write changed or added. */
function rowsIn(
  { changes }: PendingWrite,
  { value, callId }: CallResponse<unknown>,
): Map<RowType, AnyRow[]> {
  const { items } = (value ?? {}) as { items?: unknown }
  const rows = (Array.isArray(items) ? items : [value]).filter(isRow)
  const rowsByType = new Map<RowType, AnyRow[]>()
  for (const row of rows) {
    const change =
      changes.find((item) => item.id === row.id) ?? changes.find((item) => 'add' in item)
    if (!change) continue
    const last_change = {
      at: row.updated_at,
      actor: person,
      via: 'web',
      ...(callId ? { call_id: callId } : {}),
    }
    rowsByType.set(change.type, [
      ...(rowsByType.get(change.type) ?? []),
      { ...row, last_change } as AnyRow,
    ])
  }
  return rowsByType
}

function isRow(value: unknown): value is AnyRow {
  return typeof value === 'object' && value !== null && 'id' in value && 'revision' in value
}

function revertWrite(pending: PendingWrite): void {
  removeWrite(pending)
  for (const { type, id } of pending.changes) if (table(type).has(id)) scheduleReload(type, [id])
}

/** Repeats it as a new write. */
function repeatWrite({
  operation,
  input,
  changes,
  text,
  canUndo,
  lane,
  group,
}: PendingWrite): void {
  void write(operation, input, { rows: changes, text, undo: canUndo, lane, group })
}

function notifyRefused(pending: PendingWrite, error: ApiError): void {
  notify({
    text: pending.text,
    problem: error.message,
    seconds: 0,
    actions: pending.follows?.length
      ? []
      : [{ label: t.app.retry, run: () => repeatWrite(pending) }],
  })
}

function notifyConflict(pending: PendingWrite, author: string | undefined): void {
  notify({
    text: pending.text,
    problem: t.app.sync.conflict(author),
    seconds: 0,
    actions: [{ label: t.app.sync.mine, run: () => repeatWrite(pending) }],
  })
}

function refuseOffline(text: string): WriteResult<never> {
  const error = new ApiError(0, { code: 'offline', message: t.app.sync.outbound })
  notify({ text, problem: error.message, seconds: 0, actions: [] })
  return { state: 'refused', error }
}
