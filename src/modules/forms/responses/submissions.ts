import { omitNullish } from '../../../kernel/present.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dayAt } from '../../../kernel/time/times.ts'
import { organization } from '../../directory/access.ts'
import { countResponses, storeAnswers, updateFormTimes } from './access.ts'
import { ensureCurrentVersion } from './access-versions.ts'
import { scoreOf, type Problem } from './answers.ts'
import { formFields, type FormField } from '../forms/fields.ts'
import { markClosed, requireOpenForm } from '../forms/states.ts'
import { quantity } from '../../../kernel/text/quantity.ts'

type Form = Row<'forms'>

/** Validated answers, and their origin. */
export interface Submission {
  values: Record<string, unknown>
  /** Files uploaded with them, by id. */
  ownFiles: ReadonlySet<string>
  trust: 'internal' | 'external'
  respondent?: { id: Row<'users'>['id']; email: string } | undefined
  /** Seconds that the respondent had the page open. */
  seconds?: number | undefined
  ticket?: string | undefined
}

/** Minimum interval between response notifications to the creator of a form, in milliseconds. */
export const noticeIntervalMs = 15 * 60_000

/**
 * Stores a response in the transaction that reads the form: the last accepted one closes it.
 * @throws Refusal conflict if the form accepts no responses
 */
export async function storeResponse(
  ctx: WriteContext,
  form: Form,
  { values, ownFiles, trust, respondent, seconds, ticket }: Submission,
): Promise<Row<'form_responses'>> {
  requireOpenForm(form, ctx.now)
  const count = form.response_limit === null ? 0 : await countResponses(ctx, form.id)
  if (form.response_limit !== null && count >= form.response_limit)
    throw new Refusal(
      'conflict',
      `This form has reached its limit of ${quantity(form.response_limit, 'response')}.`,
    )
  const fields = formFields(form)
  const { default_timezone } = await organization
    .visibleTo(ctx)
    .select('orgs.default_timezone')
    .executeTakeFirstOrThrow()
  const row = await ctx.add('form_responses', {
    form_id: form.id,
    form_version: await ensureCurrentVersion(ctx, form),
    answers_json: JSON.stringify(values),
    trust,
    respondent_id: respondent?.id ?? null,
    respondent_email: respondent?.email ?? emailIn(fields, values),
    score: scoreOf(fields, values),
    submitted_on: dayAt(ctx.now, default_timezone),
    seconds: seconds ?? null,
    ticket: ticket ?? null,
    destination_state:
      form.destination_json === null || JSON.parse(form.destination_json).kind === 'webhook'
        ? 'none'
        : 'waiting',
  })
  await storeAnswers(ctx, row, ownFiles)
  ctx.event('form.response_received', 'form_responses', row)
  await notifyCreator(ctx, form)
  if (form.response_limit !== null && count + 1 >= form.response_limit) {
    const after = await markClosed(ctx, form, 'limit')
    ctx.notify(
      'comment',
      [form.created_by],
      'forms',
      after,
      `“${form.title}” reached its limit of ${quantity(form.response_limit, 'response')} and was closed`,
    )
  }
  return row
}

function emailIn(fields: readonly FormField[], values: Record<string, unknown>): string | null {
  const field = fields.find(
    (formField) => formField.type === 'email' && typeof values[formField.id] === 'string',
  )
  return field ? (values[field.id] as string).toLowerCase() : null
}

/** Notifies at once after a quiet period; otherwise the tick reports all new responses. */
async function notifyCreator(ctx: WriteContext, form: Form): Promise<void> {
  const isQuiet = form.told_at === null || ctx.now - form.told_at >= noticeIntervalMs
  await updateFormTimes(
    ctx,
    form.id,
    omitNullish({
      last_response_at: ctx.now,
      told_at: isQuiet ? ctx.now : undefined,
    }),
  )
  if (isQuiet)
    ctx.notify('comment', [form.created_by], 'forms', form, `“${form.title}” has a new response`)
}

/** Invalid answers as a call's refusal. */
export function answersRefusal(
  fields: readonly FormField[],
  problems: readonly Problem[],
): Refusal {
  const label = (id: string) => fields.find((field) => field.id === id)?.label
  const text = problems
    .slice(0, 5)
    .map(
      ({ field_id, message }) =>
        `answers.${field_id}${label(field_id) === undefined ? '' : ` (${label(field_id)!.slice(0, 80)})`}: ${message}`,
    )
    .join('; ')
  const first = problems[0]!
  const unknown = problems.some((problem) => label(problem.field_id) === undefined)
  return new Refusal(
    'invalid_argument',
    `${text}.`,
    omitNullish({
      field: `answers.${first.field_id}`,
      errors: problems
        .slice(0, 100)
        .map((problem) => ({ path: `answers.${problem.field_id}`, message: problem.message })),
      hint: unknown
        ? `The fields are ${fields.map((field) => `${field.id} (${field.label.slice(0, 80)})`).join(', ')}.`
        : undefined,
    }),
  )
}

/** @throws Refusal if a form has no questions */
export function requireFields(form: Form): void {
  if (form.fields_json === '[]')
    throw invalid('form_id', 'this form has no fields.', 'Add some with update_form.')
}
