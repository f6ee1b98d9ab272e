import type { ReadContext } from '../../operations/context.ts'
import type { Row } from '../../records/resource.ts'
import { commonOf } from '../../records/shapes.ts'
import { iso } from '../../kernel/time/times.ts'
import { contactsByEmail } from '../contacts/access.ts'
import {
  companyRefs,
  refIn,
  interactionExcerpt,
  type InteractionShape,
  type InteractionSource,
  contactRef,
} from '../contacts/shapes.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { form, formResponse } from './access.ts'
import { presentResponses } from './shapes.ts'
import { contactResponses } from './access-interactions.ts'

/** Contacts' form responses as interactions. The caller has checked that the rows are visible. */
async function presentInteractions(
  ctx: ReadContext,
  rows: readonly Row<'form_responses'>[],
): Promise<InteractionShape[]> {
  if (rows.length === 0) return []
  const contactsByAddress = await contactsByEmail(
    ctx,
    rows.flatMap((row) => row.respondent_email ?? []),
  )
  const companies = await companyRefs(
    ctx,
    [...contactsByAddress.values()].map((item) => item.company_id),
  )
  const forms = await form.among(
    ctx,
    rows.map((row) => row.form_id),
  )
  const people = await peopleRefs(
    ctx,
    [...forms.values()].map((row) => row.created_by),
  )
  const answers = new Map<string, string>()
  for (const [id, formRows] of Map.groupBy(rows, (row) => row.form_id)) {
    const formRow = forms.get(id)
    if (formRow)
      for (const presentResponse of await presentResponses(ctx, formRow, formRows))
        answers.set(presentResponse.id, answerText(formRow.title, presentResponse.answers))
  }
  return rows.map((row) => {
    const contact = contactsByAddress.get(row.respondent_email ?? '')
    return {
      ...commonOf(row, formResponse.url(row, ctx.baseUrl), people),
      kind: 'form',
      occurred_at: iso(row.created_at),
      summary_markdown: answers.get(row.id) ?? '',
      trust: row.trust,
      contacts: contact ? [contactRef(contact)] : [],
      ...refIn('company', companies, contact?.company_id),
      person: people.get(forms.get(row.form_id)!.created_by)!, // the person who asked
      source: formResponse.ref(row, ctx.baseUrl),
    }
  })
}

function answerText(
  title: string,
  answers: Awaited<ReturnType<typeof presentResponses>>[number]['answers'],
): string {
  const lines = answers.map(
    ({ label, value, asked }) =>
      `${asked?.label ?? label}: ${Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? item : item.name)).join(', ') : value}`,
  )
  return interactionExcerpt([title, ...lines].join('\n\n'))
}

/** Provides form responses for the interactions of contacts. */
export const formInteractions: InteractionSource = {
  kind: 'form',
  source: 'form_responses',
  find: contactResponses,
  present: async (ctx, ids) =>
    presentInteractions(ctx, [...(await formResponse.among(ctx, ids)).values()]),
}
