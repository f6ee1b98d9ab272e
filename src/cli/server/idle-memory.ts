import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Percentage by which the heap may grow beyond its size after the last collection. V8 alone allows fourfold growth on
 * machines with much memory.
 */
const growth = 100
/** A round with less processor time than this, in microseconds, counts as idle. */
const quiet = 300_000
/** Bytes worth a collection: more than a few calls would allocate again at once. */
const worth = 32 * 2 ** 20

type Collect = (how: { type: 'major'; flavor: 'last-resort' }) => void

/**
 * Returns memory used by a start or a load to the system once the server is idle: V8 would keep it until needed. A
 * collection takes a tenth of a second.
 */
export class IdleMemory {
  readonly #collect: Collect
  #cpu = 0
  /** Heap size after the last collection. */
  #least = 0

  constructor() {
    setFlagsFromString(`--heap-growing-percent=${growth}`)
    setFlagsFromString('--expose-gc')
    this.#collect = runInNewContext('gc') as Collect
    setFlagsFromString('--no-expose-gc')
  }

  /**
   * Called in every round. `cpu`: processor time of this process so far, in microseconds. Returns whether it
   * collected.
   */
  look(cpu: number): boolean {
    const isQuiet = cpu - this.#cpu < quiet
    this.#cpu = cpu
    if (!isQuiet || heap() < this.#least + worth) return false
    this.#collect({ type: 'major', flavor: 'last-resort' }) // the other flavor keeps the room
    this.#least = heap()
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
