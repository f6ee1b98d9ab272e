import { BoundedMap } from '../kernel/bounded-map.ts'
import type { Clock } from '../kernel/time/clock.ts'
import type { Bucket } from './bucket.ts'
import { Census, RecentDistinct, RecentSum } from './recent.ts'

const minute = 60_000
const hour = 60 * minute
/** Number of keys above which idle ones are dropped from memory. */
const pruneThreshold = 5_000

/** Calls of one operation with the same arguments, within a minute of the first. */
export interface RepeatCounter {
  count: number
  since: number
  /** Id of the request of the last call served. */
  requestId: string
}

/** Distinct calls per key whose repetition is counted. */
const maxRepeatedCalls = 200

/** In-memory state of one key. Parts are created when first needed. */
export class KeyActivity {
  bucket: Bucket | undefined
  runningCalls = 0
  usedAt = 0
  address = ''
  readonly repeated = new BoundedMap<string, RepeatCounter>(maxRepeatedCalls)
  #addresses: RecentDistinct | undefined
  #unknown: RecentDistinct | undefined
  #deletions: RecentSum | undefined
  #sendings: RecentSum | undefined
  #deletedIn: BoundedMap<string, RecentSum> | undefined
  #read: Census | undefined
  #bytes: RecentSum | undefined

  get addresses(): RecentDistinct {
    return (this.#addresses ??= new RecentDistinct(10 * minute))
  }

  get unknownIds(): RecentDistinct {
    return (this.#unknown ??= new RecentDistinct(5 * minute))
  }

  get deletions(): RecentSum {
    return (this.#deletions ??= new RecentSum(minute))
  }

  get outboundCalls(): RecentSum {
    return (this.#sendings ??= new RecentSum(10 * minute))
  }

  /** Tasks deleted in the last hour, by project. */
  deletedIn(project: string): RecentSum {
    this.#deletedIn ??= new BoundedMap(100)
    let recent = this.#deletedIn.get(project)
    if (!recent) this.#deletedIn.set(project, (recent = new RecentSum(hour)))
    return recent
  }

  itemsRead(maxEntries: number, now: number): Census {
    const census = (this.#read ??= new Census(hour, maxEntries, now))
    census.advanceTo(now)
    return census
  }

  get bytes(): RecentSum {
    return (this.#bytes ??= new RecentSum(hour))
  }
}

/** Keys in use. */
export class KeyActivities {
  readonly #clock: Clock
  readonly #all = new Map<string, KeyActivity>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  getOrCreate(id: string): KeyActivity {
    let watch = this.#all.get(id)
    if (!watch) {
      if (this.#all.size >= pruneThreshold) this.#forgetIdle()
      this.#all.set(id, (watch = new KeyActivity()))
    }
    return watch
  }

  find(id: string): KeyActivity | undefined {
    return this.#all.get(id)
  }

  /** Nothing about a key needs to be remembered after an hour. */
  #forgetIdle(): void {
    const now = this.#clock.monotonic()
    for (const [id, watch] of this.#all)
      if (watch.runningCalls === 0 && now - watch.usedAt > hour) this.#all.delete(id)
  }
}
