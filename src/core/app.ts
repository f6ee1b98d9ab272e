import type { CallLog } from '../audit/record.ts'
import type { Store } from '../db/open.ts'
import type { KeyGate } from '../keys/verify.ts'
import type { SearchIndex } from '../search/index.ts'
import type { Catalogue } from './catalogue.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import type { Settings } from './settings.ts'

/** A running workspace: what call() needs, and what http, mcp and the CLI are given. */
export interface App {
  readonly store: Store
  readonly catalogue: Catalogue
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  readonly search: SearchIndex
  readonly callLog: CallLog
  readonly keys: KeyGate
  /** Set once the server knows its address; without a slash at the end. */
  baseUrl: string
}
