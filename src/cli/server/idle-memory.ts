import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Percentage by which the heap may grow beyond its size after the last collection. V8 alone allows fourfold growth on
 * machines with much memory.
 */
const heapGrowthPercent = 100
/** A round with less processor time than this, in microseconds, counts as idle. */
const idleCpuUs = 300_000
/** Heap growth in bytes from which a collection is worthwhile: more than a few calls would allocate again at once. */
const minGrowthBytes = 32 * 2 ** 20

type CollectGarbage = (how: { type: 'major'; flavor: 'last-resort' }) => void

/**
 * Returns memory used at startup or under load to the system once the server is idle: V8 alone would keep it. A
 * collection takes a tenth of a second.
 */
export class IdleMemory {
  readonly #collect: CollectGarbage
  #lastCpu = 0
  /** Heap size after the last collection. */
  #heapAfterCollection = 0

  constructor() {
    setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
    setFlagsFromString('--expose-gc')
    this.#collect = runInNewContext('gc') as CollectGarbage
    setFlagsFromString('--no-expose-gc')
  }

  /**
   * Called in every round. `cpu`: processor time of this process so far, in microseconds. Returns whether it
   * collected.
   */
  collectIfIdle(cpu: number): boolean {
    const isQuiet = cpu - this.#lastCpu < idleCpuUs
    this.#lastCpu = cpu
    if (!isQuiet || heap() < this.#heapAfterCollection + minGrowthBytes) return false
    this.#collect({ type: 'major', flavor: 'last-resort' }) // the regular flavor keeps the memory reserved
    this.#heapAfterCollection = heap()
    return true
  }
}

function heap(): number {
  return getHeapStatistics().total_heap_size
}

/** Processor time of this process and all its threads, in microseconds. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
