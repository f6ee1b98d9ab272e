import { spawn, type ChildProcess } from 'node:child_process'
import { childCommand } from '../../executable.ts'
import type { HostMessage, EncoderHostOptions, HostRequest } from './protocol.ts'

/** Idle time after which the process is ended, which frees its memory. */
const defaultIdleMs = 300_000
/** Time for one text, or for loading the model. A healthy process needs less than a second on a slow machine. */
const defaultTimeoutMs = 60_000

/** Why the encoder returned no vector. The message is shown to administrators. */
export class EncoderFailure extends Error {
  override name = 'EncoderFailure'
}

interface PendingText {
  text: string
  resolve: (vector: Float32Array) => void
  reject: (error: EncoderFailure) => void
}

export interface EncoderProcessOptions extends EncoderHostOptions {
  idleMs?: number
  timeoutMs?: number
  /** Command and arguments of the process. */
  command?: readonly [string, ...string[]]
}

/**
 * The process that holds the model: started at the first text, ended when idle, and started again after it was killed.
 * A process instead of a thread: a thread does not return the memory of the native library, and a fault in it would end
 * the server.
 */
export class EncoderProcess {
  readonly #command: readonly [string, ...string[]]
  readonly #idleMs: number
  readonly #timeoutMs: number
  readonly #queries: PendingText[] = []
  readonly #passages: PendingText[] = []
  #child: ChildProcess | undefined
  #isReady = false
  #current: PendingText | undefined
  #timer: NodeJS.Timeout | undefined

  constructor({
    threads,
    idleMs = defaultIdleMs,
    timeoutMs = defaultTimeoutMs,
    command = childCommand('encoder', JSON.stringify({ threads } satisfies EncoderHostOptions)),
  }: EncoderProcessOptions) {
    this.#command = command
    this.#idleMs = idleMs
    this.#timeoutMs = timeoutMs
  }

  /** The process id while the process runs. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** The vector of a text with its prefix. Queries go before passages. @throws EncoderFailure */
  embed(text: string, kind: 'query' | 'passage'): Promise<Float32Array> {
    return new Promise((resolve, reject) => {
      const queue = kind === 'query' ? this.#queries : this.#passages
      queue.push({ text, resolve, reject })
      this.#next()
    })
  }

  /** Ends the process; texts that wait are rejected. */
  close(): void {
    this.#end('The encoder was closed.')
  }

  #next(): void {
    if (this.#current) return
    if (!this.#child) return this.#start()
    if (!this.#isReady) return
    const next = this.#queries.shift() ?? this.#passages.shift()
    if (!next) return
    this.#current = next
    this.#work(this.#child)
    this.#child.send({ text: next.text } satisfies HostRequest)
  }

  #start(): void {
    const [program, ...args] = this.#command
    const child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      env: childEnvironment(),
      windowsHide: true,
    })
    this.#child = child
    this.#isReady = false
    const isCurrent = () => this.#child === child
    child.on('message', (message) => isCurrent() && this.#receive(message as HostMessage))
    child.on('error', ({ message }) => isCurrent() && this.#end(`It cannot be started: ${message}`))
    child.on('exit', (code, signal) => isCurrent() && this.#end(describeExit(code, signal)))
    this.#work(child)
  }

  #receive(message: HostMessage): void {
    if ('failure' in message) return this.#end(message.failure)
    if ('vector' in message) {
      this.#current?.resolve(message.vector)
      this.#current = undefined
    } else this.#isReady = true
    this.#rest()
    this.#next()
  }

  /** Ends the process after a while without texts; until then it does not keep the server from ending. */
  #rest(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#end('It was idle.'), this.#idleMs).unref()
    this.#child?.unref()
    this.#child?.channel?.unref()
  }

  /** Keeps the server running until the process has answered, and limits the time for that. */
  #work(child: ChildProcess): void {
    child.ref()
    child.channel?.ref()
    clearTimeout(this.#timer)
    const seconds = Math.round(this.#timeoutMs / 1000)
    this.#timer = setTimeout(
      () => this.#end(`It did not answer for ${seconds} s.`, true),
      this.#timeoutMs,
    )
  }

  /** Ends the process, which may no longer answer, and rejects all texts; the next text starts another. */
  #end(reason: string, isStuck = false): void {
    clearTimeout(this.#timer)
    const child = this.#child
    this.#child = undefined
    if (isStuck) child?.kill('SIGKILL')
    else if (child?.connected) child.disconnect()
    const texts = [this.#current, ...this.#queries.splice(0), ...this.#passages.splice(0)]
    this.#current = undefined
    for (const text of texts) text?.reject(new EncoderFailure(reason))
  }
}

/** No secrets: of the server's environment, only the folders in which the executable keeps its libraries. */
function childEnvironment(): NodeJS.ProcessEnv {
  const names = ['CACHE_DIRECTORY', 'XDG_CACHE_HOME', 'HOME', 'TMPDIR', 'SystemRoot', 'TEMP']
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null
    ? `Its process ended with code ${code}.`
    : `Its process was killed (${signal}): the machine may be short of memory.`
}
