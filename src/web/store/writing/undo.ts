// Actions of this tab that can be undone, newest last.

import { callWithResponse } from '../../api/client.ts'
import { errorMessage } from '../../api/problem.ts'
import { t } from '../../texts/index.ts'
import { notify } from './notices.ts'
import { waitForNewest, withdrawNewest } from './write-queue.ts'

/** An own call, by its id in the call log. */
interface UndoableCall {
  callId: string | undefined
  text: string
  /** Calls in the same group are undone together. */
  group?: string | undefined
  /** Called after it was undone or redone. */
  onReversed?: (() => void) | undefined
}

const maxCalls = 100
const undoStack: UndoableCall[] = []
const redoStack: UndoableCall[] = []

/** Adds a call to the undo history and clears the redo history. */
export function pushUndo(call: UndoableCall): void {
  undoStack.push(call)
  if (undoStack.length > maxCalls) dropOldest(call.group)
  redoStack.length = 0
}

/** Removes the oldest entry with its group; never part of the current group. */
function dropOldest(currentGroup: string | undefined): void {
  const group = undoStack[0]?.group
  if (group === undefined) undoStack.shift()
  else if (group !== currentGroup)
    undoStack.splice(0, undoStack.length, ...undoStack.filter((item) => item.group !== group))
}

/** Descriptions of the next undo and redo, if any. */
export function nextUndoTexts(): { undo: string | undefined; redo: string | undefined } {
  return { undo: undoStack.at(-1)?.text, redo: redoStack.at(-1)?.text }
}

/** Undoes something that only its screen can undo; returns whether there was anything. */
type UndoHandler = () => boolean
const undoHandlers: UndoHandler[] = []

/** Registers a handler that undo tries first, for example for mail whose sending can still be undone. */
export const addUndoHandler = (handler: UndoHandler): void => void undoHandlers.push(handler)

/** Undoes the last change of this tab, or the one of this call, with its group. */
export async function undoLast(callId?: string): Promise<void> {
  if (callId === undefined && undoHandlers.some((handler) => handler())) return
  const withdrawn = callId === undefined ? withdrawNewest() : undefined
  if (withdrawn) return notify({ text: t.app.sync.undone(withdrawn.text), seconds: 4, actions: [] })
  if (callId === undefined) {
    await waitForNewest() // a write in flight may be the newest change
    await new Promise((resolve) => setTimeout(resolve)) // it is pushed onto the undo stack in the next task
  }
  const calls = takeGroup(undoStack, callId)
  if (calls.length === 0) return notify({ text: t.app.sync.nothingToUndo, seconds: 4, actions: [] })
  redoStack.push(...(await reverseAll(calls, t.app.sync.undone)))
}

/** Redoes the last undone change. */
export async function redoLast(): Promise<void> {
  const calls = takeGroup(redoStack)
  if (calls.length === 0) return notify({ text: t.app.sync.nothingToRedo, seconds: 4, actions: [] })
  undoStack.push(...(await reverseAll(calls, t.app.sync.redone)))
}

/** Removes the last call from a list, or the one with this id, with its group; newest first. */
function takeGroup(stack: UndoableCall[], callId?: string): UndoableCall[] {
  const call = callId === undefined ? stack.at(-1) : stack.find((item) => item.callId === callId)
  if (!call?.callId) return []
  const isInGroup = (item: UndoableCall) =>
    item === call || (call.group !== undefined && item.group === call.group)
  const removed = stack.filter(isInGroup).toReversed()
  stack.splice(0, stack.length, ...stack.filter((item) => !isInGroup(item)))
  return removed
}

/** Undoes calls one by one, and reports the result once; returns the calls that reverse that. */
async function reverseAll(
  calls: readonly UndoableCall[],
  toText: (text: string) => string,
): Promise<UndoableCall[]> {
  const reversals: UndoableCall[] = []
  const problems = new Set<string>()
  for (const call of calls) {
    const { reversal, problem } = await reverse(call)
    if (reversal) reversals.push(reversal)
    if (problem !== '') problems.add(problem)
  }
  const text = calls[0]?.text ?? ''
  const problem = [...problems].join(' ')
  notify({
    text: reversals.length > 0 ? toText(text) : text,
    ...(problem === '' ? {} : { problem }),
    seconds: problem === '' ? 4 : 0,
    actions: [],
  })
  return reversals
}

/** Undoes a call; returns the call that reverses that, and a description of the parts that could not be undone. */
async function reverse({
  callId,
  text,
  group,
  onReversed,
}: UndoableCall): Promise<{ reversal: UndoableCall | undefined; problem: string }> {
  try {
    const answer = await callWithResponse('undo_api_call', { call_id: callId ?? '' })
    const { undone: isUndone, refused } = answer.value
    onReversed?.()
    return {
      reversal: isUndone ? { callId: answer.callId, text, group, onReversed } : undefined,
      problem: refused.map((item) => item.message).join(' '),
    }
  } catch (error) {
    return { reversal: undefined, problem: errorMessage(error) }
  }
}
