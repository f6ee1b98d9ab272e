import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By how many percent the heap may grow beyond what was in use at the last collection. V8 alone lets it grow fourfold where the machine has much memory. */
const growth = 100
/** A round with less processor time, in microseconds, is one in which no one worked. */
const quiet = 300_000
/** Room that is worth collecting for, in bytes: more than what a few calls take again at once. */
const worth = 32 * 2 ** 20

type Collect = (how: { type: 'major'; flavor: 'last-resort' }) => void

/** Gives the memory that a start or a load took back to the system once no one works: V8 would keep it until it is needed again. Collecting takes a tenth of a second. */
export class IdleMemory {
  readonly #collect: Collect
  #cpu = 0
  /** The heap after the last collection. */
  #least = 0

  constructor() {
    setFlagsFromString(`--heap-growing-percent=${growth}`)
    setFlagsFromString('--expose-gc')
    this.#collect = runInNewContext('gc') as Collect
    setFlagsFromString('--no-expose-gc')
  }

  /** To be called in every round. `cpu`: microseconds of processor time that this process has had. Returns whether it collected. */
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

/** Processor time of this process with all its threads, in microseconds. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
