import type { Id } from '../kernel/ids.ts'
import type { Kysely } from 'kysely'
import { notifyPeople, notifyAdmins } from '../notify/notifications.ts'
import type { AbuseFindingsTable, Tables } from '../db/tables.ts'
import type { RuleName } from './rules.ts'

const causes: Partial<Record<RuleName, string>> = {
  enumeration: 'requested many unknown ids',
  'wandering-key': 'was used from many IP addresses',
  'exposed-key': 'was exposed where others may have read it',
  'replayed-token': 'was ended because one of its tokens was used twice',
  'mass-delete': 'was about to delete a lot',
  'mass-read': 'read a very large amount',
  'outbound-burst': 'sent a lot outside the organization',
  loop: 'repeated the same call again and again',
  'repeat-offender': 'was held too often',
}

const holdTexts: Record<AbuseFindingsTable['hold'], string> = {
  none: '',
  all: '; all its calls are refused',
  writes: '; it may only read',
  outbound: '; its outbound calls need your approval',
  key: '; it is suspended until you decide',
}

/** Notifies the owner of a key and the administrators of a finding; inside the writer job that records it. */
export async function notifyFinding(
  db: Kysely<Tables>,
  { org_id, rule, key_id, owner_id, subject, hold, until_at, first_at }: AbuseFindingsTable,
): Promise<void> {
  if (org_id === null) return
  if (key_id === null || owner_id === null)
    return notifyPlan(db, { org_id, rule, subject, first_at })
  const key = await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.owner_id')
    .select(['api_keys.name', 'users.display_name'])
    .where('api_keys.id', '=', key_id as Id<'api_keys'>)
    .executeTakeFirst()
  if (!key) return
  const description = `${causes[rule as RuleName] ?? `met the rule ${rule}`}${holdTexts[hold]}${until_at === null ? '' : ' for a while'} (${rule})`
  await notifyPeople(db, first_at, org_id, [owner_id], {
    kind: 'security',
    item: { type: 'api_key', id: key_id },
    actor: null,
    text: `Your key "${key.name}" ${description}`,
  })
  await notifyAdmins(
    db,
    first_at,
    org_id,
    `The key "${key.name}" of ${key.display_name} ${description}`,
    [owner_id],
  )
}

async function notifyPlan(
  db: Kysely<Tables>,
  {
    org_id,
    rule,
    subject,
    first_at,
  }: Pick<AbuseFindingsTable, 'org_id' | 'rule' | 'subject' | 'first_at'>,
): Promise<void> {
  const period = subject?.length === 7 ? 'this month' : 'today'
  if (rule === 'plan-warning')
    await notifyAdmins(
      db,
      first_at,
      org_id!,
      `80 % of the calls your plan allows ${period} are used`,
    )
  if (rule === 'plan-exceeded')
    await notifyAdmins(
      db,
      first_at,
      org_id!,
      `All calls your plan allows ${period} are used; further ones are refused`,
    )
}
