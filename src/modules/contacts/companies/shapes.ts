import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetimeString } from '../../../kernel/fields.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { common, commonOf, Ref, Truncated } from '../../../records/shapes.ts'
import { company } from '../access.ts'
import { openDealSums, peopleOfCompanies } from './access.ts'
import { CustomFields } from '../contacts/custom-fields.ts'
import { Money, moneyOf } from '../deals/money.ts'
import { contactRef, refIn } from '../refs.ts'
import { Interaction } from '../interactions/interaction.ts'

/** A company in lists. */
export const Company = shape('Company', {
  ...common,
  name: z.string(),
  domain: z.string().optional(),
  industry: z.string().optional(),
  size: z.string().optional(),
  owner: Ref.optional(),
  contacts: z.array(Ref).describe('sorted by name; lists show the first ten'),
  contact_count: z.int(),
  open_deal_value: Money.describe('of open deals, by currency'),
  note: z.string().optional(),
  custom_fields: CustomFields,
  last_contacted_at: datetimeString().optional().describe('by anyone in the organization'),
  existing: z
    .boolean()
    .optional()
    .describe('true: the existing company with this domain; nothing was changed'),
})
export type CompanyShape = z.infer<typeof Company>

/** One company with related items. */
export const CompanyDetail = Company.extend({
  deals: z
    .array(
      Ref.extend({
        stage: z.string(),
        status: z.enum(['open', 'won', 'lost']),
        amount: z.number().optional(),
        currency: z.string(),
      }),
    )
    .describe('open deals first, then the newest'),
  interactions: z.array(Interaction).describe('the latest interactions visible to you'),
  truncated: Truncated.optional(),
})

/** Companies for results, with a limited number of people each. The rows are already visible. */
export async function presentCompanies(
  ctx: ReadContext,
  rows: readonly Row<'companies'>[],
  maxPeople = 10,
): Promise<CompanyShape[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const refs = await peopleRefs(
    ctx,
    rows.flatMap((row) => [row.created_by, row.owner_id]),
  )
  const peopleByCompany = Map.groupBy(
    await peopleOfCompanies(ctx, ids, maxPeople),
    (item) => item.company_id,
  )
  const sumsByCompany = Map.groupBy(await openDealSums(ctx, ids), (value) => value.company_id)
  return rows.map((row) => {
    const companyPeople = peopleByCompany.get(row.id) ?? []
    return omitNullish({
      ...commonOf(row, company.url(row, ctx.baseUrl), refs),
      name: row.name,
      domain: row.domain,
      industry: row.industry,
      size: row.size,
      ...refIn('owner', refs, row.owner_id),
      contacts: companyPeople.map(contactRef),
      contact_count: companyPeople[0]?.count ?? 0,
      open_deal_value: moneyOf(sumsByCompany.get(row.id) ?? []),
      note: row.note,
      custom_fields: JSON.parse(row.custom_fields_json) as CustomFields,
      last_contacted_at: row.last_contacted_at === null ? undefined : iso(row.last_contacted_at),
    })
  })
}
