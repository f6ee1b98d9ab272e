import { spawn, type ChildProcess } from 'node:child_process'
import { deserialize, serialize } from 'node:v8'
import { Refusal, type RefusalCode } from '../kernel/refusal.ts'
import { childCommand, threadAt } from '../executable.ts'
import { encodeFrame, FrameReader, type ProtocolFrame } from './frames.ts'
import { memoryBudget, reserve } from './memory.ts'
import { exitCodes, type HostOptions, type ReaderRequest, type Reply } from './protocol.ts'
import type { Tasks } from './reader-server.ts'

// Parsers, unpackers and importers of untrusted files run in separate processes with limits on processor time and
// memory, so that they cannot block the server or exhaust its memory.
// Steps for a new importer:
// 1. Write the work as a plain function or an async generator of one object, in a file without database access:
// export async function* csvTasks({ bytes, mapping }: { bytes: Uint8Array; mapping: Mapping }): AsyncGenerator<Draft[],
// Summary> {
// … yield drafts.slice(i, i + 200) … // small batches: each is read in one turn of the event loop
// return { records, delimiter } // known at the end
// }
// Check cheap limits first (size, number of entries and columns), and throw a Refusal for errors: it is rethrown
// unchanged at the caller.
// 2. Add it to the tasks of a thread: those of imports are in src/modules/importers.ts.
// 3. Call it: `await importers.run('csvTasks', { bytes, mapping }, { owner })`, or if it yields:
// for await (const batch of importers.batches('csvTasks', { bytes, mapping }, { owner })) …
// In an operation, do that in `fetch` or `compute`, which have the rows, or in `prepare`, never inside the transaction
// of `handle`: all other writers would wait. In a job, do it outside `job.write`, or handle one batch per `job.write`.
// A new thread needs an entry in `threads` of tools/bundling.mjs and a `new Sandbox(…)` beside the file of the thread.

/** Limits of one task. Defaults are those of the sandbox. */
export interface SandboxLimits {
  /**
   * Processor time in milliseconds. Elapsed time may be longer on a busy machine: up to three times as much, plus ten
   * seconds to start.
   */
  cpuMs?: number
  /** Memory of the whole process. Never more than the machine or container allows, see memory.ts. */
  megabytes?: number
  /** The owner of the task. Owners are served in turn: one owner's queue does not delay another's. */
  owner?: string
}

/**
 * Why there is no result: too much time, too much memory, or a failure of the reader. The message is shown to people.
 */
export class SandboxFailure extends Error {
  override name = 'SandboxFailure'
  readonly reason: 'time' | 'memory' | 'failed'

