// Interactions of all kinds in one list: logged ones and those from other modules, each as far as the reader can see them.
import { sql, type Expression, type SqlBool } from 'kysely'
import type { ReadContext } from '../../../operations/context.ts'
import { ExtensionPoint } from '../../../records/extension-point.ts'
import { applyOrder, type Order, type Value } from '../../../records/paging.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { task } from '../../tasks/access.ts'
import { interaction } from '../access.ts'
import type { InteractionShape } from './interaction.ts'

export interface InteractionFilter {
  contact?: Row<'contacts'> | undefined
  company?: Row<'companies'> | undefined
  deal?: Row<'deals'> | undefined
  kinds?: readonly string[] | undefined
  after?: number | undefined
  before?: number | undefined
}

/** An interaction with the table that stores it. */
export interface FoundInteraction {
  id: string
  occurred_at: number
  source: 'interactions' | 'meetings' | 'form_responses' | 'emails'
}

/** Interactions with contacts that another module provides. */
export interface InteractionSource {
  kind: 'meeting' | 'email' | 'form'
  source: FoundInteraction['source']
  /** Query of the interactions that match a filter and that the reader can see. */
  find: (viewer: Viewer, around: InteractionFilter) => Expression<FoundInteraction>
  present: (ctx: ReadContext, ids: readonly string[]) => Promise<InteractionShape[]>
}

export const interactionSources = new ExtensionPoint<InteractionSource>()

export const newestFirst: readonly Order[] = [
  { by: 'i.occurred_at', as: 'occurred_at', dir: 'desc' },
  { by: 'i.id', as: 'id', dir: 'desc' },
]

/** Page of interactions after a position, newest first. */
export function findInteractions(
  viewer: Viewer,
  around: InteractionFilter,
  limit: number,
  position?: readonly Value[],
): Promise<FoundInteraction[]> {
  let query = loggedInteractions(viewer, around)
  if (around.company)
    query = query.unionAll(loggedWithSeveralCompanies(viewer, around, around.company))
  for (const source of interactionSources.entries)
    if (includesKind(around, source.kind)) query = query.unionAll(source.find(viewer, around))
  return applyOrder(
    accessScopeOf(viewer).all.selectFrom(query.as('i')).selectAll('i'),
    newestFirst,
    position,
  )
    .limit(limit)
    .execute()
}

function loggedInteractions(reader: Viewer, around: InteractionFilter) {
  const { company } = around
  const query = interaction.visibleTo(reader)
  return applyFilter(
    reader,
    company ? query.where('interactions.company_id', '=', company.id) : query,
    around,
  )
}

/** Logged interactions with contacts of several companies, which are stored without a company. */
function loggedWithSeveralCompanies(
  viewer: Viewer,
  around: InteractionFilter,
  { id, org_id }: Row<'companies'>,
) {
  const interactionIds = accessScopeOf(viewer)
    .all.selectFrom('interaction_contacts')
    .innerJoin('contacts', 'contacts.id', 'interaction_contacts.contact_id')
    .where('contacts.org_id', '=', org_id)
    .where('contacts.company_id', '=', id)
    .select('interaction_contacts.interaction_id')
  return applyFilter(
    viewer,
    interaction
      .visibleTo(viewer)
      .where('interactions.company_id', 'is', null)
      .where('interactions.id', 'in', interactionIds),
    around,
  )
}

function applyFilter(
  reader: Viewer,
  interactions: Scoped<'interactions'>,
  { contact: contactRow, company, deal, kinds, after, before }: InteractionFilter,
) {
  const { all } = accessScopeOf(reader)
  let query = interactions
  if (contactRow)
    query = query.where(
      'interactions.id',
      'in',
      all
        .selectFrom('interaction_contacts')
        .select('interaction_id')
        .where('contact_id', '=', contactRow.id),
    )
  if (deal) query = query.where('interactions.deal_id', '=', deal.id)
  if (kinds) query = query.where('interactions.kind', 'in', kinds as Row<'interactions'>['kind'][])
  if (after !== undefined) query = query.where('interactions.occurred_at', '>=', after)
  if (before !== undefined) query = query.where('interactions.occurred_at', '<', before)
  return query
    .select([
      'interactions.id',
      occurredAt('interactions.occurred_at', Boolean(contactRow || company || deal)),
      sql.lit('interactions').as('source'),
    ])
    .$castTo<FoundInteraction>()
}

/**
 * The time column of interactions. `+ 0` keeps the database from walking the time index if a filter selects few rows, which are better
 * looked up and then sorted.
 */
export function occurredAt(column: string, isSelective: boolean) {
  return (isSelective ? sql<number>`${sql.ref(column)} + 0` : sql<number>`${sql.ref(column)}`).as(
    'occurred_at',
  )
}

/** Whether interactions of a kind from another module are included; never for a deal, which those do not refer to. */
function includesKind({ kinds, deal }: InteractionFilter, kind: string): boolean {
  return !deal && (kinds?.includes(kind) ?? true)
}

/** Addresses of the contacts in the filter; undefined without such a filter. */
export function contactAddresses(
  viewer: Viewer,
  { contact: contactRow, company }: InteractionFilter,
) {
  if (!contactRow && !company) return undefined
  const { all } = accessScopeOf(viewer)
  const addresses = all.selectFrom('contact_emails').select('contact_emails.email')
  if (!company) return addresses.where('contact_emails.contact_id', '=', contactRow!.id)
  const people = all
    .selectFrom('contacts')
    .select('contacts.id')
    .where('contacts.org_id', '=', company.org_id)
    .where('contacts.company_id', '=', company.id)
    .where('contacts.deleted_at', 'is', null)
  const contactQuery = addresses.where('contact_emails.contact_id', 'in', people)
  return contactRow
    ? contactQuery.where('contact_emails.contact_id', '=', contactRow.id)
    : contactQuery
}

/** Whether a column has the address of a contact that the reader can see. */
export function isContactAddress(reader: Viewer, column: string) {
  const { org_id, role } = accessScopeOf(reader).actor
  return sql<SqlBool>`(${role === 'guest' ? 0 : 1} = 1 and exists (select 1 from contact_emails as e where e.org_id = ${org_id} and e.email = ${sql.ref(column)}))`
}

/** Ids of tasks created from interactions, by interaction; of several visible tasks, the oldest. */
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
