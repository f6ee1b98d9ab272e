import { Cron } from 'croner'
import { BoundedMap } from '../bounded-map.ts'
import { isTimezone } from '../fields.ts'
import { invalid } from '../refusal.ts'

const cronCache = new BoundedMap<string, Cron>(1000)

/**
 * The next moment of a schedule after another, or null if never (30 February). A time of day skipped by the zone
 * comes after the change; a repeated one comes once.
 * @throws Refusal invalid_argument if the expression or the zone is wrong
 */
export function nextRun(cron: string, timezone: string, after: number): number | null {
  return cachedCron(cron, timezone).nextRun(new Date(after))?.getTime() ?? null
}

/** Parsing costs more than evaluating, and the same few expressions are used repeatedly. */
function cachedCron(cron: string, timezone: string): Cron {
  const name = `${timezone} ${cron}`
  let cached = cronCache.get(name)
  if (!cached) {
    cached = parseCron(cron, timezone)
    cronCache.set(name, cached)
  }
  return cached
}

function parseCron(cron: string, timezone: string): Cron {
  if (!isTimezone(timezone))
    throw invalid(
      'timezone',
      `${JSON.stringify(timezone)} is not an IANA time zone such as Europe/Berlin.`,
    )
  if (cron.length > 100 || cron.trim().split(/\s+/).length !== 5) throw badCron(cron)
  try {
    return new Cron(cron, { timezone, mode: '5-part' })
  } catch {
    throw badCron(cron)
  }
}

function badCron(cron: string) {
  return invalid(
    'cron',
    `${JSON.stringify(cron.slice(0, 100))} is not a cron schedule.`,
    'Five fields: minute, hour, day of month, month, weekday; "0 9 * * 1-5" is weekdays at 9:00.',
  )
}
