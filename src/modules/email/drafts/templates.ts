import { omitUndefined, omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import { markdown, pageOf, paging, title } from '../../../kernel/fields.ts'
import { containsText } from '../../../db/text-conditions.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { emailTemplate } from '../access.ts'
import { headerLine } from '../outbox/messages.ts'
import { presentTemplates } from './presenter.ts'
import { EmailTemplate } from '../shapes.ts'
import { variablesIn } from './variables.ts'

export const listEmailTemplates = operation({
  name: 'list_email_templates',
  searchHint: 'canned responses, boilerplate, standard replies',
  kind: 'read',
  rest: 'GET /api/email-templates',
  about: 'Own and organization templates with their variables',
  input: {
    query: z.string().min(1).max(200).optional().describe('words of the name or subject'),
    ...paging,
  },
  output: pageOf(EmailTemplate),
  async handle({ query, limit, cursor }, ctx) {
    let templateQuery = emailTemplate.visibleTo(ctx).selectAll('email_templates')
    for (const word of (query ?? '').split(/\s+/).filter((part) => part !== ''))
      templateQuery = templateQuery.where(
        containsText(['email_templates.name', 'email_templates.subject'], word),
      )
    const page = await paged(
      templateQuery,
      [
        { by: 'email_templates.name', as: 'name', dir: 'asc' },
        { by: 'email_templates.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentTemplates(ctx, page.items))
  },
})

const subjectText = () => z.string().max(900).describe('with variables such as {{first_name}}')

export const createEmailTemplate = operation({
  name: 'create_email_template',
  searchHint: 'canned response, boilerplate, snippet, standard reply',
  kind: 'write',
  rest: 'POST /api/email-templates',
  about: 'Save a reusable email with variables',
  input: {
    name: title(),
    subject: subjectText(),
    body_markdown: markdown().describe('Markdown with variables such as {{first_name}}'),
    shared: z.boolean().default(false).describe('anyone in the organization can use it'),
  },
  output: EmailTemplate,
  async handle({ name, subject, body_markdown, shared: isShared }, ctx) {
    variablesIn({ subject, body_markdown })
    const row = await ctx.add('email_templates', {
      owner_id: ctx.actor.id,
      name: name.trim(),
      subject: headerLine(subject),
      body_markdown,
      shared: isShared ? 1 : 0,
      retired: 0,
    })
    return (await presentTemplates(ctx, [row]))[0]!
  },
})

export const updateEmailTemplate = operation({
  name: 'update_email_template',
  searchHint: 'edit a canned response, retire boilerplate',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/email-templates/{template_id}',
  about: 'Change, share or retire a template',
  on: { template: emailTemplate.edit },
  input: {
    name: title().optional(),
    subject: subjectText().optional(),
    body_markdown: markdown().optional(),
    shared: z.boolean().optional(),
    retired: z.boolean().optional().describe('true: kept, but can no longer be used'),
  },
  output: EmailTemplate,
  async handle({ template, name, subject, body_markdown, shared: isShared, retired }, ctx) {
    variablesIn(
      omitNullish({
        subject,
        body_markdown,
      }),
    )
    const row = await ctx.change(
      'email_templates',
      template,
      omitUndefined({
        name: name === undefined ? undefined : name.trim(),
        subject: subject === undefined ? undefined : headerLine(subject),
        body_markdown,
        ...(isShared === undefined ? {} : { shared: isShared ? 1 : 0 }),
        ...(retired === undefined ? {} : { retired: retired ? 1 : 0 }),
      }),
    )
    return (await presentTemplates(ctx, [row]))[0]!
  },
})

export const deleteEmailTemplate = operation({
  name: 'delete_email_template',
  searchHint: 'remove a canned reply',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/email-templates/{template_id}',
  about: 'Move your email template to the trash',
  on: { template: emailTemplate.own },
  dryRun: true,
  output: DeletedRef,
  async handle({ template: row }, ctx) {
    await ctx.trash('email_templates', row)
    return deletedRef(ctx, emailTemplate.ref(row, ctx.baseUrl))
  },
})