  constructor(reason: SandboxFailure['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

const messages = {
  time: 'It takes too long to read.',
  memory: 'It takes too much memory to read.',
  failed: 'Its reader ended.',
} as const
const idleMs = 30_000
const graceMs = 10_000
/** Sent once a batch was consumed. */
const continueFrame: ProtocolFrame = { message: new Uint8Array(), bytes: new Uint8Array() }
const maxReplyBytes = 256 * 2 ** 20

interface PendingTask {
  request: ReaderRequest
  bytes: Uint8Array
  onBatch: ((value: unknown) => Promise<void>) | undefined
  settle: (value: unknown) => void
  fail: (error: Error) => void
}

export interface SandboxOptions {
  /** Maximum number of processes. */
  processes?: number
  cpuMs: number
  /** Maximum, on a machine or container with plenty of memory. */
  megabytes: number
  /** Share of the memory that one process may use on this machine or container, see memory.ts. */
  share?: number
  /** Whether tasks wait until enough memory is free. Otherwise the memory of the processes is counted as used already. */
  isReserved?: boolean
}

/** Runs the tasks of one thread's file in processes that start on demand and end when idle. */
export class Sandbox<T extends Tasks> {
  readonly #thread: string
  readonly #options: Required<SandboxOptions>
  readonly #queues = new Map<string, PendingTask[]>()
  readonly #processes: ReaderProcess[] = []

  /** `name`: the thread's file in the folder of `beside`, the `import.meta.url` of the caller. */
  constructor(name: string, beside: string, options: SandboxOptions) {
    this.#thread = threadAt(name, beside)
    const { share = 1 } = options
    this.#options = {
      processes: 1,
      isReserved: true,
      ...options,
      share,
      megabytes: Math.min(options.megabytes, share * memoryBudget().perProcess),
    }
  }

  /** The result of a task. @throws SandboxFailure, and Refusal if the task throws one */
  run<K extends keyof T & string>(
    task: K,
    input: Parameters<T[K]>[0],
    bounds: SandboxLimits = {},
  ): Promise<Awaited<ReturnType<T[K]>>> {
    return this.#enqueue(task, input as Record<string, unknown>, bounds, undefined) as Promise<
      Awaited<ReturnType<T[K]>>
    >
  }

  /**
   * Yields the batches of a task, with its result as the return value of the generator. The next batch is produced
   * once this one is
   * consumed; time counts only while the process works. @throws SandboxFailure, and Refusal if the task throws one
   */
  batches<K extends keyof T & string>(
    task: K,
    input: Parameters<T[K]>[0],
    bounds: SandboxLimits = {},
  ): BatchesOf<T[K]> {
    return this.#batches(task, input as Record<string, unknown>, bounds) as BatchesOf<T[K]>
  }

  async *#batches(
    task: string,
    input: Record<string, unknown>,
    bounds: SandboxLimits,
  ): AsyncGenerator<unknown, unknown> {
    const channel = new BatchChannel()
    const result = this.#enqueue(task, input, bounds, (value) => channel.put(value))
    result.then(
      () => channel.end(),
      () => channel.end(),
    )
    try {
      for await (const value of channel) yield value
      return await result
    } finally {
      channel.cancel()
    }
  }

  #enqueue(
    task: string,
    input: Record<string, unknown>,
    { cpuMs = this.#options.cpuMs, megabytes = this.#options.megabytes, owner = '' }: SandboxLimits,
    onBatch: PendingTask['onBatch'],
  ): Promise<unknown> {
    return new Promise((settle, fail) => {
      const bytes = input.bytes instanceof Uint8Array ? input.bytes : new Uint8Array()
      const question = {
        task,
        input: input.bytes instanceof Uint8Array ? { ...input, bytes: null } : input,
        cpuMs,
        megabytes: Math.min(megabytes, this.#options.megabytes),
      }
      const work: PendingTask = { request: question, bytes, onBatch, settle, fail }
      const queue = this.#queues.get(owner)
      if (queue) queue.push(work)
      else this.#queues.set(owner, [work])
      this.#next()
    })
  }

  /** Assigns the first task of the next owner to a free process, or to a new one. */
  #next(): void {
    for (const [owner, queue] of this.#queues) {
      const reader = this.#processes.find((item) => !item.isBusy) ?? this.#start()
      if (!reader) return
      const work = queue.shift()!
      this.#queues.delete(owner)
      if (queue.length > 0) this.#queues.set(owner, queue) // at the end: the next owner has its turn
      void this.#runOn(reader, work)
    }
  }

  async #runOn(reader: ReaderProcess, work: PendingTask): Promise<void> {
    const release = this.#options.isReserved
      ? await reader.busyWhile(reserve(work.request.megabytes))
      : undefined
    await reader.do(work)
    release?.()
    this.#next()
  }

  #start(): ReaderProcess | undefined {
    if (this.#processes.length >= this.#options.processes) return undefined
    const options = {
      thread: this.#thread,
      megabytes: this.#options.megabytes,
      maxRequestBytes: maxReplyBytes,
    }
    const reader = new ReaderProcess(options)
    this.#processes.push(reader)
    return reader
  }
}

/** Batches passed to their consumer, one at a time. */
class BatchChannel {
  #current: { value: unknown; resolve: () => void; reject: (error: Error) => void } | undefined
  #isEnded = false
  #isCancelled = false
  #wake = () => {}

