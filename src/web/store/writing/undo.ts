// What somebody did in this tab and can take back, the newest last.

import { answerOf } from '../../api/client.ts'
import { errorMessage } from '../../api/problem.ts'
import { t } from '../../texts/index.ts'
import { notify } from './notices.ts'
import { newestAnswered, withdrawNewest } from './write-queue.ts'

/** A call of one's own, by its id in the call log. */
interface Done {
  callId: string | undefined
  text: string
}

const maxDone = 100
const done: Done[] = []
const undone: Done[] = []

/** Remembers a call that can be undone; what was undone before cannot be redone after it. */
export function pushUndo(call: Done): void {
  done.push(call)
  if (done.length > maxDone) done.shift()
  undone.length = 0
}

/** Whether there is something to undo, or to redo. */
export function undoable(): { undo: string | undefined; redo: string | undefined } {
  return { undo: done.at(-1)?.text, redo: undone.at(-1)?.text }
}

/** Takes the last change of this tab back, or the one with this call. */
export async function undoLast(callId?: string): Promise<void> {
  const unsent = callId === undefined ? withdrawNewest() : undefined
  if (unsent) return notify({ text: t.app.sync.undone(unsent.text), seconds: 4, actions: [] })
  if (callId === undefined) {
    await newestAnswered() // what is on its way is meant
    await new Promise((next) => setTimeout(next)) // and is then noted as done
  }
  const index =
    callId === undefined ? done.length - 1 : done.findIndex((item) => item.callId === callId)
  const [call] = index < 0 ? [] : done.splice(index, 1)
  if (!call?.callId) return notify({ text: t.app.sync.nothingToUndo, seconds: 4, actions: [] })
  const reversed = await reverse(call, t.app.sync.undone)
  if (reversed) undone.push(reversed)
}

/** Does again what was undone last. */
export async function redoLast(): Promise<void> {
  const call = undone.pop()
  if (!call?.callId) return notify({ text: t.app.sync.nothingToRedo, seconds: 4, actions: [] })
  const reversed = await reverse(call, t.app.sync.redone)
  if (reversed) done.push(reversed)
}

/** Undoes a call; returns the call that undoes that again, or undefined where nothing was undone. */
async function reverse(
  { callId, text }: Done,
  words: (text: string) => string,
): Promise<Done | undefined> {
  try {
    const answer = await answerOf('undo_api_call', { call_id: callId ?? '' })
    const { undone: isUndone, refused } = answer.value
    const problem = refused.map((item) => item.message).join(' ')
    notify({
      text: isUndone ? words(text) : text,
      ...(problem === '' ? {} : { problem }),
      seconds: problem === '' ? 4 : 0,
      actions: [],
    })
    return isUndone ? { callId: answer.callId, text } : undefined
  } catch (error) {
    notify({ text, problem: errorMessage(error), seconds: 0, actions: [] })
    return undefined
  }
}
