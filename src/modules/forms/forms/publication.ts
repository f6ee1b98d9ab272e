import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { datetime, shortText } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { form } from '../access.ts'
import { countResponses } from '../responses/access.ts'
import { readClosingTime } from './settings.ts'
import { audiences, Form, presentForm } from '../shapes.ts'
import { markClosed, stateAt } from './states.ts'
import { requireFields } from '../responses/submissions.ts'
import { quantity } from '../../../kernel/text/quantity.ts'

export const publishForm = operation({
  name: 'publish_form',
  searchHint: 'open a survey, send out a poll, public questionnaire',
  kind: 'destructive',
  idempotent: true,
  rest: 'POST /api/forms/{form_id}/publish',
  about: 'Open a form for responses, within the organization or to anyone with the link',
  on: { form: form.own },
  input: {
    audience: z.enum(audiences).optional().describe('default: from its settings'),
    closes_at: datetime().nullable().optional().describe('closes at this time'),
    response_limit: z
      .int()
      .min(1)
      .max(1_000_000)
      .nullable()
      .optional()
      .describe('closes after this many responses'),
  },
  output: Form,
  outbound: ({ audience }) => audience !== 'organization',
  async handle(
    { form: row, audience = row.audience, closes_at, response_limit = row.response_limit },
    ctx,
  ) {
    requireFields(row)
    const closingTime =
      closes_at === undefined ? row.closes_at : readClosingTime(ctx, closes_at, 'closes_at')
    if (closingTime !== null && closingTime <= ctx.now)
      throw new Refusal('conflict', 'closes_at: this time has passed.', {
        field: 'closes_at',
        hint: 'Send a future time, or null for none.',
      })
    const count = response_limit === null ? 0 : await countResponses(ctx, row.id)
    if (response_limit !== null && count >= response_limit)
      throw new Refusal(
        'conflict',
        `response_limit: the form has ${quantity(count, 'answer')}, and its limit is ${response_limit}.`,
        { field: 'response_limit', hint: 'Send a higher limit, or null for none.' },
      )
    const wasOpen = stateAt(row, ctx.now) === 'open'
    const after = await ctx.change('forms', row, {
      status: 'published',
      audience,
      closes_at: closingTime,
      response_limit,
      closed_why: null,
      closed_message: null,
      slug: row.slug ?? randomBytes(16).toString('base64url'),
      published_at: row.published_at ?? ctx.now,
    })
    if (!wasOpen || row.audience !== audience) ctx.event('form.published', 'forms', after)
    return presentForm(ctx, after)
  },
})

export const closeForm = operation({
  name: 'close_form',
  searchHint: 'end a survey, no more answers, stop the poll',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/forms/{form_id}/close',
  about: 'Stop accepting responses',
  on: { form: form.own },
  input: { message: shortText(2000).optional().describe('shown to visitors of its page') },
  output: Form,
  async handle({ form: row, message }, ctx) {
    if (row.status === 'draft')
      throw new Refusal(
        'conflict',
        'This form is a draft and does not accept responses yet.',
        'Open it with publish_form.',
      )
    const text = message?.trim() || undefined
    if (row.status === 'closed')
      return presentForm(
        ctx,
        await ctx.change('forms', row, text === undefined ? {} : { closed_message: text }),
      )
    return presentForm(ctx, await markClosed(ctx, row, 'person', text))
  },
})
