import type { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { commonOf } from '../../../records/shapes.ts'
import { emailTemplate } from '../access.ts'
import type { EmailTemplate } from '../shapes.ts'
import { variablesIn } from './variables.ts'

/** Templates with the variables in their texts. */
export async function presentTemplates(
  ctx: ReadContext,
  rows: readonly Row<'email_templates'>[],
): Promise<z.input<typeof EmailTemplate>[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) => ({
    ...commonOf(row, emailTemplate.url(row, ctx.baseUrl), people),
    name: row.name,
    subject: row.subject,
    body_markdown: row.body_markdown,
    variables: variablesIn({ subject: row.subject, body_markdown: row.body_markdown }),
    shared: row.shared === 1,
    retired: row.retired === 1,
  }))
}
