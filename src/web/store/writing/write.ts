// Changes of one's own: on the screen at once, sent until the server has answered, taken off where it refuses.

import type { CallResponse, Input, OperationName, Output } from '../../api/client.ts'
import { ApiError } from '../../api/problem.ts'
import { t } from '../../texts/index.ts'
import {
  hideWrite,
  isOutbound,
  newPendingWrite,
  applyWrite,
  type PendingWrite,
} from './pending-writes.ts'
import { withMadeIds } from './made-rows.ts'
import { expectEcho, readAgain, takeRows } from '../row-sync.ts'
import { notify } from './notices.ts'
import { storedWrites } from './outbox.ts'
import { untilFree } from '../stream/tabs.ts'
import { readRows } from '../row-reads.ts'
import { table } from '../rows.ts'
import { clearQueue, enqueue, resumeWrites, retryQueue, type SettledWrite } from './write-queue.ts'
import type { WriteOutcome } from './sending.ts'
import type { AnyRow, RowOf, RowChange, RowType } from '../types.ts'
import { pushUndo, undoLast } from './undo.ts'

/** Optimistic changes of a write, and its description. */
export interface WriteOptions {
  /** Changes shown on the screen before the server has answered. */
  rows?: readonly RowChange[]
  /** Description of the change: "Status of WEB-5: Done". */
  text: string
  /** Writes with the same lane are sent one after the other; default: those that change the same rows. */
  lane?: string | undefined
  /** False where undo_api_call cannot take it back. */
  undo?: boolean
  /** Says it with an *Undo*, for so many seconds; default: 8, and 20 where several rows change. 0: nothing is said unless it fails. */
  noticeSeconds?: number
  /** Writes that have the same are undone together. */
  group?: string | undefined
  /** Refusals that the caller deals with itself: nothing is said of them. */
  handles?: (error: ApiError) => boolean
  /** Shows it once it was undone, or done again, where no event tells that. */
  reversed?: () => void
}

/** Outcome of a write. It may be ignored: errors are shown on the screen. */
export type WriteResult<N extends OperationName> =
  | { state: 'done'; value: Output<N> | undefined; callId: string | undefined }
  | { state: 'refused'; error: ApiError }
  | { state: 'conflict'; by: string | undefined }
  | { state: 'withdrawn' }

interface Writer {
  id: string
  title: string
}

let person: Writer | undefined
let hasEnded = false
/** Whether what another tab is at is waited for. */
let isAwaiting = false
/** The first person of this page. The page can be used while the store is still loading. */
const firstWriter = Promise.withResolvers<Writer>()

/** Begins to write as a person: what waits on the disk from before is shown and sent. Returns what ends it. */
export function startWriting(as: Writer): () => void {
  person = as
  hasEnded = false
  firstWriter.resolve(as)
  const end = new AbortController()
  const again = () => {
    if (document.hidden) return
    retryQueue()
    void resumeStored()
  }
  void resumeStored()
  window.addEventListener('online', again, { signal: end.signal })
  document.addEventListener('visibilitychange', again, { signal: end.signal })
  window.addEventListener('focus', again, { signal: end.signal })
  return () => {
    end.abort()
    person = undefined
    hasEnded = true
    clearQueue()
  }
}

/**
 * Changes something by an operation. The rows are on the screen when this returns its promise, which resolves once the server
 * has answered; it is never rejected. What would leave the workspace is refused while there is no connection.
 */
export async function write<N extends OperationName>(
  operation: N,
  input: Input<N>,
  { rows = [], text, lane, undo = true, noticeSeconds, group, handles, reversed }: WriteOptions,
): Promise<WriteResult<N>> {
  if (hasEnded) throw new Error('No one is signed in.')
  const writer = person ?? (await firstWriter.promise)
  if (isOutbound(operation) && !navigator.onLine) return refusedOffline(text)
  const change = { operation, ...withMadeIds({ input, changes: rows }) }
  const pending = newPendingWrite({
    ...change,
    person: writer.id,
    text,
    canUndo: undo,
    lane,
    group,
  })
  applyWrite(pending)
  const settled = await enqueue(pending)
  const seconds = noticeSeconds ?? (rows.length > 1 ? 20 : 8)
  return finishWrite<N>(settled.pending, settled.how, { noticeSeconds: seconds, handles, reversed })
}

