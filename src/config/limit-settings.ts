import { z } from 'zod'
import { parsePlans, unlimited, type Plans } from './plans.ts'
import { yesNoType, networkList, setting, wholeNumber } from './setting.ts'

const maxLimit = 1_000_000_000

/** A threshold; 0 means none. */
function threshold(name: string, value: number, help: string) {
  const flag = `--${name.replaceAll('_', '-')} <number>`
  return setting({
    env: `WORKSPACE_${name.toUpperCase()}`,
    flag,
    type: wholeNumber.min(0).max(maxLimit),
    default: value,
    help: `${help} 0: no limit.`,
  })
}

function yesNoSetting(name: string, value: boolean, help: string) {
  return setting({
    env: `WORKSPACE_${name.toUpperCase()}`,
    flag: `--${name.replaceAll('_', '-')} <yes|no>`,
    type: yesNoType,
    default: value,
    help,
  })
}

/** Rate limits, abuse rules and plans; see docs/security.md. */
export const limitSettings = {
  limits: yesNoSetting(
    'limits',
    true,
    'Enforce rate limits and abuse rules. Plans are always enforced.',
  ),
  rate_key: threshold(
    'rate_key',
    600,
    'Requests per minute and key; heavy operations count as several.',
  ),
  rate_burst: threshold('rate_burst', 120, 'Requests one key may make in a burst.'),
  rate_concurrent: threshold('rate_concurrent', 16, 'Concurrent calls per key.'),
  rate_organization: threshold(
    'rate_organization',
    3000,
    'Requests per minute for all keys of an organization; a fifth of them in a burst.',
  ),
  rate_address: threshold(
    'rate_address',
    60,
    'Requests per minute and IP address without a valid key.',
  ),
  abuse_bad_credentials: threshold(
    'abuse_bad_credentials',
    30,
    'Failed keys and sign-ins per minute and IP address, after which requests without a valid key are refused for ten minutes.',
  ),
  abuse_enumeration: threshold(
    'abuse_enumeration',
    50,
    'Different unknown ids requested within five minutes, after which a key is held for five minutes.',
  ),
  abuse_wandering: threshold(
    'abuse_wandering',
    5,
    'IP addresses a key may be used from within ten minutes before its owner is notified.',
  ),
  abuse_wandering_except: setting({
    env: 'WORKSPACE_ABUSE_WANDERING_EXCEPT',
    flag: '--abuse-wandering-except <networks>',
    type: networkList,
    default: '',
    help: 'Networks whose addresses do not count for that, such as those of a hosted assistant: 160.79.104.0/21.',
  }),
  abuse_wandering_hold: yesNoSetting(
    'abuse_wandering_hold',
    false,
    'Also hold a key used from too many addresses until it is released.',
  ),
  abuse_exposed_revoke: yesNoSetting(
    'abuse_exposed_revoke',
    false,
    'Also revoke a key that was seen in a URL, in plain HTTP or in content.',
  ),
  abuse_mass_delete: threshold(
    'abuse_mass_delete',
    100,
    'Deletions per minute and key; a call beyond that is rolled back, and the key cannot change anything until it is released.',
  ),
  abuse_mass_delete_share: threshold(
    'abuse_mass_delete_share',
    20,
    "The same for the percentage of a project's tasks that one key may delete within an hour.",
  ),
  abuse_mass_read: threshold(
    'abuse_mass_read',
    10_000,
    'Different items a key may read in an hour before it is held until it is released.',
  ),
  abuse_mass_read_megabytes: threshold(
    'abuse_mass_read_megabytes',
    200,
    'The same for the total size of its answers, in megabytes.',
  ),
  abuse_outbound: threshold(
    'abuse_outbound',
    20,
    'Outbound calls of one key in ten minutes, after which each waits for approval until the key is released.',
  ),
  abuse_loop: threshold('abuse_loop', 30, 'Identical calls of one key in a minute.'),
  abuse_repeat: threshold(
    'abuse_repeat',
    3,
    'Holds of one key in a day, after which it is suspended until its owner decides.',
  ),
  plans: setting<Plans>({
    env: 'WORKSPACE_PLANS',
    flag: '--plans <file or JSON>',
    type: z
      .unknown()
      .transform((value, context) =>
        typeof value === 'string' ? parsePlans(value, context) : (value as Plans),
      ),
    default: () => ({ unlimited }),
    help: 'Plans for organizations, as a JSON file or JSON text: {"small": {"calls_per_day": 1000, "calls_per_month": 20000, "storage_bytes": 1000000000, "members": 5}}. Limits that a plan omits are unlimited.',
  }),
  default_plan: setting({
    env: 'WORKSPACE_DEFAULT_PLAN',
    flag: '--default-plan <name>',
    type: z.string().min(1),
    default: 'unlimited',
    help: 'Plan of organizations without one from `workspace orgs plan`.',
  }),
}
