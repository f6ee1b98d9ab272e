import { nextOccurrence, type Occurrence, type Repeat } from '../../../kernel/time/recurrence.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength } from '../../../kernel/time/times.ts'

/** The last round of a rule closes after a week if no next occurrence can be computed. */
const lastRound = 7 * dayLength

/** The opening schedule of a pulse. */
export function pulseRepeatOf({
  rrule,
  timezone,
  rule_start,
}: Pick<Row<'pulses'>, 'rrule' | 'timezone' | 'rule_start'>): Repeat {
  return { rrule, timezone, start: rule_start, endsOn: null }
}

/**
 * The newest due round from `first` on; undefined if even that is in the future. Skips rounds in between that could
 * not be opened.
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

/** A round's closing time: the opening of the next, or its would-be time after the rule's end. */
export function closingTime(rule: Repeat, opened: number): number {
  const endless = {
    ...rule,
    rrule: rule.rrule.replaceAll(/(^|;)(COUNT|UNTIL)=[^;]*/g, '').replace(/^;/, ''),
  }
  return nextOccurrence(endless, opened)?.at ?? opened + lastRound
}
