/** When jobs of a kind come up by themselves. */
export interface Schedule {
  /** Unique in its organization, or among those of modules. */
  name: string
  /** Five fields: minute, hour, day of the month, month, weekday. */
  cron: string
  /** Of the IANA list; default UTC. */
  timezone?: string
  kind: string
  args?: Record<string, unknown>
}

export interface JobOptions {
  /** Not before, in milliseconds since 1970; default now. */
  runAt?: number
  priority?: 'high' | 'normal' | 'low'
  /** Where an unfinished job of this kind has the same, that one is meant, with the arguments it has. */
  uniqueKey?: string
  /** Where that one is running: it alone (the rule), or that it runs once more, because what it looks at has changed since. */
  whileRunning?: 'join' | 'again'
  maxAttempts?: number
}
