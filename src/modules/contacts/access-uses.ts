// Whether a contact, company or deal is used by other items, in which case its creation cannot be undone.
import type { Id } from '../../kernel/ids.ts'
import type { AccessScope } from '../../records/access-scope.ts'

/** Whether a contact has interactions or deals. */
export async function isContactInUse(id: string, { all }: AccessScope): Promise<boolean> {
  const interaction = await all
    .selectFrom('interaction_contacts')
    .innerJoin('interactions', 'interactions.id', 'interaction_contacts.interaction_id')
    .select('interactions.id')
    .where('contact_id', '=', id as Id<'contacts'>)
    .where('interactions.deleted_at', 'is', null)
    .executeTakeFirst()
  if (interaction) return true
  const deal = await all
    .selectFrom('deal_contacts')
    .innerJoin('deals', 'deals.id', 'deal_contacts.deal_id')
    .select('deals.id')
    .where('contact_id', '=', id as Id<'contacts'>)
    .where('deals.deleted_at', 'is', null)
    .executeTakeFirst()
  return deal !== undefined
}

/** Whether a company has people or deals. */
export async function isCompanyInUse(id: string, { all, actor }: AccessScope): Promise<boolean> {
  const person = await all
    .selectFrom('contacts')
    .select('id')
    .where('org_id', '=', actor.org_id)
    .where('company_id', '=', id as Id<'companies'>)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (person) return true
  const deal = await all
    .selectFrom('deals')
    .select('id')
    .where('org_id', '=', actor.org_id)
    .where('company_id', '=', id as Id<'companies'>)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return deal !== undefined
}

/** Whether a deal has interactions. */
export async function isDealInUse(id: string, { all }: AccessScope): Promise<boolean> {
  const interaction = await all
    .selectFrom('interactions')
    .select('id')
    .where('deal_id', '=', id as Id<'deals'>)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return interaction !== undefined
}
