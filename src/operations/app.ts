import type { CallLog } from '../audit/record.ts'
import type { Store } from '../db/open.ts'
import type { KeyGate } from '../keys/verify.ts'
import type { Limits } from '../limits/limits.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { SearchEngine } from '../search/engine.ts'
import type { SearchIndex } from '../search/index.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Catalogue } from './catalogue.ts'
import type { Clock } from '../kernel/time/clock.ts'
import type { Jobs } from './jobs/job-store.ts'
import type { Outside } from './jobs/job.ts'
import type { Live } from '../events/live.ts'
import type { Log } from '../kernel/log.ts'
import type { Meter, Tracer } from '../kernel/meter.ts'
import type { Settings } from '../config/settings.ts'

/** A running workspace: used by call(), http, mcp and the CLI. */
export interface App {
  readonly store: Store
  readonly catalogue: Catalogue
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  readonly search: SearchIndex
  /** Search by words, meaning and links, in its own thread. */
  readonly searchEngine: SearchEngine
  readonly callLog: CallLog
  readonly keys: KeyGate
  /** Rate limits, abuse rules, plans. */
  readonly limits: Limits
  /** Kinds of jobs, and how to request them; src/jobs runs them. */
  readonly jobs: Jobs
  /** The change feed, and the watch for open views. */
  readonly live: Live
  /** The only outbound network access. */
  readonly outbound: Outbound
  /**
   * Network access of a call, and writes of fetched content outside its transaction; `tool`: the name under which the
   * writes are recorded.
   */
  readonly outside: (tool: string, signal?: AbortSignal) => Outside
  /** Secrets sealed in the database. */
  readonly secrets: Secrets
  /** Counts activity, if metrics are enabled. */
  meter?: Meter
  /** Sends traces of calls, if the environment configures a collector. */
  tracer?: Tracer
  /** True if expired data may be erased permanently; a server checks its clock first. */
  mayErase: () => boolean
  /** Set once the server knows its address; without a trailing slash. */
  baseUrl: string
}
