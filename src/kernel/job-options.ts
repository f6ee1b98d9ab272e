/** A cron schedule for jobs of a kind. */
export interface Schedule {
  /** Unique within its organization, or among the schedules of modules. */
  name: string
  /** Five fields: minute, hour, day of the month, month, weekday. */
  cron: string
  /** IANA time zone; default UTC. */
  timezone?: string
  kind: string
  args?: Record<string, unknown>
}

export interface JobOptions {
  /** Earliest start, in milliseconds since 1970; default now. */
  runAt?: number
  priority?: 'high' | 'normal' | 'low'
  /** Key that makes unfinished jobs of a kind unique: a duplicate returns the existing job with its arguments. */
  uniqueKey?: string
  /**
   * Behavior if that job is running: join it (the default), or run it once more because its input has changed since.
   */
  whileRunning?: 'join' | 'again'
  maxAttempts?: number
}
