// Interactions of all kinds in one order: those that were logged, and what other modules have with contacts, each narrowed to what the reader sees.
import { sql, type Expression, type SqlBool } from 'kysely'
import type { ReadContext } from '../../../operations/context.ts'
import { ExtensionPoint } from '../../../records/extension-point.ts'
import { applyOrder, type Order, type Value } from '../../../records/paging.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { task } from '../../tasks/access.ts'
import { interaction } from '../access.ts'
import type { InteractionShape } from './interaction.ts'

export interface Around {
  contact?: Row<'contacts'> | undefined
  company?: Row<'companies'> | undefined
  deal?: Row<'deals'> | undefined
  kinds?: readonly string[] | undefined
  after?: number | undefined
  before?: number | undefined
}

/** An interaction by where it is kept. */
export interface FoundInteraction {
  id: string
  occurred_at: number
  source: 'interactions' | 'meetings' | 'form_responses' | 'emails'
}

/** Interactions that another module has with contacts. */
export interface InteractionSource {
  kind: 'meeting' | 'email' | 'form'
  source: FoundInteraction['source']
  /** Interactions that the reader sees, of the requested contacts, or of all contacts. */
  around: (viewer: Viewer, around: Around) => Expression<FoundInteraction>
  show: (ctx: ReadContext, ids: readonly string[]) => Promise<InteractionShape[]>
}

export const interactionSources = new ExtensionPoint<InteractionSource>()

export const newestFirst: readonly Order[] = [
  { by: 'i.occurred_at', as: 'occurred_at', dir: 'desc' },
  { by: 'i.id', as: 'id', dir: 'desc' },
]

/** Page of interactions after a position, newest first. */
export function interactionsAround(
  viewer: Viewer,
  around: Around,
  limit: number,
  place?: readonly Value[],
): Promise<FoundInteraction[]> {
  let query = logged(viewer, around)
  if (around.company) query = query.unionAll(loggedBetween(viewer, around, around.company))
  for (const source of interactionSources.entries)
    if (comes(around, source.kind)) query = query.unionAll(source.around(viewer, around))
  return applyOrder(
    accessScopeOf(viewer).all.selectFrom(query.as('i')).selectAll('i'),
    newestFirst,
    place,
  )
    .limit(limit)
    .execute()
}

function logged(reader: Viewer, around: Around) {
  const { company } = around
  const query = interaction.visibleTo(reader)
  return narrowed(
    reader,
    company ? query.where('interactions.company_id', '=', company.id) : query,
    around,
  )
}

/** Interactions with people of several companies belong to none by themselves. */
function loggedBetween(viewer: Viewer, around: Around, { id, org_id }: Row<'companies'>) {
  const talks = accessScopeOf(viewer)
    .all.selectFrom('interaction_contacts')
    .innerJoin('contacts', 'contacts.id', 'interaction_contacts.contact_id')
    .where('contacts.org_id', '=', org_id)
    .where('contacts.company_id', '=', id)
    .select('interaction_contacts.interaction_id')
  return narrowed(
    viewer,
    interaction
      .visibleTo(viewer)
      .where('interactions.company_id', 'is', null)
      .where('interactions.id', 'in', talks),
    around,
  )
}

function narrowed(
  reader: Viewer,
  interactions: Scoped<'interactions'>,
  { contact: who, company, deal, kinds, after, before }: Around,
) {
  const { all } = accessScopeOf(reader)
  let query = interactions
  if (who)
    query = query.where(
      'interactions.id',
      'in',
      all
        .selectFrom('interaction_contacts')
        .select('interaction_id')
        .where('contact_id', '=', who.id),
    )
  if (deal) query = query.where('interactions.deal_id', '=', deal.id)
  if (kinds) query = query.where('interactions.kind', 'in', kinds as Row<'interactions'>['kind'][])
  if (after !== undefined) query = query.where('interactions.occurred_at', '>=', after)
  if (before !== undefined) query = query.where('interactions.occurred_at', '<', before)
  return query
    .select([
      'interactions.id',
      occurredAt('interactions.occurred_at', Boolean(who || company || deal)),
      sql.lit('interactions').as('source'),
    ])
    .$castTo<FoundInteraction>()
}

/**
 * When something happened. Few are looked up by what they are about and sorted then; a sum keeps the index of the order from being walked
 * through for them.
 */
export function occurredAt(column: string, few: boolean) {
  return (few ? sql<number>`${sql.ref(column)} + 0` : sql<number>`${sql.ref(column)}`).as(
    'occurred_at',
  )
}

/** Nothing says which deal a meeting or an answer was about. */
function comes({ kinds, deal }: Around, kind: string): boolean {
  return !deal && (kinds?.includes(kind) ?? true)
}

/** Addresses of the contacts that it is about; undefined: of all there are. */
export function contactAddresses(viewer: Viewer, { contact: who, company }: Around) {
  if (!who && !company) return undefined
  const { all } = accessScopeOf(viewer)
  const addresses = all.selectFrom('contact_emails').select('contact_emails.email')
  if (!company) return addresses.where('contact_emails.contact_id', '=', who!.id)
  const people = all
    .selectFrom('contacts')
    .select('contacts.id')
    .where('contacts.org_id', '=', company.org_id)
    .where('contacts.company_id', '=', company.id)
    .where('contacts.deleted_at', 'is', null)
  const contactQuery = addresses.where('contact_emails.contact_id', 'in', people)
  return who ? contactQuery.where('contact_emails.contact_id', '=', who.id) : contactQuery
}

/** Whether a column is the address of any contact that the reader sees. */
export function isContactAddress(reader: Viewer, column: string) {
  const { org_id, role } = accessScopeOf(reader).actor
  return sql<SqlBool>`(${role === 'guest' ? 0 : 1} = 1 and exists (select 1 from contact_emails as e where e.org_id = ${org_id} and e.email = ${sql.ref(column)}))`
}

/** The tasks that were made of interactions, by the interaction; where there are several that the reader sees, the first. */
export async function tasksOfInteractions(
  viewer: Viewer,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await task
    .visibleTo(viewer)
    .select(['tasks.id', 'tasks.source_id'])
    .where('tasks.source_id', 'in', [...ids])
    .where('tasks.source_type', '=', 'interaction')
    .orderBy('tasks.id', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.source_id!, row.id]))
}
