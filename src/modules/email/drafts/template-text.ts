import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { headerLine } from '../outbox/messages.ts'
import { fillVariables } from './variables.ts'

export interface FilledText {
  subject: string
  body: string
  /** Variables without a value, which stay in the text as they are. */
  unfilled: string[]
}

/** The given subject and text, or the template's where they are empty, with variables filled in. @throws Refusal */
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
  const subject = fillVariables(
    text.subject.trim() === '' ? template.subject : text.subject,
    values,
    'subject',
  )
  const body = fillVariables(
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
