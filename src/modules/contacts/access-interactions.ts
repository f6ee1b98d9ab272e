// Interactions of all kinds in one order: those that were logged, and what other modules have with contacts, each narrowed to what the reader sees.
import { sql, type Expression, type SqlBool } from 'kysely'
import { inOrder, type Order, type Value } from '../../core/paging.ts'
import type { Row, Scoped } from '../../core/resource.ts'
import { sightOf, type Seer } from '../../core/sight.ts'
import { email } from '../email/access.ts'
import { formResponse } from '../forms/access.ts'
import { meeting } from '../meetings/access.ts'
import { task } from '../tasks/access.ts'
import { interaction } from './access.ts'

export interface Around {
  contact?: Row<'contacts'> | undefined
  company?: Row<'companies'> | undefined
  deal?: Row<'deals'> | undefined
  kinds?: readonly string[] | undefined
  after?: number | undefined
  before?: number | undefined
}

/** An interaction by where it is kept. */
export interface Found {
  id: string
  occurred_at: number
  kept: 'interactions' | 'meetings' | 'form_responses' | 'emails'
}

export const newestFirst: readonly Order[] = [
  { by: 'i.occurred_at', as: 'occurred_at', dir: 'desc' },
  { by: 'i.id', as: 'id', dir: 'desc' },
]

/** So many interactions from behind a place on, newest first. */
export function interactionsAround(
  from: Seer,
  around: Around,
  limit: number,
  place?: readonly Value[],
): Promise<Found[]> {
  let kept = logged(from, around)
  if (around.company) kept = kept.unionAll(loggedBetween(from, around, around.company))
  if (comes(around, 'meeting')) kept = kept.unionAll(met(from, around))
  if (comes(around, 'form')) kept = kept.unionAll(answered(from, around))
  if (comes(around, 'email')) kept = kept.unionAll(mailed(from, around))
  return inOrder(sightOf(from).all.selectFrom(kept.as('i')).selectAll('i'), newestFirst, place)
    .limit(limit)
    .execute()
}

function logged(from: Seer, around: Around) {
  const { company } = around
  const found = interaction.seen(from)
  return narrowed(
    from,
    company ? found.where('interactions.company_id', '=', company.id) : found,
    around,
  )
}

/** Interactions with people of several companies belong to none by themselves. */
function loggedBetween(from: Seer, around: Around, { id, org_id }: Row<'companies'>) {
  const talks = sightOf(from)
    .all.selectFrom('interaction_contacts')
    .innerJoin('contacts', 'contacts.id', 'interaction_contacts.contact_id')
    .where('contacts.org_id', '=', org_id)
    .where('contacts.company_id', '=', id)
    .select('interaction_contacts.interaction_id')
  return narrowed(
    from,
    interaction
      .seen(from)
      .where('interactions.company_id', 'is', null)
      .where('interactions.id', 'in', talks),
    around,
  )
}

function narrowed(
  from: Seer,
  interactions: Scoped<'interactions'>,
  { contact: who, company, deal, kinds, after, before }: Around,
) {
  const { all } = sightOf(from)
  let found = interactions
  if (who)
    found = found.where(
      'interactions.id',
      'in',
      all
        .selectFrom('interaction_contacts')
        .select('interaction_id')
        .where('contact_id', '=', who.id),
    )
  if (deal) found = found.where('interactions.deal_id', '=', deal.id)
  if (kinds) found = found.where('interactions.kind', 'in', kinds as Row<'interactions'>['kind'][])
  if (after !== undefined) found = found.where('interactions.occurred_at', '>=', after)
  if (before !== undefined) found = found.where('interactions.occurred_at', '<', before)
  return found
    .select([
      'interactions.id',
      at('interactions.occurred_at', Boolean(who || company || deal)),
      sql.lit('interactions').as('kept'),
    ])
    .$castTo<Found>()
}

/**
 * When something happened. Few are looked up by what they are about and sorted then; a sum keeps the index of the order from being walked
 * through for them.
 */
function at(column: string, few: boolean) {
  return (few ? sql<number>`${sql.ref(column)} + 0` : sql<number>`${sql.ref(column)}`).as(
    'occurred_at',
  )
}

/** Nothing says which deal a meeting or an answer was about. */
function comes({ kinds, deal }: Around, kind: string): boolean {
  return !deal && (kinds?.includes(kind) ?? true)
}

