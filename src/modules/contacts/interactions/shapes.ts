import { truncate } from '../../../kernel/text/truncate.ts'
import { omitNullish } from '../../../kernel/present.ts'
import type { InteractionShape } from './interaction.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { commonOf, type Ref } from '../../../records/shapes.ts'
import { taskRefs } from '../../tasks/shapes.ts'
import { interaction, interactionContact } from '../access.ts'
import { tasksOfInteractions } from './access.ts'
import { companyRefs, contactRefs, dealRefs, refIn } from '../refs.ts'

/** Maximum length of meeting notes and form answers shown; the source has the full text. */
const maxExcerptLength = 2000

/** Logged interactions for results. The rows are already visible. */
export async function presentLoggedInteractions(
  ctx: ReadContext,
  rows: readonly Row<'interactions'>[],
): Promise<InteractionShape[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const linksByInteraction = Map.groupBy(
    await interactionContact.of(ctx, ids).selectAll('interaction_contacts').execute(),
    (row) => row.interaction_id,
  )
  const contacts = await contactRefs(
    ctx,
    [...linksByInteraction.values()].flat().map((item) => item.contact_id),
  )
  const companies = await companyRefs(
    ctx,
    rows.map((row) => row.company_id),
  )
  const deals = await dealRefs(
    ctx,
    rows.map((row) => row.deal_id),
  )
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const taskByInteraction = await tasksOfInteractions(ctx, ids)
  const tasks = await taskRefs(ctx, [...taskByInteraction.values()])
  return rows.map((row) =>
    omitNullish({
      ...commonOf(row, interaction.url(row, ctx.baseUrl), people),
      kind: row.kind,
      occurred_at: iso(row.occurred_at),
      summary_markdown: row.summary_markdown,
      trust: 'internal',
      contacts: byTitle(
        (linksByInteraction.get(row.id) ?? []).flatMap(
          (item) => contacts.get(item.contact_id) ?? [],
        ),
      ),
      ...refIn('company', companies, row.company_id),
      ...refIn('deal', deals, row.deal_id),
      person: people.get(row.created_by)!,
      next_step: row.next_step,
      next_step_due: row.next_step_due_on,
      ...refIn('next_step_task', tasks, taskByInteraction.get(row.id)),
    }),
  )
}

/** Truncates a text to the length that interactions show. */
export function interactionExcerpt(text: string): string {
  return truncate(text, maxExcerptLength + 1)
}

export function byTitle(refs: Ref[]): Ref[] {
  return [...new Map(refs.map((ref) => [ref.id, ref])).values()].sort(
    (a, b) => a.title.localeCompare(b.title) || (a.id < b.id ? -1 : 1),
  )
}
