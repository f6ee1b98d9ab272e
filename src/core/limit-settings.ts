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
  limits: choice('limits', true, 'Whether rate limits and the rules against abuse hold. Plans hold in any case.'),
  rate_key: threshold('rate_key', 600, 'Requests that one key may make in a minute; heavy operations count as several.'),
  rate_burst: threshold('rate_burst', 120, 'Requests that one key may make at once, after a pause.'),
  rate_concurrent: threshold('rate_concurrent', 16, 'Calls that one key may have under way at once.'),
  rate_organization: threshold('rate_organization', 3000, 'Requests that all keys of an organization together may make in a minute; a fifth of them at once.'),
  rate_address: threshold('rate_address', 60, 'Requests without a valid key that one address may make in a minute.'),
  abuse_bad_credentials: threshold('abuse_bad_credentials', 30, 'Failed keys and sign-ins of one address in a minute, from which on it is refused without a valid key for ten minutes.'),
  abuse_enumeration: threshold('abuse_enumeration', 50, 'Different ids that are unknown to it, from which on a key is held for five minutes; counted over five minutes.'),
  abuse_wandering: threshold('abuse_wandering', 5, 'Addresses that a key may be used from within ten minutes before its owner is told.'),
  abuse_wandering_hold: choice('abuse_wandering_hold', false, 'Whether a key that is used from too many addresses is also held until somebody releases it.'),
  abuse_exposed_revoke: choice('abuse_exposed_revoke', false, 'Whether a key that was seen in a URL, in clear HTTP or in content is also revoked.'),
  abuse_mass_delete: threshold('abuse_mass_delete', 100, 'Deletions of one key in a minute; a call that goes beyond is taken back, and the key held from changing things until somebody releases it.'),
  abuse_mass_delete_share: threshold('abuse_mass_delete_share', 20, "The same for the share of a project's tasks that one key may delete within an hour, in percent."),
  abuse_mass_read: threshold('abuse_mass_read', 10_000, 'Different objects that a key may read in an hour, before it is held until somebody releases it.'),
  abuse_mass_read_megabytes: threshold('abuse_mass_read_megabytes', 200, 'The same for the size of all answers, in megabytes.'),
  abuse_outbound: threshold('abuse_outbound', 20, 'Calls of one key that send something outside in ten minutes, before each of them waits for approval until somebody releases the key.'),
  abuse_loop: threshold('abuse_loop', 30, 'Calls of one operation with the same arguments by one key in a minute.'),
  abuse_repeat: threshold('abuse_repeat', 3, 'Holds of one key in a day, with which it is suspended until its owner decides.'),
  plans: setting<Plans>({
    env: 'WORKSPACE_PLANS',
    flag: '--plans <file or JSON>',
    type: z.unknown().transform((value, context) => (typeof value === 'string' ? parsePlans(value, context) : (value as Plans))),
    default: () => ({ unlimited }),
    help: 'Plans of organizations: a JSON file, or JSON itself: {"small": {"calls_per_day": 1000, "calls_per_month": 20000, "storage_bytes": 1000000000, "members": 5}}. What a plan leaves out is not limited.',
  }),
  default_plan: setting({ env: 'WORKSPACE_DEFAULT_PLAN', flag: '--default-plan <name>', type: z.string().min(1), default: 'unlimited', help: 'The plan of organizations that were given none with `workspace orgs plan`.' }),
}
