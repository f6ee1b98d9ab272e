import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { headerLine } from '../outbox/messages.ts'
import { filledIn } from './variables.ts'

export interface FilledText {
  subject: string
  body: string
  /** Variables of the template without a value: they stand in the text as they are. */
  unfilled: string[]
}

/** The subject and the text as they were sent, in place of what is empty those of the template, with its variables filled in. @throws Refusal */
export function fillTemplate(
  template: Row<'email_templates'> | undefined,
  text: { subject: string; body: string },
  variables: Record<string, unknown> | undefined,
): FilledText {
  if (!template) {
    if (variables !== undefined && Object.keys(variables).length > 0)
      throw invalid('variables', 'no template is given.', 'Send template_id.')
    return { ...text, unfilled: [] }
  }
  if (template.retired === 1)
    throw invalid(
      'template_id',
      `“${template.name}” is retired.`,
      'Restore it with update_email_template (retired=false).',
    )
  const values = variables ?? {}
  const subject = filledIn(
    text.subject.trim() === '' ? template.subject : text.subject,
    values,
    'subject',
  )
  const body = filledIn(
    text.body.trim() === '' ? template.body_markdown : text.body,
    values,
    'body_markdown',
  )
  return {
    subject: headerLine(subject.text),
    body: body.text,
    unfilled: [...new Set([...subject.unfilled, ...body.unfilled])],
  }
}
