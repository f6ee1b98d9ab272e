import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { day, datetimeString } from '../../kernel/fields.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Row } from '../../records/resource.ts'
import { iso } from '../../kernel/time/times.ts'
import { labelsByItem } from '../labels/shapes.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { common, commonOf, Ref, Truncated, trust, trustOf } from '../../records/shapes.ts'
import { contact, contactLabel, deal, dealContact } from './access.ts'
import { CustomFields } from './contacts/custom-fields.ts'
import { companyRefs, contactRef, refIn } from './refs.ts'
import { dealStates } from './deals/shapes.ts'
import { Interaction } from './interactions/interaction.ts'

// Re-exported for other modules, such as those that provide interactions with contacts.
export {
  contactAddresses,
  interactionSources,
  isContactAddress,
  occurredAt,
  type InteractionFilter,
  type FoundInteraction,
  type InteractionSource,
} from './interactions/access.ts'
export { contactMeetings } from './contacts/access-includes.ts'
export { CustomFields } from './contacts/custom-fields.ts'
export { resolveStage, stagesOf } from './deals/stages.ts'
export { companyRefs, contactRef, refIn } from './refs.ts'
export { Deal, presentOpenDealsWith } from './deals/shapes.ts'
export { Interaction } from './interactions/interaction.ts'
export { byTitle, interactionExcerpt } from './interactions/shapes.ts'
export type { InteractionShape } from './interactions/interaction.ts'

/** A contact in lists. */
export const ListedContact = shape('ListedContact', {
  ...common,
  name: z.string(),
  emails: z.array(z.string()).describe('main one first'),
  phones: z.array(z.string()).describe('E.164 if the number could be parsed'),
  title: z.string().optional(),
  company: Ref.optional(),
  owner: Ref.optional(),
  labels: z.array(Ref),
  note: z.string().optional(),
  custom_fields: CustomFields,
  last_contacted_at: datetimeString().optional().describe('by anyone in the organization'),
  deals: z.array(Ref),
  trust,
})
export type ListedContactShape = z.infer<typeof ListedContact>

/** One contact with related items. */
export const Contact = ListedContact.extend({
  deals: z.array(
    Ref.extend({
      stage: z.string().optional(),
      status: z.enum(dealStates).optional(),
      amount: z.number().optional(),
      currency: z.string().optional(),
      expected_close_on: day().optional(),
    }),
  ),
  interactions: z.array(Interaction).optional().describe('the latest interactions visible to you'),
  tasks: z
    .array(Ref.extend({ status: z.string() }))
    .optional()
    .describe('tasks visible to you that were created from next steps and action items'),
  meetings: z
    .array(Ref.extend({ at: datetimeString() }))
    .optional()
    .describe('the latest and upcoming ones visible to you'),
  existing: z.boolean().optional().describe('true: the existing contact; nothing was changed'),
  truncated: Truncated.optional(),
})

/** Contacts for lists, with a fixed number of queries. */
export async function presentContacts(
  ctx: ReadContext,
  rows: readonly Row<'contacts'>[],
): Promise<ListedContactShape[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const people = await peopleRefs(
    ctx,
    rows.flatMap((row) => [row.created_by, row.owner_id]),
  )
  const companies = await companyRefs(
    ctx,
    rows.map((row) => row.company_id),
  )
  const labels = await contactLabelRefs(ctx, ids)
  const deals = await dealsOf(ctx, ids)
  return rows.map((row) =>
    omitNullish({
      ...commonOf(row, contact.url(row, ctx.baseUrl), people),
      name: row.name,
      emails: JSON.parse(row.emails_json) as string[],
      phones: JSON.parse(row.phones_json) as string[],
      title: row.title,
      ...refIn('company', companies, row.company_id),
      ...refIn('owner', people, row.owner_id),
      labels: labels.get(row.id) ?? [],
      note: row.note,
      custom_fields: JSON.parse(row.custom_fields_json) as CustomFields,
      last_contacted_at: row.last_contacted_at === null ? undefined : iso(row.last_contacted_at),
      deals: (deals.get(row.id) ?? []).map(contactRef),
      ...trustOf(row.trust === 'external'),
    }),
  )
}

export async function presentContact(
  ctx: ReadContext,
  row: Row<'contacts'>,
): Promise<ListedContactShape> {
  return (await presentContacts(ctx, [row]))[0]!
}

async function contactLabelRefs(
  ctx: ReadContext,
  ids: readonly Id<'contacts'>[],
): Promise<Map<string, Ref[]>> {
  const labelLinks = await contactLabel
    .of(ctx, ids)
    .select(['contact_labels.contact_id as item', 'contact_labels.label_id'])
    .execute()
  const labelsByContact = await labelsByItem(ctx, labelLinks)
  for (const labels of labelsByContact.values())
    labels.sort((a, b) => a.title.localeCompare(b.title))
  return labelsByContact
}

/** Deals of contacts, open deals first, then the newest. */
export async function dealsOf(
  ctx: ReadContext,
  ids: readonly Id<'contacts'>[],
): Promise<Map<string, Row<'deals'>[]>> {
  const dealLinks = await dealContact
    .of(ctx, ids, 'contact_id')
    .select(['deal_contacts.contact_id', 'deal_contacts.deal_id'])
    .execute()
  const deals = await deal.among(
    ctx,
    dealLinks.map((item) => item.deal_id),
  )
  const linksByContact = Map.groupBy(dealLinks, (item) => item.contact_id as string)
  const order = (a: Row<'deals'>, b: Row<'deals'>) =>
    Number(a.status !== 'open') - Number(b.status !== 'open') || (a.id < b.id ? 1 : -1)
  return new Map(
    [...linksByContact].map(([id, links]) => [
      id,
      links.flatMap((item) => deals.get(item.deal_id) ?? []).sort(order),
    ]),
  )
}
