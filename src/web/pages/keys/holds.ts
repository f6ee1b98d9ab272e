/** What the rules against abuse found, as GET /web/holds says it. */
export interface Hold {
  id: string
  rule: string
  trigger?: string
  effect?: string
  /** What it stops now; `none`: nothing any more. */
  holds: 'none' | 'all' | 'writes' | 'outbound' | 'key'
  occurrences: number
  key?: { id: string; name: string; prefix: string; owner: unknown }
  first_at: string
  last_at: string
  until?: string
  released_at?: string
}
