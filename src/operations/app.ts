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

/** A running workspace: what call() needs, and what http, mcp and the CLI are given. */
export interface App {
  readonly store: Store
  readonly catalogue: Catalogue
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  readonly search: SearchIndex
  /** Search by words, meaning and links, in a thread of its own. */
  readonly searchEngine: SearchEngine
  readonly callLog: CallLog
  readonly keys: KeyGate
  /** Rates, the rules against abuse, plans. */
  readonly limits: Limits
  /** The kinds of jobs, and the way to ask for one; src/jobs runs them. */
  readonly jobs: Jobs
  /** The feed of changes, and the watch over what stays open. */
  readonly live: Live
  /** The only way out to the network. */
  readonly outbound: Outbound
  /** For what a call brings from servers outside, beside its transactions; `tool`: the name under which what it writes is recorded. */
  readonly outside: (tool: string, signal?: AbortSignal) => Outside
  /** Secrets sealed in the database. */
  readonly secrets: Secrets
  /** Counts what is done, if metrics are on. */
  meter?: Meter
  /** Sends calls to where traces are collected, where the environment names such a place. */
  tracer?: Tracer
  /** Whether what is over by the clock may be erased for good; a server asks its watch over the clock. */
  mayErase: () => boolean
  /** Set once the server knows its address; without a slash at the end. */
  baseUrl: string
}
