import { BoundedMap } from '../kernel/bounded-map.ts'
import type { Clock } from '../kernel/time/clock.ts'
import type { Bucket } from './bucket.ts'
import { Census, Distinct, Recent } from './recent.ts'

const minute = 60_000
const hour = 60 * minute
/** Number of keys above which idle ones are dropped from memory. */
const manyKeys = 5_000

/** Calls of one operation with the same arguments, within a minute of the first. */
export interface Repeated {
  count: number
  since: number
  /** Id of the request of the last call served. */
  requestId: string
}

/** Distinct calls per key whose repetition is counted. */
const maxRepeatedCalls = 200

/** In-memory state of one key. Parts are created when first needed. */
export class KeyWatch {
  bucket: Bucket | undefined
  underWay = 0
  usedAt = 0
  address = ''
  readonly repeated = new BoundedMap<string, Repeated>(maxRepeatedCalls)
  #addresses: Distinct | undefined
  #unknown: Distinct | undefined
  #deletions: Recent | undefined
  #sendings: Recent | undefined
  #deletedIn: BoundedMap<string, Recent> | undefined
  #read: Census | undefined
  #bytes: Recent | undefined

  get addresses(): Distinct {
    return (this.#addresses ??= new Distinct(10 * minute))
  }

  get unknown(): Distinct {
    return (this.#unknown ??= new Distinct(5 * minute))
  }

  get deletions(): Recent {
    return (this.#deletions ??= new Recent(minute))
  }

  get sendings(): Recent {
    return (this.#sendings ??= new Recent(10 * minute))
  }

  /** Tasks deleted in the last hour, by project. */
  deletedIn(project: string): Recent {
    this.#deletedIn ??= new BoundedMap(100)
    let recent = this.#deletedIn.get(project)
    if (!recent) this.#deletedIn.set(project, (recent = new Recent(hour)))
    return recent
  }

  read(maxEntries: number, now: number): Census {
    const census = (this.#read ??= new Census(hour, maxEntries, now))
    census.at(now)
    return census
  }

  get bytes(): Recent {
    return (this.#bytes ??= new Recent(hour))
  }
}

/** Keys in use. */
export class Watches {
  readonly #clock: Clock
  readonly #all = new Map<string, KeyWatch>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  of(id: string): KeyWatch {
    let watch = this.#all.get(id)
    if (!watch) {
      if (this.#all.size >= manyKeys) this.#forgetIdle()
      this.#all.set(id, (watch = new KeyWatch()))
    }
    return watch
  }

  find(id: string): KeyWatch | undefined {
    return this.#all.get(id)
  }

  /** Nothing about a key needs to be remembered after an hour. */
  #forgetIdle(): void {
    const now = this.#clock.monotonic()
    for (const [id, watch] of this.#all)
      if (watch.underWay === 0 && now - watch.usedAt > hour) this.#all.delete(id)
  }
}
