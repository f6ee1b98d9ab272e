import { z } from 'zod'
import { parsePlans, unlimited, type Plans } from '../limits/plans.ts'
import { flagType, setting, whole } from './setting.ts'

const most = 1_000_000_000

/** A threshold, of which 0 is none. */
function threshold(name: string, value: number, help: string) {
  const flag = `--${name.replaceAll('_', '-')} <number>`
  return setting({ env: `WORKSPACE_${name.toUpperCase()}`, flag, type: whole.min(0).max(most), default: value, help: `${help} 0: no limit.` })
}

function choice(name: string, value: boolean, help: string) {
  return setting({ env: `WORKSPACE_${name.toUpperCase()}`, flag: `--${name.replaceAll('_', '-')} <yes|no>`, type: flagType, default: value, help })
}

/** Rate limits, the rules against abuse, plans: what docs/security.md explains. */
export const limitSettings = {
  limits: choice('limits', true, 'Whether rate limits and abuse rules are enforced. Plans always are.'),
  rate_key: threshold('rate_key', 600, 'Requests per minute per key; heavy operations count as several.'),
  rate_burst: threshold('rate_burst', 120, 'Burst of requests per key after a pause.'),
  rate_concurrent: threshold('rate_concurrent', 16, 'Concurrent calls per key.'),
  rate_organization: threshold('rate_organization', 3000, 'Requests per minute for all keys of an organization together; a fifth of them in a burst.'),
  rate_address: threshold('rate_address', 60, 'Requests per minute without a valid key, per IP address.'),
  abuse_bad_credentials: threshold('abuse_bad_credentials', 30, 'Failed keys and sign-ins per minute after which an IP address is blocked for ten minutes, except with a valid key.'),
  abuse_enumeration: threshold('abuse_enumeration', 50, 'Different unknown ids within five minutes after which a key is held for five minutes.'),
  abuse_wandering: threshold('abuse_wandering', 5, 'IP addresses a key may be used from within ten minutes before its owner is notified.'),
  abuse_wandering_hold: choice('abuse_wandering_hold', false, 'Whether a key used from too many IP addresses is also held until released.'),
  abuse_exposed_revoke: choice('abuse_exposed_revoke', false, 'Whether a key seen in a URL, in plain HTTP or in content is also revoked.'),
  abuse_mass_delete: threshold('abuse_mass_delete', 100, 'Deletions per minute per key; a call beyond that is rolled back, and the key held from writing until released.'),
  abuse_mass_delete_share: threshold('abuse_mass_delete_share', 20, "The same for the share of a project's tasks that one key may delete within an hour, in percent."),
  abuse_mass_read: threshold('abuse_mass_read', 10_000, 'Different objects a key may read in an hour before it is held until released.'),
  abuse_mass_read_megabytes: threshold('abuse_mass_read_megabytes', 200, 'The same for the total size of its answers, in megabytes.'),
  abuse_outbound: threshold('abuse_outbound', 20, 'Outbound calls per key in ten minutes, after which each needs approval until the key is released.'),
  abuse_loop: threshold('abuse_loop', 30, 'Identical calls (same operation and arguments) per minute per key.'),
  abuse_repeat: threshold('abuse_repeat', 3, 'Holds per day after which a key is suspended until its owner decides.'),
  plans: setting<Plans>({
    env: 'WORKSPACE_PLANS',
    flag: '--plans <file or JSON>',
    type: z.unknown().transform((value, context) => (typeof value === 'string' ? parsePlans(value, context) : (value as Plans))),
    default: () => ({ unlimited }),
    help: 'Plans of organizations: a JSON file, or JSON itself: {"small": {"calls_per_day": 1000, "calls_per_month": 20000, "storage_bytes": 1000000000, "members": 5}}. What a plan omits is unlimited.',
  }),
  default_plan: setting({ env: 'WORKSPACE_DEFAULT_PLAN', flag: '--default-plan <name>', type: z.string().min(1), default: 'unlimited', help: 'The plan of organizations not assigned one with `workspace orgs plan`.' }),
}