/** Sends what closed tabs left behind: now, and again each time a tab closes that was at some of it. */
async function resumeStored(): Promise<void> {
  if (!person) return
  const settled = ({ pending, how }: SettledWrite) =>
    void finishWrite(pending, how, { noticeSeconds: 0 })
  const blockedBy = await resumeWrites(await storedWrites(person.id), {
    taken: applyWrite,
    settled,
  })
  if (blockedBy === undefined || isAwaiting) return
  isAwaiting = true
  await untilFree(blockedBy)
  isAwaiting = false
  await resumeStored()
}

interface TakeOptions {
  noticeSeconds: number
  handles?: WriteOptions['handles'] | undefined
  reversed?: WriteOptions['reversed'] | undefined
}

async function finishWrite<N extends OperationName>(
  pending: PendingWrite,
  settled: WriteOutcome,
  { noticeSeconds, handles, reversed }: TakeOptions,
): Promise<WriteResult<N>> {
  if (settled.state !== 'done') {
    takeOff(pending)
    if (settled.state === 'refused' && !handles?.(settled.error))
      notifyRefused(pending, settled.error)
    if (settled.state === 'conflict') notifyConflict(pending, settled.by)
    return settled
  }
  const { answer } = settled
  // before the rows are read again: who presses undo at once means this
  if (answer && pending.canUndo)
    pushUndo({ callId: answer.callId, text: pending.text, group: pending.group, reversed })
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

/** Puts what the server says in place of what was shown. */
async function confirm(
  pending: PendingWrite,
  answer: CallResponse<unknown> | undefined,
): Promise<void> {
  const answered = answer ? rowsIn(pending, answer) : new Map<RowType, AnyRow[]>()
  for (const rows of answered.values())
    for (const row of rows) if (answer?.callId) expectEcho(answer.callId, row.id)
  const missing = pending.changes.filter(
    (change) =>
      !('add' in change) && !answered.get(change.type)?.some((row) => row.id === change.id),
  )
  for (const [type, changes] of Map.groupBy(missing, (change) => change.type)) {
    const ids = [...new Set(changes.map((change) => change.id))]
    try {
      const { rows, gone, reading } = await readRows(type, ids)
      answered.set(type, [...(answered.get(type) ?? []), ...rows])
      table(type).remove(gone, { at: reading })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      readAgain(type, ids)
    }
  }
  const types = new Set([...answered.keys(), ...pending.changes.map((change) => change.type)])
  for (const type of types)
    table(type).batch(() => {
      takeRows(type, (answered.get(type) ?? []) as RowOf<RowType>[])
      table(type).drop(pending.id)
    })
}

/** The rows of an answer that the write changed or added. */
function rowsIn(
  { changes }: PendingWrite,
  { value, callId }: CallResponse<unknown>,
): Map<RowType, AnyRow[]> {
  const { items } = (value ?? {}) as { items?: unknown }
  const all = (Array.isArray(items) ? items : [value]).filter(isRow)
  const rowsByType = new Map<RowType, AnyRow[]>()
  for (const row of all) {
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

function takeOff(pending: PendingWrite): void {
  hideWrite(pending)
  for (const { type, id } of pending.changes) if (table(type).has(id)) readAgain(type, [id])
}

/** Does it again, as a new write. */
function again({ operation, input, changes, text, canUndo, lane, group }: PendingWrite): void {
  void write(operation, input, { rows: changes, text, undo: canUndo, lane, group })
}

function notifyRefused(pending: PendingWrite, error: ApiError): void {
  notify({
    text: pending.text,
    problem: error.message,
    seconds: 0,
    actions: pending.follows?.length ? [] : [{ label: t.app.retry, run: () => again(pending) }],
  })
}

function notifyConflict(pending: PendingWrite, by: string | undefined): void {
  notify({
    text: pending.text,
    problem: t.app.sync.conflict(by),
    seconds: 0,
    actions: [{ label: t.app.sync.mine, run: () => again(pending) }],
  })
}

function refusedOffline(text: string): WriteResult<never> {
  const error = new ApiError(0, { code: 'offline', message: t.app.sync.outbound })
  notify({ text, problem: error.message, seconds: 0, actions: [] })
  return { state: 'refused', error }
}