  put(value: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isCancelled) return reject(new Error('The reader was closed.'))
      this.#current = { value, resolve, reject }
      this.#wake()
    })
  }

  end(): void {
    this.#isEnded = true
    this.#wake()
  }

  cancel(): void {
    this.#isCancelled = true
    this.#current?.reject(new Error('The reader was closed.'))
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    for (;;) {
      if (this.#current) {
        yield this.#current.value
        const { resolve } = this.#current
        this.#current = undefined
        resolve()
      } else if (this.#isEnded) return
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

type BatchesOf<F> = F extends (input: any) => AsyncGenerator<infer B, infer R>
  ? AsyncGenerator<B, R>
  : never

/** A reader process, which is started on demand and again after it was killed. */
class ReaderProcess {
  readonly #options: HostOptions
  #child: ChildProcess | undefined
  #work: PendingTask | undefined
  #timer: NodeJS.Timeout | undefined
  #finish: (() => void) | undefined
  isBusy = false

  constructor(options: HostOptions) {
    this.#options = options
  }

  /** Marks the reader as busy while waiting for a promise. */
  busyWhile<V>(waiting: Promise<V>): Promise<V> {
    this.isBusy = true
    return waiting
  }

  do(work: PendingTask): Promise<void> {
    this.isBusy = true
    clearTimeout(this.#timer)
    this.#work = work
    return new Promise((finish) => {
      this.#finish = finish
      try {
        const message = serialize(work.request)
        this.#child ??= this.#start()
        this.#startTimeout(work)
        this.#send({ message, bytes: work.bytes })
      } catch (error) {
        this.#end(() => work.fail(error as Error))
      }
    })
  }

  #send(frame: ProtocolFrame): void {
    for (const part of encodeFrame(frame)) this.#child!.stdin!.write(part)
  }

  #startTimeout({ request }: PendingTask): void {
    this.#timer = setTimeout(() => this.#kill('time'), 3 * request.cpuMs + graceMs)
  }

  #start(): ChildProcess {
    const [command, ...args] = childCommand('host', JSON.stringify(this.#options))
    // An empty environment: readers of untrusted files need no secrets.
    const env = {
      ...(process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {}),
      UV_THREADPOOL_SIZE: '1',
    }
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env,
      windowsHide: true,
    })
    const frames = new FrameReader(
      maxReplyBytes,
      ({ message, bytes }) =>
        this.#child === child && this.#reply(deserialize(message) as Reply, bytes.byteLength > 0),
    )
    child.stdout!.on('data', (chunk: Buffer) => {
      try {
        if (this.#child === child) frames.push(chunk)
      } catch {
        this.#kill('memory') // a reply that exceeds the limit
      }
    })
    child.stdin!.on('error', () => {}) // the process has ended, which the exit event reports
    child.on('error', () => this.#child === child && this.#kill('failed'))
    child.on(
      'exit',
      (code, signal) => this.#child === child && this.#kill(exitReason(code, signal)),
    )
    child.unref()
    for (const pipe of [child.stdin, child.stdout]) (pipe as unknown as { unref(): void }).unref()
    return child
  }

  #reply(reply: Reply, isWorn: boolean): void {
    const work = this.#work
    if (!work) return
    if (isWorn) this.#retire()
    if (reply.kind === 'batch') return void this.#deliverBatch(work, reply.value)
    if (reply.kind === 'done') return this.#end(() => work.settle(reply.value))
    const { message } = reply
    this.#end(() =>
      work.fail(
        reply.kind === 'refused'
          ? new Refusal(reply.code as RefusalCode, message, reply.more)
          : new SandboxFailure('failed', message),
      ),
    )
  }

  #deliverBatch(work: PendingTask, value: unknown): void {
    clearTimeout(this.#timer) // the time that the caller takes does not count
    work.onBatch!(value).then(
      () => {
        if (this.#work !== work) return
        this.#startTimeout(work)
        this.#send(continueFrame)
      },
      () => this.#work === work && this.#kill('failed'),
    )
  }

  /** Kills the process and fails its current task; the next task gets a new process. */
  #kill(reason: SandboxFailure['reason']): void {
    const child = this.#child
    this.#child = undefined
    child?.kill('SIGKILL')
    const work = this.#work
    if (work) this.#end(() => work.fail(new SandboxFailure(reason, messages[reason])))
  }

  #end(report: () => void): void {
    clearTimeout(this.#timer)
    this.#work = undefined
    this.#timer = setTimeout(() => this.#retire(), idleMs).unref()
    report()
    this.isBusy = false
    this.#finish?.()
  }

  #retire(): void {
    const child = this.#child
    this.#child = undefined
    child?.stdin!.end()
  }
}

function exitReason(code: number | null, signal: NodeJS.Signals | null) {
  if (code === exitCodes.time) return 'time'
  return code === exitCodes.memory || signal ? 'memory' : 'failed'
}
