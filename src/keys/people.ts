import type { Clock } from '../core/clock.ts'
import { newId, type Id } from '../core/ids.ts'
import { Refusal } from '../core/refusal.ts'
import { isTimezone } from '../core/fields.ts'
import type { Store } from '../db/open.ts'

export type Role = 'admin' | 'member' | 'guest'

const weekdayHours = [{ from: '09:00', to: '17:00' }]
const workingWeek = JSON.stringify({ mon: weekdayHours, tue: weekdayHours, wed: weekdayHours, thu: weekdayHours, fri: weekdayHours })
const severities = JSON.stringify([
  { severity: 'sev1', name: 'Critical', description: 'Customers cannot work.' },
  { severity: 'sev2', name: 'Major', description: 'An important part does not work.' },
  { severity: 'sev3', name: 'Minor', description: 'Something does not work, and there is a way around it.' },
  { severity: 'sev4', name: 'Low', description: 'A flaw that hinders nobody.' },
])
const dealStages = JSON.stringify(['Lead', 'Qualified', 'Proposal', 'Negotiation'])

/** Makes an organization with the usual settings. */
export async function addOrganization(store: Store, clock: Clock, of: { name: string; timezone?: string }): Promise<Id<'orgs'>> {
  const name = of.name.trim()
  if (name === '' || name.length > 200) throw new Refusal('invalid_argument', 'name: an organization needs a name of 1 to 200 characters.', { field: 'name' })
  const timezone = of.timezone ?? 'UTC'
  if (!isTimezone(timezone)) throw new Refusal('invalid_argument', `timezone: ${JSON.stringify(timezone)} is no time zone of the IANA list.`, { field: 'timezone' })
  const now = clock.now()
  const id = newId<'orgs'>('org', now)
  await store.writer.run(async () => {
    await store.write
      .insertInto('orgs')
      .values({
        id,
        name,
        default_timezone: timezone,
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
  })
  return id
}

/** Adds a person to an organization. `passwordHash` is an argon2id PHC string. */
export async function addPerson(
  store: Store,
  clock: Clock,
  of: { org: Id<'orgs'>; email: string; name: string; role: Role; passwordHash?: string; timezone?: string },
): Promise<Id<'users'>> {
  const email = of.email.trim().toLowerCase()
  const name = of.name.trim()
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) throw new Refusal('invalid_argument', `email: ${JSON.stringify(of.email)} is no email address.`, { field: 'email' })
  if (name === '' || name.length > 200) throw new Refusal('invalid_argument', 'name: a person needs a name of 1 to 200 characters.', { field: 'name' })
  const now = clock.now()
  const id = newId<'users'>('usr', now)
  await store.writer.run(async () => {
    const org = await store.write.selectFrom('orgs').select(['id', 'default_timezone']).where('id', '=', of.org).executeTakeFirst()
    if (!org) throw new Refusal('not_found', 'There is no such organization.', { field: 'org' })
    const taken = await store.write.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
    if (taken) throw new Refusal('conflict', `There is already a person with the address ${email}.`, { field: 'email' })
    await store.write
      .insertInto('users')
      .values({
        id,
        org_id: of.org,
        email,
        display_name: name,
        role: of.role,
        status: 'active',
        timezone: of.timezone ?? org.default_timezone,
        working_hours_json: workingWeek,
        availability: 'available',
        password_hash: of.passwordHash ?? null,
        title: null,
        manager_id: null,
        presence_text: null,
        presence_emoji: null,
        presence_until_at: null,
        avatar_file_id: null,
        revision: 1,
        created_at: now,
        updated_at: now,
      })
      .execute()
  })
  return id
}
