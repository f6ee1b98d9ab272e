import { nextOccurrence, type Occurrence, type Repeat } from '../../../kernel/time/recurrence.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength } from '../../../kernel/time/times.ts'

/** A round of a rule that is over closes after a week, where nothing tells when the next one would have come. */
const lastRound = 7 * dayLength

/** When rounds of a pulse open. */
export function pulseRepeatOf({
  rrule,
  timezone,
  rule_start,
}: Pick<Row<'pulses'>, 'rrule' | 'timezone' | 'rule_start'>): Repeat {
  return { rrule, timezone, start: rule_start, endsOn: null }
}

/**
 * The newest round that is due by now, of those from `first` on; undefined where even that one is to come. Rounds between, which no one
 * could open, are passed over.
 */
export function presentRound(
  rule: Repeat,
  first: Occurrence | undefined,
  now: number,
): Occurrence | undefined {
  if (!first || first.at > now) return undefined
  const recent = nextOccurrence(rule, now - 9 * dayLength)
  let newest = recent && recent.at <= now && recent.at > first.at ? recent : first
  for (
    let next = nextOccurrence(rule, newest.at);
    next && next.at <= now;
    next = nextOccurrence(rule, next.at)
  )
    newest = next
  return newest
}

/** When a round closes: as the next one opens, or would have where the rule has come to its end. */
export function closingTime(rule: Repeat, opened: number): number {
  const endless = {
    ...rule,
    rrule: rule.rrule.replaceAll(/(^|;)(COUNT|UNTIL)=[^;]*/g, '').replace(/^;/, ''),
  }
  return nextOccurrence(endless, opened)?.at ?? opened + lastRound
}