/** Addresses of the contacts that it is about; undefined: of all there are. */
function addressesOf(from: Seer, { contact: who, company }: Around) {
  if (!who && !company) return undefined
  const { all } = sightOf(from)
  const addresses = all.selectFrom('contact_emails').select('contact_emails.email')
  if (!company) return addresses.where('contact_emails.contact_id', '=', who!.id)
  const people = all
    .selectFrom('contacts')
    .select('contacts.id')
    .where('contacts.org_id', '=', company.org_id)
    .where('contacts.company_id', '=', company.id)
    .where('contacts.deleted_at', 'is', null)
  const of = addresses.where('contact_emails.contact_id', 'in', people)
  return who ? of.where('contact_emails.contact_id', '=', who.id) : of
}

/** Whether a column is the address of any contact that the reader sees. */
function isKnown(from: Seer, column: string) {
  const { org_id, role } = sightOf(from).actor
  return sql<SqlBool>`(${role === 'guest' ? 0 : 1} = 1 and exists (select 1 from contact_emails as e where e.org_id = ${org_id} and e.email = ${sql.ref(column)}))`
}

/** Meetings that have begun, with contacts among those who take part. */
function met(from: Seer, around: Around): Expression<Found> {
  const { all, actor, now } = sightOf(from)
  const addresses = addressesOf(from, around)
  let found = meeting
    .seen(from)
    .where('meetings.status', '<>', 'planned')
    .where(sql<SqlBool>`meetings.takes_place_at + 0 <= ${now}`)
  // Of few contacts their meetings are looked up; otherwise each meeting is asked whether there is one in it.
  const taking = all.selectFrom('meeting_people').where('meeting_people.org_id', '=', actor.org_id)
  if (addresses)
    found = found.where(
      'meetings.id',
      'in',
      taking.where('meeting_people.address', 'in', addresses).select('meeting_people.meeting_id'),
    )
  else
    found = found.where((eb) =>
      eb.exists(
        taking
          .where('meeting_people.meeting_id', '=', sql.ref<never>('meetings.id'))
          .where(isKnown(from, 'meeting_people.address'))
          .select('meeting_people.address'),
      ),
    )
  if (around.after !== undefined) found = found.where('meetings.takes_place_at', '>=', around.after)
  if (around.before !== undefined)
    found = found.where('meetings.takes_place_at', '<', around.before)
  return found
    .select([
      'meetings.id',
      at('meetings.takes_place_at', addresses !== undefined),
      sql.lit('meetings').as('kept'),
    ])
    .$castTo<Found>()
}

/** The reader's own mail with contacts: what they wrote, and what was written to them by people. */
function mailed(from: Seer, around: Around): Expression<Found> {
  const { all, actor } = sightOf(from)
  const addresses = addressesOf(from, around)
  let found = email
    .seen(from)
    .where('emails.place', 'not in', ['spam', 'trash', 'drafts'])
    .where('emails.is_bulk', '=', 0)
    .where('emails.delivery', '<>', 'failed')
  const named = all
    .selectFrom('email_addresses')
    .where('email_addresses.owner_id', '=', actor.id)
    .where('email_addresses.field', 'in', ['from', 'to', 'cc'])
  if (addresses)
    found = found.where(
      'emails.id',
      'in',
      named.where('email_addresses.address', 'in', addresses).select('email_addresses.email_id'),
    )
  else
    found = found.where((eb) =>
      eb.exists(
        named
          .where('email_addresses.email_id', '=', sql.ref<never>('emails.id'))
          .where(isKnown(from, 'email_addresses.address'))
          .select('email_addresses.address'),
      ),
    )
  if (around.after !== undefined) found = found.where('emails.sent_at', '>=', around.after)
  if (around.before !== undefined) found = found.where('emails.sent_at', '<', around.before)
  return found
    .select([
      'emails.id',
      at('emails.sent_at', addresses !== undefined),
      sql.lit('emails').as('kept'),
    ])
    .$castTo<Found>()
}

/** What contacts answered to forms. */
function answered(from: Seer, around: Around): Expression<Found> {
  const addresses = addressesOf(from, around)
  let found = formResponse.seen(from)
  found = addresses
    ? found.where('form_responses.respondent_email', 'in', addresses)
    : found.where(isKnown(from, 'form_responses.respondent_email'))
  if (around.after !== undefined)
    found = found.where('form_responses.created_at', '>=', around.after)
  if (around.before !== undefined)
    found = found.where('form_responses.created_at', '<', around.before)
  return found
    .select([
      'form_responses.id',
      at('form_responses.created_at', addresses !== undefined),
      sql.lit('form_responses').as('kept'),
    ])
    .$castTo<Found>()
}

/** The tasks that were made of interactions, by the interaction; where there are several that the reader sees, the first. */
export async function tasksOfInteractions(
  from: Seer,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await task
    .seen(from)
    .select(['tasks.id', 'tasks.source_id'])
    .where('tasks.source_id', 'in', [...ids])
    .where('tasks.source_type', '=', 'interaction')
    .orderBy('tasks.id', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.source_id!, row.id]))
}
