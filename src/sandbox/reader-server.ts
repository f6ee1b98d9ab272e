// The side of the thread in a reader process: what a file of tasks calls once (see sandbox.ts for how the parts fit together).

import { parentPort } from 'node:worker_threads'
import { deserialize, serialize } from 'node:v8'
import { Refusal } from '../kernel/refusal.ts'
import type { ProtocolFrame } from './frames.ts'
import type { ReaderRequest, Reply } from './protocol.ts'

/** Message from the thread to the main thread of its process. */
export interface FromThread {
  message: Uint8Array
  isLast: boolean
}

/**
 * Tasks by name. Each takes one object; `bytes` in it is a `Uint8Array` that comes without being copied. It answers a value, a promise of
 * one, or is an async generator: what that yields is handed over batch by batch, each taken before the next one is made.
 */
export type Tasks = Record<string, (input: any) => unknown>

/** Serves tasks in a thread. Anywhere else, such as in a test that imports the file, it does nothing. */
export function serveTasks(tasks: Tasks): void {
  if (!parentPort) return
  // Readers write what they find odd in a file to the console. That is nothing for the log of the server.
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) console[name] = () => {}
  let goOn: (() => void) | undefined
  const send = (reply: Reply) =>
    parentPort!.postMessage({
      message: serialize(reply),
      isLast: reply.kind !== 'batch',
    } satisfies FromThread)
  parentPort.on('message', (message: ProtocolFrame | 'go on') => {
    if (message === 'go on') return goOn?.()
    void runReaderTask(tasks, message, async (value) => {
      const consumed = new Promise<void>((settle) => (goOn = settle))
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
