import type { Store } from '../db/open.ts'
import { isTimezone } from '../kernel/fields.ts'
import { type Id, newId } from '../kernel/ids.ts'
import { invalid } from '../kernel/refusal.ts'
import type { Clock } from '../kernel/time/clock.ts'

export interface NewOrganization {
  name: string
  timezone?: string | undefined
}
const severities = JSON.stringify([
  { severity: 'sev1', name: 'Critical', description: 'Customers cannot work.' },
  { severity: 'sev2', name: 'Major', description: 'A major feature is broken.' },
  {
    severity: 'sev3',
    name: 'Minor',
    description: 'Something is broken, but there is a workaround.',
  },
  { severity: 'sev4', name: 'Low', description: 'A minor flaw that blocks nobody.' },
])
const dealStages = JSON.stringify(['Lead', 'Qualified', 'Proposal', 'Negotiation'])

/** Creates an organization with default settings. */
export function addOrganization(
  store: Store,
  clock: Clock,
  organization: NewOrganization,
): Promise<Id<'orgs'>> {
  checkOrganization(organization)
  return store.writer.run(() => insertOrganization(store, clock.now(), organization))
}

/** @throws Refusal invalid_argument naming the field */
export function checkOrganization(newOrganization: NewOrganization, field = 'name'): void {
  const name = newOrganization.name.trim()
  if (name === '' || name.length > 200)
    throw invalid(field, 'an organization needs a name of 1 to 200 characters.')
  if (newOrganization.timezone !== undefined && !isTimezone(newOrganization.timezone))
    throw invalid(
      'timezone',
      `${JSON.stringify(newOrganization.timezone)} is not an IANA time zone such as Europe/Berlin.`,
    )
}

/** Inside a writer job; requires a prior checkOrganization. */
export async function insertOrganization(
  store: Store,
  now: number,
  organization: NewOrganization,
): Promise<Id<'orgs'>> {
  const id = newId<'orgs'>('org', now)
  await store.write
    .insertInto('orgs')
    .values({
      id,
      name: organization.name.trim(),
      default_timezone: organization.timezone ?? 'UTC',
      work_week_json: '[1,2,3,4,5]',
      holidays_json: '[]',
      severity_scale_json: severities,
      deal_stages_json: dealStages,
      trash_days: 30,
      revision: 1,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}
