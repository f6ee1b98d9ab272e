export interface Tally {
  calls: number
  errors: number
  denied: number
}

/** What GET /web/usage tells of the last days. */
export interface UsageReport extends Tally {
  of: 'me' | 'organization'
  timezone: string
  days: (Tally & { day: string })[]
  by_key: (Tally & { key_id: string | null })[]
  by_tool: (Tally & { tool: string; module: string })[]
  keys: { id: string; name: string; prefix: string; owner: { id: string; name: string } }[]
}
