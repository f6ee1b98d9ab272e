// The main thread of a reader process (sandbox.ts). It forwards frames to the worker thread, and checks the memory and
// processor time of this process every few milliseconds: the work in the thread cannot prevent that.

import { writeFileSync } from 'node:fs'
import { deserialize } from 'node:v8'
import { startThreadAt } from '../executable.ts'
import { encodeFrame, FrameReader } from './frames.ts'
import { exitCodes, type HostOptions, type ReaderRequest } from './protocol.ts'
import type { ThreadMessage } from './reader-server.ts'

const checkMs = 10
/** A process that has grown beyond this share of its limit reports it in a byte of its answer, and is not reused. */
const wornShare = 0.6

const options = JSON.parse(process.argv.at(-1)!) as HostOptions
// If the memory of the whole machine or container still runs out, the kernel kills this process and not the server.
try {
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // not Linux, or not permitted
}

const heapMegabytes = Math.max(64, Math.floor(options.megabytes * 0.75))
const worker = startThreadAt(options.thread, {
  resourceLimits: {
    maxOldGenerationSizeMb: heapMegabytes,
    maxYoungGenerationSizeMb: 16,
    stackSizeMb: 4,
  },
})
let limits: Pick<ReaderRequest, 'megabytes' | 'cpuMs'> | undefined
let startCpuMs = 0

setInterval(() => {
  if (!limits) return
  if (process.memoryUsage.rss() > limits.megabytes * 2 ** 20) process.exit(exitCodes.memory)
  if (cpuMs() - startCpuMs > limits.cpuMs) process.exit(exitCodes.time)
}, checkMs)

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const frameReader = new FrameReader(options.maxRequestBytes, ({ message, bytes }) => {
  if (message.byteLength === 0) return worker.postMessage('go on') // an empty message confirms that the last batch was received
  const request = deserialize(message) as ReaderRequest
  limits = request
  startCpuMs = cpuMs()
  // Both are views of the same buffer, which is transferred, not copied.
  worker.postMessage({ message, bytes }, [message.buffer as ArrayBuffer])
})
process.stdin.on('data', (chunk: Buffer) => frameReader.push(chunk))
process.stdin.on('end', () => process.exit(0)) // the server has ended, or needs this process no longer

worker.on('message', ({ message, isLast }: ThreadMessage) => {
  if (isLast) limits = undefined
  const isTooLarge = isLast && process.memoryUsage.rss() > wornShare * options.megabytes * 2 ** 20
  for (const part of encodeFrame({
    message,
    bytes: isTooLarge ? new Uint8Array(1) : new Uint8Array(),
  }))
    process.stdout.write(part)
})
worker.on('error', (error) =>
  process.exit(
    (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? exitCodes.memory
      : exitCodes.failed,
  ),
)
worker.on('exit', () => process.exit(exitCodes.failed))
