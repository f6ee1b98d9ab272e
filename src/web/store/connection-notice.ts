import { isPartWaiting, onPartWaitingChange } from '../api/parts.ts'
import { t } from '../texts/index.ts'
import { onStreamState, streamState } from './stream/stream.ts'
import { dismiss, notify } from './writing/notices.ts'

const id = 'connection'
/** Delay before a restarting server is reported. */
const graceMs = 2000

/**
 * Reports that the server is unreachable or sends no live updates, until that ends. Returns a function that stops it.
 */
export function watchConnection(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let displayedText: string | undefined
  const updateNotice = () => {
    timer = undefined
    const text = connectionProblem()
    if (text === displayedText) return
    displayedText = text
    if (text === undefined) dismiss(id)
    else notify({ id, text, seconds: 0, actions: [] })
  }
  const scheduleUpdate = () => {
    clearTimeout(timer)
    timer = setTimeout(updateNotice, connectionProblem() === undefined ? 0 : graceMs)
  }
  const unsubscribers = [onStreamState(scheduleUpdate), onPartWaitingChange(scheduleUpdate)]
  return () => {
    clearTimeout(timer)
    for (const unsubscribe of unsubscribers) unsubscribe()
    dismiss(id)
  }
}

function connectionProblem(): string | undefined {
  const state = streamState()
  if (isPartWaiting() || state === 'reconnecting') return t.app.sync.unreachable
  return state === 'paused' ? t.app.sync.paused : undefined
}
