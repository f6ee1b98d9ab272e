// When someone of the organization was last in contact with people outside: a cache of what interactions and meetings say, no change by itself.
import { sql, type Kysely, type SqlBool } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import type { Tables } from '../../../db/tables.ts'

type All = Kysely<Tables>
type Contacts = readonly Id<'contacts'>[]

/** Changes that are looked at in one piece. */
const piece = 200

/** Moves the date of contacts and their companies forward to a moment; never back. */
export async function noteContact(
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
    .where(earlier(at))
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
    .where(earlier(at))
    .execute()
}

function earlier(at: number) {
  return sql<SqlBool>`(last_contacted_at is null or last_contacted_at < ${at})`
}

/**
 * Makes the dates of contacts what their interactions, and meetings with one of their addresses, say now; then those of their companies.
 * For contacts whose addresses changed, or that were merged.
 */
export function recountLastContact(viewer: Viewer, contacts: Contacts): Promise<void> {
  const { all, now } = accessScopeOf(viewer)
  return recount(all, now, contacts)
}

async function recount(all: All, now: number, contacts: Contacts): Promise<void> {
  if (contacts.length === 0) return
  const talked = sql`select max(i.occurred_at) as at from interaction_contacts as ic join interactions as i on i.id = ic.interaction_id where ic.contact_id = contacts.id and i.deleted_at is null`
  const met = sql`select max(m.takes_place_at) as at from contact_emails as e join meeting_people as mp on mp.org_id = e.org_id and mp.address = e.email join meetings as m on m.id = mp.meeting_id
    where e.contact_id = contacts.id and m.status <> 'planned' and m.takes_place_at <= ${now} and m.deleted_at is null`
  const last = sql<number | null>`(select max(at) from (${talked} union all ${met}) as all_)`
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

/** An organization with meetings or interactions that its contacts have not been held against: or so many changes that the feed has to move. */
export async function contactsBehind(all: All): Promise<Id<'orgs'> | undefined> {
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
      .limit(piece)
      .execute()
    if (next.length === piece || next.some((item) => isFollowed(item.item_type))) return id
  }
  return undefined
}

function isFollowed(type: string): boolean {
  return type === 'meeting' || type === 'interaction'
}

/** Holds the next changes of an organization against its contacts, and moves the feed on. */
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
    .limit(piece)
    .execute()
  const idsOf = (type: string) => [
    ...new Set(rows.filter((row) => row.item_type === type).map((row) => row.item_id)),
  ]
  await recount(all, now, await concerned(all, orgId, idsOf('interaction'), idsOf('meeting')))
  const seq = rows.at(-1)?.seq ?? feed?.seq ?? 0
  await all
    .insertInto('contact_feeds')
    .values({ org_id: orgId, seq })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet({ seq }))
    .execute()
}

/** The contacts in interactions, and those with an address among who takes part in meetings. */
async function concerned(
  all: All,
  orgId: Id<'orgs'>,
  interactions: string[],
  meetings: string[],
): Promise<Id<'contacts'>[]> {
  const talked =
    interactions.length === 0
      ? []
      : await all
          .selectFrom('interaction_contacts')
          .select('contact_id')
          .where('interaction_id', 'in', interactions as Id<'interactions'>[])
          .execute()
  const met =
    meetings.length === 0
      ? []
      : await all
          .selectFrom('meeting_people')
          .crossJoin('contact_emails') // in this order: the other way round, every address of the organization is looked up in every meeting
          .where('contact_emails.org_id', '=', orgId)
          .whereRef('contact_emails.email', '=', 'meeting_people.address')
          .where('meeting_people.meeting_id', 'in', meetings as Id<'meetings'>[])
          .select('contact_emails.contact_id')
          .execute()
  return [...new Set([...talked, ...met].map((item) => item.contact_id as Id<'contacts'>))]
}
