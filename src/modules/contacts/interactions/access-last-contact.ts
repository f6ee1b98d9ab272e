// Time of the last contact with a contact or company: a cache computed from interactions and meetings, not recorded as a change.
import { sql, type Kysely, type SqlBool } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import type { Tables } from '../../../db/tables.ts'

type All = Kysely<Tables>
type Contacts = readonly Id<'contacts'>[]

/** Changes processed in one transaction. */
const batchSize = 200

/** Moves the last contact time of contacts and their companies forward to a time; never back. */
export async function advanceLastContact(
  viewer: Viewer,
  contacts: Contacts,
  company: Id<'companies'> | null,
  at: number,
): Promise<void> {
  const { all } = accessScopeOf(viewer)
  await all
    .updateTable('contacts')
    .set({ last_contacted_at: at })
    .where('id', 'in', contacts)
    .where(isEarlier(at))
    .execute()
  const companies = all
    .selectFrom('contacts')
    .select('company_id')
    .where('id', 'in', contacts)
    .where('company_id', 'is not', null)
  await all
    .updateTable('companies')
    .set({ last_contacted_at: at })
    .where((eb) =>
      eb.or([
        eb('id', 'in', companies.$castTo<{ company_id: Id<'companies'> }>()),
        ...(company === null ? [] : [eb('id', '=', company)]),
      ]),
    )
    .where(isEarlier(at))
    .execute()
}

function isEarlier(at: number) {
  return sql<SqlBool>`(last_contacted_at is null or last_contacted_at < ${at})`
}

/**
 * Recomputes the last contact time of contacts, from interactions and from meetings with their addresses, and then of their companies.
 * Used for contacts that are new, were merged, or whose addresses changed.
 */
export function recountLastContact(viewer: Viewer, contacts: Contacts): Promise<void> {
  const { all, now } = accessScopeOf(viewer)
  return recomputeLastContact(all, now, contacts)
}

async function recomputeLastContact(all: All, now: number, contacts: Contacts): Promise<void> {
  if (contacts.length === 0) return
  const interactionTime = sql`select max(i.occurred_at) as at from interaction_contacts as ic join interactions as i on i.id = ic.interaction_id where ic.contact_id = contacts.id and i.deleted_at is null`
  const meetingTime = sql`select max(m.takes_place_at) as at from contact_emails as e join meeting_people as mp on mp.org_id = e.org_id and mp.address = e.email join meetings as m on m.id = mp.meeting_id
    where e.contact_id = contacts.id and m.status <> 'planned' and m.takes_place_at <= ${now} and m.deleted_at is null`
  const last = sql<
    number | null
  >`(select max(at) from (${interactionTime} union all ${meetingTime}) as all_)`
  await all
    .updateTable('contacts')
    .set({ last_contacted_at: last })
    .where('id', 'in', contacts)
    .execute()
  const companyIds = all
    .selectFrom('contacts')
    .select('company_id')
    .where('id', 'in', contacts)
    .where('company_id', 'is not', null)
  const onCompany = sql`select max(i.occurred_at) as at from interactions as i where i.org_id = companies.org_id and i.company_id = companies.id and i.deleted_at is null`
  const onPeople = sql`select max(c.last_contacted_at) as at from contacts as c where c.org_id = companies.org_id and c.company_id = companies.id and c.deleted_at is null`
  await all
    .updateTable('companies')
    .set({
      last_contacted_at: sql<
        number | null
      >`(select max(at) from (${onCompany} union all ${onPeople}) as all_)`,
    })
    .where('id', 'in', companyIds.$castTo<{ company_id: Id<'companies'> }>())
    .execute()
}

/** An organization with unprocessed changes of meetings or interactions, or with a full batch of other changes to skip. */
export async function organizationBehind(all: All): Promise<Id<'orgs'> | undefined> {
  const orgs = await all
    .selectFrom('orgs')
    .leftJoin('contact_feeds', 'contact_feeds.org_id', 'orgs.id')
    .select(['orgs.id', 'contact_feeds.seq'])
    .execute()
  for (const { id, seq } of orgs) {
    const next = await all
      .selectFrom('changes')
      .select('item_type')
      .where('org_id', '=', id)
      .where('seq', '>', seq ?? 0)
      .orderBy('seq')
      .limit(batchSize)
      .execute()
    if (next.length === batchSize || next.some((item) => isFollowed(item.item_type))) return id
  }
  return undefined
}

function isFollowed(type: string): boolean {
  return type === 'meeting' || type === 'interaction'
}

/** Processes the next changes of an organization, and advances its position. */
export async function followChanges({ all, now }: TickContext, orgId: Id<'orgs'>): Promise<void> {
  const feed = await all
    .selectFrom('contact_feeds')
    .select('seq')
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  const rows = await all
    .selectFrom('changes')
    .select(['seq', 'item_type', 'item_id'])
    .where('org_id', '=', orgId)
    .where('seq', '>', feed?.seq ?? 0)
    .orderBy('seq')
    .limit(batchSize)
    .execute()
  const idsOf = (type: string) => [
    ...new Set(rows.filter((row) => row.item_type === type).map((row) => row.item_id)),
  ]
  await recomputeLastContact(
    all,
    now,
    await affectedContacts(all, orgId, idsOf('interaction'), idsOf('meeting')),
  )
  const seq = rows.at(-1)?.seq ?? feed?.seq ?? 0
  await all
    .insertInto('contact_feeds')
    .values({ org_id: orgId, seq })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet({ seq }))
    .execute()
}

/** Contacts of these interactions, and contacts with an address among the participants of these meetings. */
async function affectedContacts(
  all: All,
  orgId: Id<'orgs'>,
  interactions: string[],
  meetings: string[],
): Promise<Id<'contacts'>[]> {
  const ofInteractions =
    interactions.length === 0
      ? []
      : await all
          .selectFrom('interaction_contacts')
          .select('contact_id')
          .where('interaction_id', 'in', interactions as Id<'interactions'>[])
          .execute()
  const ofMeetings =
    meetings.length === 0
      ? []
      : await all
          .selectFrom('meeting_people')
          .crossJoin('contact_emails') // the join order matters: reversed, every address would be looked up in every meeting
          .where('contact_emails.org_id', '=', orgId)
          .whereRef('contact_emails.email', '=', 'meeting_people.address')
          .where('meeting_people.meeting_id', 'in', meetings as Id<'meetings'>[])
          .select('contact_emails.contact_id')
          .execute()
  return [
    ...new Set([...ofInteractions, ...ofMeetings].map((item) => item.contact_id as Id<'contacts'>)),
  ]
}
