import type { ReadContext } from '../../operations/context.ts'
import type { Row } from '../../records/resource.ts'
import { commonOf } from '../../records/shapes.ts'
import { iso } from '../../kernel/time/times.ts'
import { contactsByEmail } from '../contacts/access.ts'
import {
  byTitle,
  companyRefs,
  refIn,
  interactionExcerpt,
  type InteractionShape,
  type InteractionSource,
  contactRef,
} from '../contacts/shapes.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { email } from './access.ts'
import { mailWithContacts } from './access-interactions.ts'

type MailAddresses = Partial<Record<'to' | 'cc', { email: string }[]>>

/** Presents the reader's own mail with contacts as interactions. The caller must have access to the rows. */
async function presentMailInteractions(
  ctx: ReadContext,
  rows: readonly Row<'emails'>[],
): Promise<InteractionShape[]> {
  if (rows.length === 0) return []
  const addressesOf = (row: Row<'emails'>) => {
    const { to = [], cc = [] } = JSON.parse(row.addresses_json) as MailAddresses
    return [
      row.from_email,
      ...to.map((item) => item.email.toLowerCase()),
      ...cc.map((item) => item.email.toLowerCase()),
    ]
  }
  const contactsByAddress = await contactsByEmail(ctx, [...new Set(rows.flatMap(addressesOf))])
  const companies = await companyRefs(
    ctx,
    [...contactsByAddress.values()].map((item) => item.company_id),
  )
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.owner_id),
  )
  return rows.map((row) => {
    const contacts = addressesOf(row).flatMap((address) => contactsByAddress.get(address) ?? [])
    const companyIds = new Set(contacts.map((item) => item.company_id))
    return {
      ...commonOf(row, email.url(row, ctx.baseUrl), people),
      kind: 'email',
      occurred_at: iso(row.sent_at),
      summary_markdown: interactionExcerpt(
        [row.subject, row.snippet].filter((text) => text !== '').join('\n\n'),
      ),
      trust: row.is_own === 1 ? 'internal' : 'external',
      contacts: byTitle(contacts.map(contactRef)),
      ...(companyIds.size === 1 ? refIn('company', companies, [...companyIds][0]) : {}),
      person: people.get(row.owner_id)!,
      source: email.ref(row, ctx.baseUrl),
    }
  })
}

/** Mail as a source of contact interactions. */
export const emailInteractions: InteractionSource = {
  kind: 'email',
  source: 'emails',
  find: mailWithContacts,
  present: async (ctx, ids) =>
    presentMailInteractions(ctx, [...(await email.among(ctx, ids)).values()]),
}
