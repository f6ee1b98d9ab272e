import type { CallsTable } from '../db/tables.ts'

/** Call log entry of one call; the log itself adds its position in the chain. */
export interface CallEntry
  extends Omit<
    CallsTable,
    'seq' | 'items_json' | 'details_json' | 'salt' | 'details_hash' | 'prev_hash' | 'hash'
  > {
  items: readonly { type: string; id: string }[]
  details: CallDetails
}

/** The erasable part: the chain holds only its hash. */
export interface CallDetails {
  route: string
  arguments: Record<string, unknown>
  ip: string
  client?: { name: string; version?: string } | undefined
  /** Web session of a person who called through the web app. */
  session?: string | undefined
}
