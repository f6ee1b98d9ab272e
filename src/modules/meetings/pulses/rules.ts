import { nextOccurrence, type Occurrence, type Repeat } from '../../../kernel/time/recurrence.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength } from '../../../kernel/time/times.ts'

/** Length of the last round of a rule if no further occurrence can be computed. */
const defaultRoundLength = 7 * dayLength

/** The opening schedule of a pulse. */
export function pulseRepeatOf({
  rrule,
  timezone,
  rule_start,
}: Pick<Row<'pulses'>, 'rrule' | 'timezone' | 'rule_start'>): Repeat {
  return { rrule, timezone, start: rule_start, endsOn: null }
}

/**
 * The newest occurrence that is due, from `first` on; undefined if `first` is in the future. Skips missed occurrences
 * in between.
 */
export function currentOccurrence(
  rule: Repeat,
  first: Occurrence | undefined,
  now: number,
): Occurrence | undefined {
  if (!first || first.at > now) return undefined
  const recentOccurrence = nextOccurrence(rule, now - 9 * dayLength)
  let newest =
    recentOccurrence && recentOccurrence.at <= now && recentOccurrence.at > first.at
      ? recentOccurrence
      : first
  for (
    let next = nextOccurrence(rule, newest.at);
    next && next.at <= now;
    next = nextOccurrence(rule, next.at)
  )
    newest = next
  return newest
}

/** A round's closing time: when the next one opens, or would open if the rule had not ended. */
export function closingTime(rule: Repeat, openedAt: number): number {
  const endlessRule = {
    ...rule,
    rrule: rule.rrule.replaceAll(/(^|;)(COUNT|UNTIL)=[^;]*/g, '').replace(/^;/, ''),
  }
  return nextOccurrence(endlessRule, openedAt)?.at ?? openedAt + defaultRoundLength
}
