// The main thread of a reader process (sandbox.ts). It forwards frames to the worker thread, and checks the memory and
// processor time of this process every few milliseconds: the work itself cannot prevent that.

import { writeFileSync } from 'node:fs'
import { deserialize } from 'node:v8'
import { startThreadAt } from '../executable.ts'
import { frameOf, FrameReader } from './frames.ts'
import { exits, type HostOptions, type ReaderRequest } from './protocol.ts'
import type { FromThread } from './reader-server.ts'

const checkMs = 10
/** A process that has grown beyond this share of its limit reports it in a byte of its answer, and is not reused. */
const wornPart = 0.6

const options = JSON.parse(process.argv.at(-1)!) as HostOptions
// If the memory of the whole machine or container still runs out, the kernel kills this process and not the server.
try {
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // not Linux, or not permitted
}

const heap = Math.max(64, Math.floor(options.megabytes * 0.75))
const worker = startThreadAt(options.thread, {
  resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
})
let bounds: Pick<ReaderRequest, 'megabytes' | 'cpuMs'> | undefined
let startedAt = 0

setInterval(() => {
  if (!bounds) return
  if (process.memoryUsage.rss() > bounds.megabytes * 2 ** 20) process.exit(exits.memory)
  if (cpuMs() - startedAt > bounds.cpuMs) process.exit(exits.time)
}, checkMs)

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const incoming = new FrameReader(options.maxQuestionBytes, ({ message, bytes }) => {
  if (message.byteLength === 0) return worker.postMessage('go on') // the batch was taken
  const question = deserialize(message) as ReaderRequest
  bounds = question
  startedAt = cpuMs()
  // Both are views of the same buffer, which is transferred, not copied.
  worker.postMessage({ message, bytes }, [message.buffer as ArrayBuffer])
})
process.stdin.on('data', (chunk: Buffer) => incoming.take(chunk))
process.stdin.on('end', () => process.exit(0)) // the server is gone, or has no more work

worker.on('message', ({ message, isLast }: FromThread) => {
  if (isLast) bounds = undefined
  const isWorn = isLast && process.memoryUsage.rss() > wornPart * options.megabytes * 2 ** 20
  for (const part of frameOf({ message, bytes: isWorn ? new Uint8Array(1) : new Uint8Array() }))
    process.stdout.write(part)
})
worker.on('error', (error) =>
  process.exit(
    (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? exits.memory
      : exits.failed,
  ),
)
worker.on('exit', () => process.exit(exits.failed))
