// Actions of this tab that can be undone, newest last.

import { answerOf } from '../../api/client.ts'
import { errorMessage } from '../../api/problem.ts'
import { t } from '../../texts/index.ts'
import { notify } from './notices.ts'
import { newestAnswered, withdrawNewest } from './write-queue.ts'

/** An own call, by its id in the call log. */
interface Done {
  callId: string | undefined
  text: string
  /** Calls in the same group are undone together. */
  group?: string | undefined
  /** Called after it was undone or redone. */
  reversed?: (() => void) | undefined
}

const maxDone = 100
const done: Done[] = []
const undone: Done[] = []

/** Adds a call to the undo history and clears the redo history. */
export function pushUndo(call: Done): void {
  done.push(call)
  if (done.length > maxDone) forgetOldest(call.group)
  undone.length = 0
}

/** Removes the oldest entry with its group; never a part of the growing group. */
function forgetOldest(growing: string | undefined): void {
  const group = done[0]?.group
  if (group === undefined) done.shift()
  else if (group !== growing)
    done.splice(0, done.length, ...done.filter((item) => item.group !== group))
}

/** Descriptions of the next undo and redo, if any. */
export function undoable(): { undo: string | undefined; redo: string | undefined } {
  return { undo: done.at(-1)?.text, redo: undone.at(-1)?.text }
}

/** Undoes something that only its screen can undo; returns whether there was anything. */
type UndoOffer = () => boolean
const offers: UndoOffer[] = []

/** Registers a handler that undo tries first, for example for mail whose sending can still be undone. */
export const offerUndo = (offer: UndoOffer): void => void offers.push(offer)

/** Undoes the last change of this tab, or the one of this call, with its group. */
export async function undoLast(callId?: string): Promise<void> {
  if (callId === undefined && offers.some((offer) => offer())) return
  const unsent = callId === undefined ? withdrawNewest() : undefined
  if (unsent) return notify({ text: t.app.sync.undone(unsent.text), seconds: 4, actions: [] })
  if (callId === undefined) {
    await newestAnswered() // what is on its way is meant
    await new Promise((next) => setTimeout(next)) // and is then noted as done
  }
  const calls = takeTogether(done, callId)
  if (calls.length === 0) return notify({ text: t.app.sync.nothingToUndo, seconds: 4, actions: [] })
  undone.push(...(await reverseAll(calls, t.app.sync.undone)))
}

/** Redoes the last undone change. */
export async function redoLast(): Promise<void> {
  const calls = takeTogether(undone)
  if (calls.length === 0) return notify({ text: t.app.sync.nothingToRedo, seconds: 4, actions: [] })
  done.push(...(await reverseAll(calls, t.app.sync.redone)))
}

/** Removes the last call from a list, or the one with this id, with its group; newest first. */
function takeTogether(from: Done[], callId?: string): Done[] {
  const call = callId === undefined ? from.at(-1) : from.find((item) => item.callId === callId)
  if (!call?.callId) return []
  const isTaken = (item: Done) =>
    item === call || (call.group !== undefined && item.group === call.group)
  const removed = from.filter(isTaken).toReversed()
  from.splice(0, from.length, ...from.filter((item) => !isTaken(item)))
  return removed
}

/** Undoes calls one by one, and reports the result once; returns the calls that reverse that. */
async function reverseAll(
  calls: readonly Done[],
  words: (text: string) => string,
): Promise<Done[]> {
  const reversed: Done[] = []
  const problems = new Set<string>()
  for (const call of calls) {
    const { again, problem } = await reverse(call)
    if (again) reversed.push(again)
    if (problem !== '') problems.add(problem)
  }
  const text = calls[0]?.text ?? ''
  const problem = [...problems].join(' ')
  notify({
    text: reversed.length > 0 ? words(text) : text,
    ...(problem === '' ? {} : { problem }),
    seconds: problem === '' ? 4 : 0,
    actions: [],
  })
  return reversed
}

/** Undoes a call; returns the call that reverses that, and the parts that could not be undone, in words. */
async function reverse({
  callId,
  text,
  group,
  reversed,
}: Done): Promise<{ again: Done | undefined; problem: string }> {
  try {
    const answer = await answerOf('undo_api_call', { call_id: callId ?? '' })
    const { undone: isUndone, refused } = answer.value
    reversed?.()
    return {
      again: isUndone ? { callId: answer.callId, text, group, reversed } : undefined,
      problem: refused.map((item) => item.message).join(' '),
    }
  } catch (error) {
    return { again: undefined, problem: errorMessage(error) }
  }
}
