import type { Worker } from 'node:worker_threads'
import { startThread } from '../executable.ts'
import type { Answer, Asked, Made, Questions } from './reading.ts'

/** How long the thread is kept for the next one. */
const idle = 30_000
/** How often it is looked at how much memory it has taken, in milliseconds. */
const look = 200

/** What one reading may take. */
export interface Bounds {
  milliseconds: number
  /** Of the thread as a whole, with what it holds outside of its heap. */
  megabytes: number
}

/** Why nothing could be read: it takes too long, it takes too much memory, or the reader failed at it. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

interface Waiting {
  asked: Asked
  bounds: Bounds
  settle: (answer: Answer) => void
}

/**
 * A thread that reads what strangers made: messages, documents. One after the other, each within its bounds; one that exceeds them is
 * given up together with the thread, and the next gets a new one. It is started when there is something to read and ends when idle.
 */
export class ReadingThread {
  #worker: Worker | undefined
  #queue: Waiting[] = []
  #timer: NodeJS.Timeout | undefined
  #watch: NodeJS.Timeout | undefined
  #next = 1

  /** Reads. Throws Unreadable. */
  async read<K extends keyof Questions>(what: K, question: Questions[K], bounds: Bounds): Promise<Made[K]> {
    const answer = await new Promise<Answer>(settle => {
      this.#queue.push({ asked: { ...question, do: what, id: this.#next++ } as Asked, bounds, settle })
      if (this.#queue.length === 1) this.#begin()
    })
    if (answer.failed !== undefined) throw new Unreadable(answer.failed)
    return answer.made as Made[K]
  }

  #begin(): void {
    this.#rest()
    const first = this.#queue[0]
    if (!first) {
      this.#timer = setTimeout(() => this.#end(), idle).unref()
      return
    }
    const worker = (this.#worker ??= this.#start())
    this.#timer = setTimeout(() => this.#broken('It takes too long to read.'), first.bounds.milliseconds)
    this.#watch = setInterval(() => void this.#weigh(worker, first), look).unref()
    // A copy that is given away: the bytes stay the caller's, and of a buffer that shares its memory with others not all goes over.
    const bytes = 'bytes' in first.asked ? new Uint8Array(first.asked.bytes) : undefined
    worker.postMessage(bytes ? { ...first.asked, bytes } : first.asked, bytes ? [bytes.buffer] : [])
  }

  /** The heap of a thread is bounded by the runtime; buffers, which are what compressed streams blow up, are not. */
  async #weigh(worker: Worker, first: Waiting): Promise<void> {
    const heap = await worker.getHeapStatistics().catch(() => undefined) // it may have ended meanwhile
    if (!heap || this.#worker !== worker || this.#queue[0] !== first) return
    if (heap.used_heap_size + heap.external_memory > first.bounds.megabytes * 1024 * 1024) this.#broken('It takes too much memory to read.')
  }

  #start(): Worker {
    const worker = startThread('reading', import.meta.url, { resourceLimits: { maxOldGenerationSizeMb: 384 } })
    worker.on('message', (answer: Answer) => this.#worker === worker && this.#queue[0]?.asked.id === answer.id && this.#answer(answer))
    worker.on('error', error => this.#worker === worker && this.#broken((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'It takes too much memory to read.' : error.message))
    worker.on('exit', () => this.#worker === worker && this.#broken('Its reader ended.'))
    worker.unref()
    return worker
  }

  #answer(answer: Answer): void {
    this.#queue.shift()!.settle(answer)
    this.#begin()
  }

  #broken(why: string): void {
    this.#end()
    const first = this.#queue[0]
    if (first) this.#answer({ id: first.asked.id, failed: why })
  }

  #rest(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#watch)
  }

  #end(): void {
    this.#rest()
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }
}
