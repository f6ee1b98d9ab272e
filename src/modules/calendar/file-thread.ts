import { Refusal } from '../../core/refusal.ts'
import { startThread } from '../../executable.ts'
import type { FileQuestion, ReadEvent } from './file-reading.ts'

/** What reading one file may take. */
const timeoutMs = 120_000
const heapMegabytes = 384

let last: Promise<unknown> = Promise.resolve()

/**
 * Reads a calendar file in a thread of its own, bounded in time and memory, one file after the other.
 * @throws Refusal too_large where it exceeds a bound
 */
export function readInThread(question: FileQuestion, signal?: AbortSignal): Promise<ReadEvent[]> {
  const reading = last.then(() => inThread(question, signal))
  last = reading.catch(() => undefined)
  return reading
}

function inThread(question: FileQuestion, signal: AbortSignal | undefined): Promise<ReadEvent[]> {
  return new Promise((settle, fail) => {
    signal?.throwIfAborted()
    const worker = startThread('calendar-files', import.meta.url, { workerData: question, resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } })
    const timer = setTimeout(() => end(() => fail(tooMuch('time'))), timeoutMs)
    const stop = () => end(() => fail(signal!.reason as Error))
    const end = (then: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      void worker.terminate()
      then()
    }
    signal?.addEventListener('abort', stop)
    worker.on('message', (events: ReadEvent[]) => end(() => settle(events)))
    worker.on('error', error => end(() => fail((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch('memory') : error)))
  })
}

function tooMuch(what: string): Refusal {
  return new Refusal('too_large', `Reading this calendar file takes too much ${what}.`, { hint: 'Split it into smaller files.' })
}
