/**
 * Scope of a hold: all calls are refused, or all changes; outbound calls wait for approval; or the key itself is
 * suspended.
 */
export type Hold = 'none' | 'all' | 'writes' | 'outbound' | 'key'

export interface AbuseRule {
  /** Condition with the defaults; docs/security.md has the same words. */
  trigger: string
  effect: string
  hold: Hold
  /** Minutes after which the hold ends by itself; unset: when a person releases it. */
  minutes?: number
}

/** The abuse rules. The thresholds are settings with the same names. */
export const rules = {
  'bad-credentials': {
    trigger: 'more than 30 failed keys or sign-ins in a minute from one address',
    effect: 'the address is refused without a valid key (429) for 10 minutes',
    hold: 'none',
    minutes: 10,
  },
  enumeration: {
    trigger: '50 different ids unknown to the key within 5 minutes',
    effect: 'the key is held (429) for 5 minutes',
    hold: 'all',
    minutes: 5,
  },
  'wandering-key': {
    trigger: 'one key from more than 5 addresses within 10 minutes',
    effect: 'notice; with a setting, the key is held until released',
    hold: 'none',
  },
  'exposed-key': {
    trigger: 'a working key in a URL, in plain HTTP, or in content',
    effect: 'notice; with a setting, the key is revoked',
    hold: 'none',
  },
  'replayed-token': {
    trigger: 'a code or refresh token of a connection comes again after it was used',
    effect:
      'the connection is ended, and its owner notified; a repetition by the same program right after, with the right verifier, is refused only',
    hold: 'none',
  },
  'mass-delete': {
    trigger:
      'more than 100 deletions in a minute, or than 20 % of the tasks of a project (and 20 tasks) in an hour',
    effect: 'the call is rolled back, and the key cannot write until released',
    hold: 'writes',
  },
  'mass-read': {
    trigger: '10,000 different objects or 200 MB read in an hour',
    effect: 'the key is held until released',
    hold: 'all',
  },
  'outbound-burst': {
    trigger: 'more than 20 outbound calls in 10 minutes',
    effect: 'outbound calls need approval until the hold is released',
    hold: 'outbound',
  },
  loop: {
    trigger: 'the same operation with the same arguments more than 30 times in a minute',
    effect: '429 with the request_id of the last answer, until the minute is over',
    hold: 'none',
  },
  'repeat-offender': {
    trigger: '3 holds of one key in a day',
    effect: 'the key is suspended (403) until its owner or an administrator decides',
    hold: 'key',
  },
  'plan-warning': {
    trigger: '80 % of what the plan of an organization allows in a day or month is used',
    effect: 'notice',
    hold: 'none',
  },
  'plan-exceeded': {
    trigger: 'all that the plan of an organization allows in a day or month is used',
    effect: 'notice; calls are refused until it is over',
    hold: 'none',
  },
} as const satisfies Record<string, AbuseRule>

export type RuleName = keyof typeof rules
/** A rule, typed with all optional fields. */
export const abuseRule = (name: RuleName): AbuseRule => rules[name]
