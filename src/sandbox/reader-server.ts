// The worker thread in a reader process: called once by a file of tasks (sandbox.ts explains how the parts fit
// together).

import { parentPort } from 'node:worker_threads'
import { deserialize, serialize } from 'node:v8'
import { Refusal } from '../kernel/refusal.ts'
import type { ProtocolFrame } from './frames.ts'
import type { ReaderRequest, Reply } from './protocol.ts'

/** Message from the thread to the main thread of its process. */
export interface ThreadMessage {
  message: Uint8Array
  isLast: boolean
}

/**
 * Tasks by name. Each accepts one object; `bytes` in it is a `Uint8Array` that is transferred without copying. It
 * returns a value or a promise, or is an async generator whose batches are sent one by one, each consumed before the
 * next one is produced.
 */
export type Tasks = Record<string, (input: any) => unknown>

/** Serves tasks in a thread. Does nothing elsewhere, such as in a test that imports the file. */
export function serveTasks(tasks: Tasks): void {
  if (!parentPort) return
  // Readers write oddities of a file to the console, which do not belong in the server's log.
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) console[name] = () => {}
  let continueAfterBatch: (() => void) | undefined
  const send = (reply: Reply) =>
    parentPort!.postMessage({
      message: serialize(reply),
      isLast: reply.kind !== 'batch',
    } satisfies ThreadMessage)
  parentPort.on('message', (message: ProtocolFrame | 'go on') => {
    if (message === 'go on') return continueAfterBatch?.()
    void runReaderTask(tasks, message, async (value) => {
      const consumed = new Promise<void>((resolve) => (continueAfterBatch = resolve))
      send({ kind: 'batch', value })
      await consumed
    }).then(send)
  })
}

async function runReaderTask(
  tasks: Tasks,
  { message, bytes }: ProtocolFrame,
  onBatch: (value: unknown) => Promise<void>,
): Promise<Reply> {
  try {
    const { task, input } = deserialize(message) as ReaderRequest
    const outcome = tasks[task]!('bytes' in input ? { ...input, bytes } : input)
    if (!isGenerator(outcome)) return { kind: 'done', value: await outcome }
    for (;;) {
      const { done, value } = await outcome.next()
      if (done) return { kind: 'done', value }
      await onBatch(value)
    }
  } catch (error) {
    if (error instanceof Refusal)
      return { kind: 'refused', code: error.code, message: error.message, more: { ...error.more } }
    return {
      kind: 'failed',
      message:
        error instanceof RangeError
          ? 'It is nested too deeply.'
          : (error instanceof Error ? error.message : String(error)).slice(0, 300),
    }
  }
}

function isGenerator(value: unknown): value is AsyncGenerator<unknown, unknown> {
  return (
    typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value
  )
}
